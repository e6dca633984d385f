package enginetest

import (
	"database/sql"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// null stands for a value that is not there.
const null = "\x00null"

// tableRows holds the values of a table as text, by column and row. All
// columns list the rows in one order.
type tableRows struct {
	count   int
	columns map[designer.ID][]string
}

// rows reads every table of a schema that the database is like.
func (b *bench) rows(s *designer.Schema) map[designer.ID]tableRows {
	b.t.Helper()
	all := map[designer.ID]tableRows{}
	for _, t := range s.Tables() {
		all[t.ID] = b.tableRows(t)
	}
	return all
}

func (b *bench) tableRows(t *designer.Table) tableRows {
	b.t.Helper()
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = b.quote(c.Name)
	}
	ctx, cancel := patiently()
	defer cancel()
	query := "SELECT " + strings.Join(names, ", ") + " FROM " + b.tableName(t) + b.uncached()
	rows, err := b.db.QueryContext(ctx, query)
	require.NoError(b.t, err, "%s", query)
	defer rows.Close()
	out := tableRows{columns: map[designer.ID][]string{}}
	for rows.Next() {
		values := scan(b.t, rows, len(names))
		for i, c := range t.Columns {
			out.columns[c.ID] = append(out.columns[c.ID], values[i])
		}
		out.count++
	}
	require.NoError(b.t, rows.Err(), "%s", query)
	return out
}

// uncached ends a query so that no driver takes it for one from before the
// database changed: some keep a query's plan.
func (b *bench) uncached() string { return " /* " + b.base.Version() + " */" }

func scan(t require.TestingT, rows *sql.Rows, n int) []string {
	values, places := make([]any, n), make([]any, n)
	for i := range values {
		places[i] = &values[i]
	}
	require.NoError(t, rows.Scan(places...))
	texts := make([]string, n)
	for i, v := range values {
		switch v := v.(type) {
		case nil:
			texts[i] = null
		case []byte:
			texts[i] = string(v)
		case time.Time:
			texts[i] = v.Format(time.RFC3339Nano)
		default:
			texts[i] = fmt.Sprint(v)
		}
	}
	return texts
}

// keepsRows sees that the rows of tables that are still there are what they
// were, in the columns that the diff leaves alone.
func (b *bench) keepsRows(before map[designer.ID]tableRows, diff *designer.Diff, plan designer.Plan) {
	b.t.Helper()
	for _, to := range diff.To.Tables() {
		from := diff.From.ByID(to.ID)
		if from == nil {
			continue
		}
		now := b.base.ByID(to.ID)
		was, is := before[to.ID].withValuesOf(diff, from), b.tableRows(now)
		require.Equal(b.t, was.count, is.count, "rows of table %s\n%s", to.Name, plan.Script())
		kept := keptColumns(from, now)
		require.Equal(b.t, was.project(kept), is.project(kept), "values of table %s\n%s", to.Name, plan.Script())
		for id := range is.columns {
			if _, both := was.columns[id]; both && !computed(from, id) && !computed(now, id) {
				require.Equal(b.t, was.nulls(id), is.nulls(id), "nulls of table %s\n%s", to.Name, plan.Script())
			}
		}
	}
}

// withValuesOf returns the rows with the new names of the values of enums.
func (r tableRows) withValuesOf(diff *designer.Diff, t *designer.Table) tableRows {
	out := tableRows{count: r.count, columns: maps.Clone(r.columns)}
	for _, c := range t.Columns {
		of := diff.From.TypeOf(c)
		if of == nil || diff.To.NamedType(of.ID) == nil {
			continue
		}
		names := map[string]string{}
		for _, v := range of.Values {
			for _, w := range diff.To.NamedType(of.ID).Values {
				if v.ID == w.ID {
					names[v.Name] = w.Name
				}
			}
		}
		out.columns[c.ID] = nil
		for _, v := range r.columns[c.ID] {
			if list, is := strings.CutPrefix(v, "{"); is { // of one element
				if name, known := names[strings.Trim(list, `"}`)]; known {
					v = arrayOf(name)
				}
			} else if name, known := names[v]; known {
				v = name
			}
			out.columns[c.ID] = append(out.columns[c.ID], v)
		}
	}
	return out
}

// arrayOf writes an array of one element as PostgreSQL does.
func arrayOf(element string) string {
	if strings.ContainsAny(element, ` ,{}`) {
		return `{"` + element + `"}`
	}
	return "{" + element + "}"
}

func computed(t *designer.Table, id designer.ID) bool { return columnByID(t, id).IsComputed }

func columnByID(t *designer.Table, id designer.ID) designer.Column {
	i := slices.IndexFunc(t.Columns, func(c designer.Column) bool { return c.ID == id })
	if i < 0 {
		return designer.Column{}
	}
	return t.Columns[i]
}

// keptColumns lists the columns of both whose values have to be the same.
func keptColumns(from, to *designer.Table) []designer.ID {
	var ids []designer.ID
	for _, a := range from.Columns {
		b := columnByID(to, a.ID)
		if b.ID != "" && !a.IsComputed && !b.IsComputed && designer.Fold(a.DataType) == designer.Fold(b.DataType) &&
			a.MaxLength == b.MaxLength && a.Precision == b.Precision && a.Scale == b.Scale {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// project returns the rows, of these columns alone, sorted.
func (r tableRows) project(columns []designer.ID) []string {
	out := make([]string, r.count)
	for i := range out {
		var b strings.Builder
		for _, id := range columns {
			fmt.Fprintf(&b, "%s|", canonical(r.columns[id][i]))
		}
		out[i] = b.String()
	}
	slices.Sort(out)
	return out
}

// canonical writes numbers of one value alike, whatever type they are read as.
func canonical(v string) string {
	if r, ok := new(big.Rat).SetString(v); ok && len(v) < 40 && !strings.ContainsAny(v, "/eEpPxX_") {
		return r.RatString()
	}
	return v
}

func (r tableRows) nulls(id designer.ID) int {
	n := 0
	for _, v := range r.columns[id] {
		if v == null {
			n++
		}
	}
	return n
}

// distinct reports whether no two rows have the same values, and none a null.
func (r tableRows) distinct(ids ...designer.ID) bool {
	seen := map[string]bool{}
	for i := range r.count {
		key := ""
		for _, id := range ids {
			if r.columns[id][i] == null {
				return false
			}
			key += strings.ToLower(r.columns[id][i]) + "\x00"
		}
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// quote writes an identifier.
func (b *bench) quote(name string) string { return b.Engine.Dialect().QuoteIdentifier(name) }

// tableName names a table in a statement. Where the schema is the database,
// it is left out.
func (b *bench) tableName(t *designer.Table) string {
	if b.Server.Name == "mysql" {
		return b.quote(t.Name)
	}
	return b.quote(t.Schema) + "." + b.quote(t.Name)
}
