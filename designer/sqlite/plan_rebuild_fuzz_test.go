package sqlite

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// FuzzRebuild renames and rebuilds whatever table SQLite takes.
func FuzzRebuild(f *testing.F) {
	script, err := os.ReadFile("testdata/everything.sql")
	require.NoError(f, err)
	for _, statement := range strings.Split(string(script), ";\n") {
		f.Add(statement)
	}
	f.Fuzz(func(t *testing.T, statement string) {
		if len(statement) > 2048 || !isCreate(statement) || repeatsKeyColumn(statement) {
			return
		}
		db, err := sql.Open("sqlite", "file::memory:?_pragma=temp_store(memory)")
		require.NoError(t, err)
		defer func() { require.NoError(t, db.Close()) }()
		db.SetMaxOpenConns(1)
		c := &change{t: t, db: db}
		c.exec("CREATE TABLE parent (a INTEGER PRIMARY KEY, b TEXT UNIQUE)")
		if _, err := db.Exec(statement); err != nil || hasOddName(t, db) {
			return
		}
		c.from = c.read()
		if !isSound(c.from) {
			return
		}
		c.to = adopt(t, c.from, c.inspect())
		for _, table := range c.from.Tables() {
			_, _ = db.Exec("INSERT INTO " + ident(table.Name) + " DEFAULT VALUES") // or no row
			name, column, check := table.Name+"_new", "a new name", "1 = 1"
			at := designer.TableRef{ID: table.ID}
			for _, e := range []designer.Edit{
				{Op: designer.AddCheck, Table: at, Check: designer.CheckSpec{Expression: &check}},
				{Op: designer.SetColumn, Table: at, ColumnRef: designer.ObjectRef{ID: table.Columns[0].ID}, SetColumn: designer.ColumnSpec{Name: &column}},
				{Op: designer.SetTable, Table: at, SetTable: designer.TableSet{Name: &name}},
			} {
				_, _ = c.to.Apply(e) // or not, where there is such a name
			}
		}
		p := c.plan()
		if err := (Engine{}).Publish(context.Background(), db, p, 0, nil); err != nil {
			// SQLite takes columns that are computed from themselves, and
			// checks that its own defaults do not pass.
			if !strings.Contains(err.Error(), "generated column loop") && !strings.Contains(err.Error(), "constraint failed") {
				require.NoError(t, err, p.Script())
			}
			return
		}
		now := adopt(t, c.to, c.inspect())
		left := designer.DiffOf(designer.TakeSpelling(c.from, c.to, now), now)
		require.True(t, left.Empty(), "%+v\n%s", left.Items(), p.Script())
	})
}

// isSound leaves out what SQLite does not rename: views and triggers without
// their tables, and keys to what is not there.
func isSound(s *designer.Schema) bool {
	if len(s.Views())+len(s.Objects()) > 0 {
		return false
	}
	for _, t := range s.Tables() {
		for _, k := range t.ForeignKeys {
			if k.Dangling != nil {
				return false
			}
		}
	}
	return true
}
