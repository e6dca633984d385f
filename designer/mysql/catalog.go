package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// catalog is what the queries brought, by table name where there is one.
type catalog struct {
	server
	tables     []tableRow
	columns    map[string][]columnRow
	indexes    map[string][]indexRow
	keys       map[string][]keyRow
	rules      map[[2]string]ruleRow // by table and constraint
	checks     map[string][]checkRow
	partitions map[string][]partitionRow
	triggers   []triggerRow
	views      []viewRow
	routines   []routineRow
	parameters map[routineID][]parameterRow
	events     []eventRow
	sequences  []sequenceRow
	rights     []rightRow
	carried    map[string]bool            // names of tables, views and sequences
	types      map[string]designer.Column // what a COLUMN_TYPE says, by its text

	setsDefiner bool // the user may make views and triggers in another's name
}

func newCatalog(s server) *catalog {
	return &catalog{
		server: s, columns: map[string][]columnRow{}, indexes: map[string][]indexRow{}, keys: map[string][]keyRow{},
		rules: map[[2]string]ruleRow{}, checks: map[string][]checkRow{}, partitions: map[string][]partitionRow{},
		parameters: map[routineID][]parameterRow{}, carried: map[string]bool{},
		types: map[string]designer.Column{},
	}
}

// The rows, as the queries have them.
type (
	tableRow struct{ name, kind, engine, collation, options, comment string }

	columnRow struct {
		name                                                           string
		def                                                            sql.NullString
		nullable, columnType, collation, extra, formula, comment, srid string
	}

	indexRow struct {
		name                   string
		unique                 bool
		kind, comment, ignored string
		parts                  []indexPartRow
	}

	indexPartRow struct {
		column, order, expression string
		length                    int
	}

	keyRow struct {
		name, schema, table string
		columns, referenced []string
	}

	ruleRow struct{ onDelete, onUpdate string }

	checkRow struct{ name, level, clause, enforced string }
)

// The rows of what a design carries and does not edit. Their statements are
// put together here, without a DEFINER, which is an option: who makes them
// elsewhere owns them.
type (
	triggerRow  struct{ name, event, table, timing, body, mode, definer string }
	viewRow     struct{ name, query, check, security, definer, algorithm string }
	rightRow    struct{ grantee, table, column, privilege, grantable string }
	sequenceRow struct{ name, start, least, most, increment, cache, cycle string }
)

type (
	routineID struct{ kind, name string }

	routineRow struct {
		routineID
		returns, charset, collation, body              string
		deterministic, access, security, comment, mode string

		written string // its parameters, as they were written; "": not known
	}

	parameterRow struct{ mode, name, dataType, charset, collation string }

	eventRow struct {
		name, kind, at, interval, field, starts, ends string
		status, completion, comment, body, mode       string
	}
)

// partitionRow is one partition, or one of its subpartitions.
type partitionRow struct {
	name, subName           string
	method, expression      string
	subMethod, subExpressed string
	values, comment         string
}

func (c *catalog) readTable(scan func(...any) error) error {
	var r tableRow
	if err := scan(&r.name, &r.kind, &r.engine, &r.collation, &r.options, &r.comment); err != nil {
		return err
	}
	c.tables = append(c.tables, r)
	return nil
}

func (c *catalog) readColumn(scan func(...any) error) error {
	var table string
	var r columnRow
	if err := scan(&table, &r.name, &r.def, &r.nullable, &r.columnType, &r.collation, &r.extra, &r.formula, &r.comment, &r.srid); err != nil {
		return err
	}
	c.columns[table] = append(c.columns[table], r)
	return nil
}

// readIndex gets the parts of one index one after another.
func (c *catalog) readIndex(scan func(...any) error) error {
	var table string
	var notUnique bool
	var r indexRow
	var p indexPartRow
	if err := scan(&table, &r.name, &notUnique, &p.column, &p.order, &p.length, &r.kind, &r.comment, &r.ignored, &p.expression); err != nil {
		return err
	}
	list := c.indexes[table]
	if n := len(list); n == 0 || list[n-1].name != r.name {
		r.unique = !notUnique
		list = append(list, r)
	}
	last := &list[len(list)-1]
	last.parts = append(last.parts, p)
	c.indexes[table] = list
	return nil
}

// readKey gets the columns of one foreign key one after another.
func (c *catalog) readKey(scan func(...any) error) error {
	var table, column, referenced string
	var r keyRow
	if err := scan(&table, &r.name, &column, &r.schema, &r.table, &referenced); err != nil {
		return err
	}
	if r.schema == c.database {
		r.schema = ""
	}
	list := c.keys[table]
	if n := len(list); n == 0 || list[n-1].name != r.name {
		list = append(list, r)
	}
	last := &list[len(list)-1]
	last.columns, last.referenced = append(last.columns, column), append(last.referenced, referenced)
	c.keys[table] = list
	return nil
}

func (c *catalog) readRule(scan func(...any) error) error {
	var table, name string
	var r ruleRow
	if err := scan(&table, &name, &r.onDelete, &r.onUpdate); err != nil {
		return err
	}
	c.rules[[2]string{table, name}] = r
	return nil
}

func (c *catalog) readCheck(scan func(...any) error) error {
	var table string
	var r checkRow
	if err := scan(&table, &r.name, &r.level, &r.clause, &r.enforced); err != nil {
		return err
	}
	c.checks[table] = append(c.checks[table], r)
	return nil
}

func (c *catalog) readPartition(scan func(...any) error) error {
	var table string
	var r partitionRow
	if err := scan(&table, &r.name, &r.subName, &r.method, &r.expression, &r.subMethod, &r.subExpressed, &r.values, &r.comment); err != nil {
		return err
	}
	c.partitions[table] = append(c.partitions[table], r)
	return nil
}

func (c *catalog) readTrigger(scan func(...any) error) error {
	var r triggerRow
	if err := scan(&r.name, &r.event, &r.table, &r.timing, &r.body, &r.mode, &r.definer); err != nil {
		return err
	}
	c.triggers = append(c.triggers, r)
	return nil
}

func (c *catalog) readView(scan func(...any) error) error {
	var r viewRow
	if err := scan(&r.name, &r.query, &r.check, &r.security, &r.definer, &r.algorithm); err != nil {
		return err
	}
	c.views = append(c.views, r)
	return nil
}

func (c *catalog) readSequence(scan func(...any) error) error {
	var r sequenceRow
	if err := scan(&r.name, &r.start, &r.least, &r.most, &r.increment, &r.cache, &r.cycle); err != nil {
		return err
	}
	c.sequences = append(c.sequences, r)
	return nil
}

func (c *catalog) readRight(scan func(...any) error) error {
	var r rightRow
	if err := scan(&r.grantee, &r.table, &r.column, &r.privilege, &r.grantable); err != nil {
		return err
	}
	r.grantee = granteeName(r.grantee)
	c.rights = append(c.rights, r)
	return nil
}

func (c *catalog) readRoutine(scan func(...any) error) error {
	var r routineRow
	if err := scan(&r.kind, &r.name, &r.returns, &r.charset, &r.collation, &r.body,
		&r.deterministic, &r.access, &r.security, &r.comment, &r.mode); err != nil {
		return err
	}
	c.routines = append(c.routines, r)
	return nil
}

func (c *catalog) readParameter(scan func(...any) error) error {
	var id routineID
	var r parameterRow
	if err := scan(&id.kind, &id.name, &r.mode, &r.name, &r.dataType, &r.charset, &r.collation); err != nil {
		return err
	}
	c.parameters[id] = append(c.parameters[id], r)
	return nil
}

func (c *catalog) readEvent(scan func(...any) error) error {
	var r eventRow
	if err := scan(&r.name, &r.kind, &r.at, &r.interval, &r.field, &r.starts, &r.ends,
		&r.status, &r.completion, &r.comment, &r.body, &r.mode); err != nil {
		return err
	}
	c.events = append(c.events, r)
	return nil
}

// readGrant reads one row of SHOW GRANTS.
func (c *catalog) readGrant(scan func(...any) error) error {
	var text string
	if err := scan(&text); err != nil {
		return err
	}
	list, _, everywhere := strings.Cut(strings.TrimPrefix(text, "GRANT "), " ON *.* TO ")
	if everywhere {
		c.setsDefiner = c.setsDefiner || slices.ContainsFunc(strings.Split(list, ", "), func(right string) bool {
			return slices.Contains(definerRights, right)
		})
	}
	return nil
}

// reader reads the rows of the catalogue. They repeat themselves: a text that
// was there before is not made again.
type reader struct{ texts map[string]string }

// longText is the length, in bytes, from which a text is not expected again.
const longText = 64

// each calls row for every row of a query. What row asks for is a *string, a
// *sql.NullString, a *bool or an *int a column.
func (r *reader) each(ctx context.Context, conn *sql.Conn, query string, row func(scan func(...any) error) error) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err below has what went wrong
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	raw := make([]sql.RawBytes, len(names))
	into := make([]any, len(names))
	for i := range raw {
		into[i] = &raw[i]
	}
	scan := func(dest ...any) error { return r.assign(raw, dest) }
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := row(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *reader) assign(raw []sql.RawBytes, dest []any) error {
	if len(raw) != len(dest) {
		return fmt.Errorf("%d columns for %d fields", len(raw), len(dest))
	}
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = r.text(raw[i])
		case *sql.NullString:
			*d = sql.NullString{String: r.text(raw[i]), Valid: raw[i] != nil}
		case *bool:
			*d = string(raw[i]) == "1"
		case *int:
			n, err := strconv.Atoi(string(raw[i]))
			if err != nil {
				return err
			}
			*d = n
		default:
			return fmt.Errorf("no way to read a %T", d)
		}
	}
	return nil
}

func (r *reader) text(raw sql.RawBytes) string {
	if len(raw) >= longText {
		return string(raw)
	}
	if s, known := r.texts[string(raw)]; known { // which makes no string
		return s
	}
	s := string(raw)
	r.texts[s] = s
	return s
}
