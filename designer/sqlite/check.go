package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// check compares what is wrong with a database after a plan with what was
// before: what the plan has broken stops it, what was broken does not.
type check struct {
	plan    designer.Plan
	lineage lineage
	keys    map[string]keyState // by what [check.identify] says
	broken  map[string]error    // views and triggers that do not compile
}

func newCheck(p designer.Plan) *check { return &check{plan: p, lineage: newLineage()} }

func (c *check) before(ctx context.Context, conn *sql.Conn) (err error) {
	if c.keys, err = c.readKeys(ctx, conn); err != nil {
		return err
	}
	c.broken, err = c.compile(ctx, conn)
	return err
}

// after returns a [*designer.StepError] for the first thing that is wrong now
// and was not before.
func (c *check) after(ctx context.Context, conn *sql.Conn) error {
	for _, s := range c.plan.Steps {
		c.lineage.follow(s.Statement)
	}
	broken, err := c.compile(ctx, conn)
	if err != nil {
		return fmt.Errorf("check views and triggers: %w", err)
	}
	for _, name := range sortedKeys(broken) {
		if c.broken[name] == nil {
			return atEnd(c.plan, "check views and triggers", broken[name])
		}
	}
	keys, err := c.readKeys(ctx, conn)
	if err != nil {
		return fmt.Errorf("check foreign keys: %w", err)
	}
	for _, name := range sortedKeys(keys) {
		if err := keys[name].worse(c.keys[name]); err != nil {
			return atEnd(c.plan, "check foreign keys", err)
		}
	}
	return nil
}

func sortedKeys[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// keyState is one foreign key with the rows that violate it.
type keyState struct {
	table, parent string
	columns, refs []string
	violations    int64
	mismatch      error // SQLite cannot check the keys of the table
}

// worse is the error of a state that was not so bad before.
func (k keyState) worse(before keyState) error {
	switch {
	case k.mismatch != nil && before.mismatch == nil:
		return k.mismatch
	case k.mismatch == nil && before.mismatch == nil && k.violations > before.violations:
		return fmt.Errorf("FOREIGN KEY constraint failed: %d rows of %s %s refer to what is not in %s %s",
			k.violations-before.violations, ident(k.table), idents(k.columns), ident(k.parent), idents(k.refs))
	}
	return nil
}

const (
	keyListQuery = `SELECT s.name, k.id, k."table", k."from", coalesce(k."to", (SELECT x.name
FROM pragma_table_xinfo(k."table", 'main') x WHERE x.pk = k.seq + 1), '')
FROM main.sqlite_schema s JOIN pragma_foreign_key_list(s.name, 'main') k
WHERE s.type = 'table' AND s.rootpage <> 0 ORDER BY s.rowid, k.id, k.seq`

	violationQuery = `SELECT fkid, count(*) FROM pragma_foreign_key_check(?1, 'main') GROUP BY fkid`
)

// readKeys reads the foreign keys and counts what violates them, where the
// plan may have any bearing on that.
func (c *check) readKeys(ctx context.Context, conn *sql.Conn) (map[string]keyState, error) {
	if !slices.ContainsFunc(c.plan.Steps, func(s designer.Step) bool { return mayBreakKeys(s.Statement) }) {
		return nil, nil
	}
	byTable := map[string]map[int]*keyState{}
	err := each(ctx, conn, keyListQuery, func(scan func(...any) error) error {
		var table, parent, from, to string
		var id int
		if err := scan(&table, &id, &parent, &from, &to); err != nil {
			return err
		}
		if byTable[table] == nil {
			byTable[table] = map[int]*keyState{}
		}
		k := byTable[table][id]
		if k == nil {
			k = &keyState{table: table, parent: parent}
			byTable[table][id] = k
		}
		k.columns, k.refs = append(k.columns, from), append(k.refs, to)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := map[string]keyState{}
	for table, keys := range byTable {
		if err := count(ctx, conn, table, keys); err != nil {
			return nil, err
		}
		for _, k := range keys {
			all[c.identify(k)] = *k
		}
	}
	return all, nil
}

// count fills in the violations of one table's keys. SQLite refuses to check a
// table with a key to columns that are no key.
func count(ctx context.Context, conn *sql.Conn, table string, keys map[int]*keyState) error {
	err := each(ctx, conn, violationQuery, func(scan func(...any) error) error {
		var id int
		var n int64
		if err := scan(&id, &n); err != nil {
			return err
		}
		if k := keys[id]; k != nil {
			k.violations = n
		}
		return nil
	}, table)
	if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "foreign key mismatch") {
		return err
	}
	for _, k := range keys {
		k.mismatch = err
	}
	return nil
}

// identify names a key as it was before the plan.
func (c *check) identify(k *keyState) string {
	parts := []string{c.lineage.table(k.table), c.lineage.table(k.parent)}
	for i := range k.columns {
		parts = append(parts, c.lineage.column(k.table, k.columns[i]), c.lineage.column(k.parent, k.refs[i]))
	}
	return strings.Join(parts, "\x00")
}

const dependentQuery = `SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY rowid`

// compile returns what SQLite says of each view that it cannot read and each
// table whose triggers on an event it cannot run.
func (c *check) compile(ctx context.Context, conn *sql.Conn) (map[string]error, error) {
	var views []string
	events := map[string][]string{} // that have triggers, by table
	err := each(ctx, conn, dependentQuery, func(scan func(...any) error) error {
		var kind, name, table, text string
		err := scan(&kind, &name, &table, &text)
		if kind == "view" {
			views = append(views, name)
		} else if event := eventOf(text); !slices.Contains(events[table], event) {
			events[table] = append(events[table], event)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	broken := map[string]error{}
	for _, v := range views {
		if err := prepare(ctx, conn, "SELECT * FROM main."+ident(v)); err != nil {
			broken["view "+fold(v)] = fmt.Errorf("view %s would be broken: %w", v, err)
		}
	}
	for table, list := range events {
		for _, event := range list {
			if err := fire(ctx, conn, event, table); err != nil {
				broken[event+" "+c.lineage.table(table)] = fmt.Errorf("a trigger on %s of %s would be broken: %w", event, table, err)
			}
		}
	}
	return broken, errors.Join(ctx.Err())
}

// eventOf returns what makes a trigger run. The name before it cannot be the
// word itself, which is reserved.
func eventOf(trigger string) string {
	for _, t := range sqltext.SQLite().Significant(trigger) {
		for _, event := range [...]string{"insert", "update", "delete"} {
			if t.Kind == sqltext.Word && t.Is(event) {
				return event
			}
		}
	}
	return ""
}

// fire compiles, and does not run, a statement that would run all triggers of
// a table on an event.
func fire(ctx context.Context, conn *sql.Conn, event, table string) error {
	name := "main." + ident(table)
	switch event {
	case "insert":
		return prepare(ctx, conn, "INSERT INTO "+name+" DEFAULT VALUES")
	case "delete":
		return prepare(ctx, conn, "DELETE FROM "+name)
	}
	var sets []string
	err := each(ctx, conn, "SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0", func(scan func(...any) error) error {
		var column string
		err := scan(&column)
		sets = append(sets, ident(column)+" = "+ident(column))
		return err
	}, table)
	if err != nil {
		return err
	}
	return prepare(ctx, conn, "UPDATE "+name+" SET "+strings.Join(sets, ", "))
}

func prepare(ctx context.Context, conn *sql.Conn, statement string) error {
	s, err := conn.PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	return s.Close()
}

// lineage describes which table and column of before a plan one of afterwards is,
// as the plan's own statements say: renamings, and rows that are copied from
// one table into another.
type lineage struct {
	tables  map[string]string            // folded names from before by folded ones of now
	columns map[string]map[string]string // the same for columns, by the table's name from before
}

func newLineage() lineage {
	return lineage{tables: map[string]string{}, columns: map[string]map[string]string{}}
}

// table returns the folded name that a table had; its own if no statement
// says about it.
func (l lineage) table(name string) string {
	if was, ok := l.tables[fold(name)]; ok {
		return was
	}
	return fold(name)
}

func (l lineage) column(table, name string) string {
	if was, ok := l.columns[l.table(table)][fold(name)]; ok {
		return was
	}
	return fold(name)
}

// follow takes one statement in.
func (l lineage) follow(statement string) {
	p := newParser(statement)
	switch {
	case p.accept("ALTER", "TABLE"):
		l.alter(p)
	case p.accept("DROP", "TABLE"):
		if name, err := p.name(); err == nil {
			l.vacate(name)
		}
	case p.accept("CREATE", "TABLE"):
		if name, err := p.name(); err == nil && p.accept("AS") {
			l.copied(p, name)
		}
	case p.accept("INSERT", "OR", "ABORT", "INTO"):
		if name, err := p.name(); err == nil {
			l.copied(p, name)
		}
	}
}

// vacate notes that a table of this name would be a new one.
func (l lineage) vacate(name string) { l.tables[fold(name)] = "new " + fold(name) }

func (l lineage) alter(p *parser) {
	table, err := p.name()
	if err != nil || !p.accept("RENAME") {
		return
	}
	p.accept("COLUMN")
	from, column := table, ""
	if !p.accept("TO") {
		if column, err = p.name(); err != nil || !p.accept("TO") {
			return
		}
	}
	to, err := p.name()
	if err != nil {
		return
	}
	if column == "" {
		was := l.table(from)
		l.vacate(from)
		l.tables[fold(to)] = was
		return
	}
	of, was := l.table(table), l.column(table, column)
	if l.columns[of] == nil {
		l.columns[of] = map[string]string{}
	}
	delete(l.columns[of], fold(column))
	l.columns[of][fold(to)] = was
}

// copied notes that the rows of the table after the last FROM go into a table.
func (l lineage) copied(p *parser, into string) {
	for i := len(p.tokens) - 2; i >= p.pos; i-- {
		if p.tokens[i].Is("FROM") && isNameToken(p.tokens[i+1]) {
			l.tables[fold(into)] = l.table(p.tokens[i+1].Name)
			return
		}
	}
}

// mayBreakKeys reports whether a statement may make rows violate a foreign key.
func mayBreakKeys(statement string) bool {
	p := newParser(statement)
	switch {
	case p.at("DROP", "INDEX"), p.at("CREATE", "INDEX"), p.at("CREATE", "UNIQUE", "INDEX"), p.at("PRAGMA"):
		return false
	case p.accept("ALTER", "TABLE"):
		if _, err := p.name(); err == nil && p.accept("RENAME") {
			return false
		}
		for _, t := range p.tokens[p.pos:] {
			if t.Kind == sqltext.Word && t.Is("REFERENCES") {
				return true
			}
		}
		return p.at("DROP")
	}
	return true
}
