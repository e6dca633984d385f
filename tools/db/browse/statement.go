package browse

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// The dialects whose texts differ.
const (
	dialectSQLite    = "sqlite"
	dialectPostgres  = "postgres"
	dialectSQLServer = "mssql"
)

// Statement is a query with the values of its placeholders.
type Statement struct {
	Text   string
	Values []any // int64, float64, string or []byte
}

// alias is what every query calls its table.
const alias = "r"

// Rows is the query for the rows. The error is an [*Error].
func (r Request) Rows(d *designer.Dialect) (Statement, error) {
	b := builder{dialect: d}
	where, err := b.conditions(r)
	if err != nil {
		return Statement{}, err
	}
	columns := "*"
	if len(r.Columns) > 0 {
		list := make([]string, len(r.Columns))
		for i, c := range r.Columns {
			list[i] = b.column(c)
		}
		columns = strings.Join(list, ", ")
	}
	text := "SELECT " + columns + b.from(r.Table) + where + b.orderBy(r.Order)
	if d.Name == dialectSQLServer {
		text += fmt.Sprintf(" OFFSET %d ROWS FETCH NEXT %d ROWS ONLY", r.Offset, r.Limit)
	} else {
		text += fmt.Sprintf(" LIMIT %d OFFSET %d", r.Limit, r.Offset)
	}
	return Statement{text, b.values}, nil
}

// Count is the query for how many rows fulfil the filters, whatever the order
// and the page.
func (r Request) Count(d *designer.Dialect) (Statement, error) {
	b := builder{dialect: d}
	where, err := b.conditions(r)
	if err != nil {
		return Statement{}, err
	}
	count := "COUNT(*)"
	if d.Name == dialectSQLServer {
		count = "COUNT_BIG(*)" // COUNT ends at 2^31
	}
	return Statement{"SELECT " + count + b.from(r.Table) + where, b.values}, nil
}

// builder makes one statement.
type builder struct {
	dialect *designer.Dialect
	values  []any
}

func (b *builder) column(name string) string { return alias + "." + b.dialect.QuoteIdentifier(name) }

func (b *builder) from(t Table) string {
	name := b.dialect.QuoteIdentifier(t.Name)
	if t.Schema != "" {
		name = b.dialect.QuoteIdentifier(t.Schema) + "." + name
	}
	return " FROM " + name + " AS " + alias
}

// orderBy names each column once, as SQL Server wants it.
func (b *builder) orderBy(order []Order) string {
	var list []string
	seen := map[string]bool{}
	for _, o := range order {
		if seen[o.Column] {
			continue
		}
		seen[o.Column] = true
		by := b.column(o.Column)
		if o.Descending {
			by += " DESC"
		}
		list = append(list, by)
	}
	switch {
	case len(list) > 0:
		return " ORDER BY " + strings.Join(list, ", ")
	case b.dialect.Name == dialectSQLServer: // which pages in an order only
		return " ORDER BY (SELECT NULL)"
	}
	return ""
}

func (b *builder) conditions(r Request) (string, error) {
	if err := r.check(); err != nil {
		return "", err
	}
	list := make([]string, len(r.Filters))
	for i, f := range r.Filters {
		condition, err := b.condition(f)
		if err != nil {
			return "", err
		}
		list[i] = condition
	}
	if len(list) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(list, " AND "), nil
}

var comparisons = map[Is]string{Equal: "=", Unequal: "<>", Less: "<", Greater: ">"}

func (b *builder) condition(f Filter) (string, error) {
	column := b.column(f.Column)
	switch f.Is {
	case Null:
		return column + " IS NULL", nil
	case NotNull:
		return column + " IS NOT NULL", nil
	case Contains:
		return b.contains(column, f.Value), nil
	}
	sign, ok := comparisons[f.Is]
	if !ok {
		return "", invalid("no condition is called %q", f.Is)
	}
	value, err := f.bound()
	if err != nil {
		return "", err
	}
	if text, isText := value.(string); isText && b.dialect.Name == dialectSQLite {
		return b.untyped(column, f.Is, sign, text), nil
	}
	return column + " " + sign + " " + b.hole(value), nil
}

// untyped compares a column of SQLite, which may have no type and hold texts and
// numbers: what is written as a number is compared as one, too. A column of
// texts makes a text of it again.
func (b *builder) untyped(column string, is Is, sign, text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text {
		return column + " " + sign + " " + b.hole(text)
	}
	switch is {
	case Equal:
		return column + " IN (" + b.hole(text) + ", " + b.hole(n) + ")"
	case Unequal:
		return column + " NOT IN (" + b.hole(text) + ", " + b.hole(n) + ")"
	}
	return column + " " + sign + " " + b.hole(n)
}

// contains has the wildcards of the value escaped. MySQL and SQL Server compare
// as the column's collation does.
func (b *builder) contains(column, value string) string {
	special := []string{"!", "!!", "%", "!%", "_", "!_"}
	like := "LIKE"
	switch b.dialect.Name {
	case dialectPostgres:
		column, like = "CAST("+column+" AS text)", "ILIKE"
	case dialectSQLServer:
		column = "CAST(" + column + " AS nvarchar(max))"
		special = append(special, "[", "![")
	}
	pattern := "%" + strings.NewReplacer(special...).Replace(value) + "%"
	return column + " " + like + " " + b.hole(pattern) + " ESCAPE '!'"
}

// hole is the placeholder of a value.
func (b *builder) hole(value any) string {
	b.values = append(b.values, value)
	switch b.dialect.Name {
	case dialectPostgres:
		return "$" + strconv.Itoa(len(b.values))
	case dialectSQLServer:
		return "@p" + strconv.Itoa(len(b.values))
	}
	return "?"
}
