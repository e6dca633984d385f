package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// change is a database with a design that it is to become.
type change struct {
	t        *testing.T
	db       *sql.DB
	from, to *designer.Schema
}

// newChange makes a database of a script and applies raw, a JSON list of edits, to
// its design.
func newChange(t *testing.T, script, raw string) *change {
	t.Helper()
	c := &change{t: t, db: open(t, script)}
	c.from, c.to = c.read(), nil
	c.to = adopt(t, c.from, c.inspect())
	decoded, refused := edits.Decode(json.RawMessage(raw))
	if refused != nil {
		require.FailNow(t, refused.Error.Error())
	}
	for i, e := range decoded {
		_, refused := c.to.Apply(e)
		if refused != nil {
			require.FailNow(t, refused.Error(), "edit %d", i)
		}
	}
	return c
}

func (c *change) inspect() designer.Definition {
	c.t.Helper()
	def, err := Inspect(context.Background(), c.db)
	require.NoError(c.t, err)
	return def
}

func (c *change) read() *designer.Schema {
	c.t.Helper()
	s, err := designer.Build(Dialect(), c.inspect(), nil)
	require.NoError(c.t, err)
	return s
}

func adopt(t *testing.T, s *designer.Schema, def designer.Definition) *designer.Schema {
	t.Helper()
	next, err := s.Adopt(def)
	require.NoError(t, err)
	return next
}

func (c *change) plan() designer.Plan {
	c.t.Helper()
	p, err := Engine{}.Plan(designer.DiffOf(c.from, c.to))
	require.NoError(c.t, err)
	return p
}

// unseen forgets the views, and the triggers of other tables than the changed
// ones, as if they had been made since the database was read.
func (c *change) unseen() {
	catalog := c.from.Catalog()
	catalog.Views = nil
	catalog.Objects = slices.DeleteFunc(catalog.Objects, func(o designer.Object) bool {
		return !slices.ContainsFunc(designer.DiffOf(c.from, c.to).Changed, func(td designer.TableDiff) bool { return td.From.Name == o.Table })
	})
	c.from.SetCatalog(catalog)
	c.to.SetCatalog(catalog)
}

// publish verifies and publishes the design and requires that nothing is left
// of the difference.
func (c *change) publish() designer.Plan {
	c.t.Helper()
	p := c.plan()
	before := c.dump()
	require.NoError(c.t, Engine{}.Verify(context.Background(), c.db, p, nil), p.Script())
	require.Equal(c.t, before, c.dump(), "verifying changes nothing")
	require.NoError(c.t, Engine{}.Publish(context.Background(), c.db, p, 0, nil), p.Script())
	now := adopt(c.t, c.to, c.inspect())
	left := designer.DiffOf(designer.TakeSpelling(c.from, c.to, now), now)
	require.True(c.t, left.Empty(), "%+v\n%s", left.Items(), p.Script())
	return p
}

// refused publishes a design that the database has to refuse, in trying it
// and for real, and returns the reason.
func (c *change) refused() *designer.StepError {
	c.t.Helper()
	p := c.plan()
	before := c.dump()
	var tried, real *designer.StepError
	require.ErrorAs(c.t, Engine{}.Verify(context.Background(), c.db, p, nil), &tried, p.Script())
	require.ErrorAs(c.t, Engine{}.Publish(context.Background(), c.db, p, 0, nil), &real)
	assert.Equal(c.t, tried.Error(), real.Error())
	assert.Equal(c.t, before, c.dump(), "nothing lasts")
	return tried
}

// dump is everything in the database as text: schema and rows.
func (c *change) dump() []string {
	c.t.Helper()
	all := c.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
	for _, table := range c.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage <> 0 ORDER BY rowid") {
		all = append(all, table)
		all = append(all, c.rows("SELECT * FROM "+ident(table))...)
	}
	return all
}

// rows returns a result as a line of text a row.
func (c *change) rows(query string) []string {
	c.t.Helper()
	rows, err := c.db.Query(query)
	require.NoError(c.t, err, query)
	defer func() { require.NoError(c.t, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(c.t, err)
	lines := []string{}
	for rows.Next() {
		values, pointers := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		require.NoError(c.t, rows.Scan(pointers...))
		line := ""
		for i, v := range values {
			if i > 0 {
				line += "|"
			}
			if b, ok := v.([]byte); ok {
				line += fmt.Sprintf("x'%x'", b)
				continue
			}
			line += fmt.Sprint(v)
		}
		lines = append(lines, line)
	}
	require.NoError(c.t, rows.Err())
	return lines
}

func (c *change) exec(statement string) {
	c.t.Helper()
	_, err := c.db.Exec(statement)
	require.NoError(c.t, err, statement)
}
