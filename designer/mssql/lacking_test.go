package mssql

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// lack is something that Babelfish has not and a plan needs.
type lack struct {
	what string
	// in reports whether a step of the diff's plan needs it.
	in func(d *designer.Diff, p designer.Plan, s designer.Step) bool
	// shown are batches in a database of their own that show the lack: the
	// last is refused. Where it is not, wrong asks for a 1 that is to be seen
	// nonetheless.
	shown []string
	wrong string
}

// lacks lists what keeps a plan from being made on Babelfish.
func lacks() []lack {
	says := func(parts ...string) func(*designer.Diff, designer.Plan, designer.Step) bool {
		return func(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
			for _, p := range parts {
				if !strings.Contains(s.Statement, p) {
					return false
				}
			}
			return true
		}
	}
	never := func(*designer.Diff, designer.Plan, designer.Step) bool { return false }
	return []lack{
		{what: "sp_refreshview, which its engine here leaves out", in: never,
			shown: []string{"CREATE TABLE t (a int)", "CREATE VIEW v AS SELECT a FROM t", "EXEC sys.sp_refreshview @viewname = N'[dbo].[v]'"}},
		{what: "sp_refreshsqlmodule, which its engine here leaves out", in: never,
			shown: []string{"CREATE TABLE t (a int)", "CREATE FUNCTION f() RETURNS TABLE AS RETURN (SELECT a FROM t)", "EXEC sys.sp_refreshsqlmodule @name = N'[dbo].[f]'"}},
		{what: "masked columns", in: says(" MASKED"),
			shown: []string{"CREATE TABLE t (a varchar(9))", "ALTER TABLE t ALTER COLUMN a ADD MASKED WITH (FUNCTION = 'default()')"}},
		{what: "sp_settriggerorder", in: says("sp_settriggerorder"),
			shown: []string{"CREATE TABLE t (a int)", "CREATE TRIGGER r ON t AFTER INSERT AS SET NOCOUNT ON",
				"EXEC sys.sp_settriggerorder @triggername = N'[dbo].[r]', @order = N'First', @stmttype = N'INSERT'"}},
		{what: "DBCC CHECKIDENT with a variable", in: says("RESEED, @last"),
			shown: []string{"CREATE TABLE t (a int IDENTITY)", "DECLARE @last decimal(38,0) = 7;\nDBCC CHECKIDENT (N'[dbo].[t]', RESEED, @last) WITH NO_INFOMSGS"}},
		{what: "ALTER COLUMN that changes whether there may be nulls", in: changesNullability,
			shown: []string{"CREATE TABLE t (a int NOT NULL)", "ALTER TABLE t ALTER COLUMN a int NULL"}},
		{what: "ALTER COLUMN with a collation", in: says(" ALTER COLUMN ", " COLLATE "),
			shown: []string{"CREATE TABLE t (a varchar(9))", "ALTER TABLE t ALTER COLUMN a varchar(9) COLLATE Latin1_General_CI_AI"}},
		{what: "ALTER COLUMN of what a view reads", in: func(d *designer.Diff, p designer.Plan, s designer.Step) bool {
			return altersColumn(s) && viewReads(d, s)
		}, shown: []string{"CREATE TABLE t (a int)", "CREATE VIEW v AS SELECT a FROM t", "ALTER TABLE t ALTER COLUMN a bigint"}},
		{what: "ALTER COLUMN beneath a unique index", in: beneathUnique,
			shown: []string{"CREATE TABLE t (a varchar(9))", "CREATE UNIQUE INDEX i ON t (a)", "ALTER TABLE t ALTER COLUMN a varchar(10)"}},
		{what: "DROP COLUMN of what a view reads", in: func(d *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.Contains(s.Statement, " DROP COLUMN ") && viewReads(d, s)
		}, shown: []string{"CREATE TABLE t (a int, b int)", "CREATE VIEW v AS SELECT a FROM t", "ALTER TABLE t DROP COLUMN a"}},
		{what: "DROP TABLE of what a view reads", in: func(d *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.HasPrefix(s.Statement, "DROP TABLE ") && viewReads(d, s)
		}, shown: []string{"CREATE TABLE t (a int)", "CREATE VIEW v AS SELECT a FROM t", "DROP TABLE t"}},
		{what: "DROP CONSTRAINT of a default", in: func(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.HasPrefix(s.Comment, "Drop default ") || strings.HasPrefix(s.Comment, "Drop the default ")
		}, shown: []string{"CREATE TABLE t (a int CONSTRAINT d DEFAULT 1)", "ALTER TABLE t DROP CONSTRAINT d"}},
		{what: "sp_rename of an index", in: says("sp_rename", "@objtype = 'INDEX'"),
			shown: []string{"CREATE TABLE t (a int)", "CREATE INDEX i ON t (a)", "EXEC sp_rename 't.i', 'j', 'INDEX'"}},
		{what: "sp_rename of a constraint", in: func(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.Contains(s.Statement, "sp_rename") && strings.HasPrefix(s.Comment, "Rename constraint ")
		}, shown: []string{"CREATE TABLE t (a int CONSTRAINT c CHECK (a > 0))", "EXEC sp_rename 'dbo.c', 'd', 'OBJECT'"}},
		{what: "ALTER SCHEMA TRANSFER", in: says("ALTER SCHEMA ", " TRANSFER "),
			shown: []string{"CREATE SCHEMA s", "CREATE TABLE t (a int)", "ALTER SCHEMA s TRANSFER dbo.t"}},
		{what: "triggers that outlive DROP COLUMN", in: func(d *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.Contains(s.Statement, " DROP COLUMN ") && slices.ContainsFunc(d.From.Tables(), func(t *designer.Table) bool {
				return len(t.Triggers) > 0 && len(s.Tables) > 0 && s.Tables[0] == designer.TableName{Schema: t.Schema, Name: t.Name}
			})
		}, shown: []string{"CREATE TABLE t (a int, b int)", "CREATE TRIGGER r ON t AFTER INSERT AS SET NOCOUNT ON", "ALTER TABLE t DROP COLUMN a"},
			wrong: "SELECT COUNT(*) + 1 FROM sys.triggers WHERE name = 'r'"},
		{what: "computed columns that are not stored", in: func(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.Contains(s.Statement, "] AS (") && !strings.Contains(s.Statement, " PERSISTED")
		}, shown: []string{"CREATE TABLE t (a int, b AS (a + 1))"},
			wrong: "SELECT CONVERT(int, is_persisted) FROM sys.computed_columns WHERE name = 'b'"},
		{what: "CONVERT of a date to binary", in: func(d *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.Contains(s.Statement, "CONVERT(varbinary") && slices.ContainsFunc(d.Changed, func(c designer.TableDiff) bool {
				return slices.ContainsFunc(c.Columns, func(c designer.ColumnDiff) bool { return c.Type && c.From.DataType == "date" })
			})
		},
			shown: []string{"CREATE TABLE t (a date, b varbinary(20))", "UPDATE t SET b = CONVERT(varbinary(20), a)"}},
		{what: "seven digits of a second", in: says("datetime2(7)"), shown: []string{"CREATE TABLE t (a datetime2(7))"},
			wrong: "SELECT COUNT(*) FROM sys.columns WHERE object_id = OBJECT_ID('t') AND scale = 6"},
		{what: "names with ]", in: func(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
			_, name, renames := strings.Cut(s.Statement, "@newname = N'")
			return strings.Contains(s.Statement, "]]") || renames && strings.Contains(name, "]")
		}, shown: []string{"CREATE TABLE t ([a]]b] int)"}},
		{what: "the condition of a filtered index in its catalogue", in: func(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
			return strings.HasPrefix(s.Statement, "CREATE ") && strings.Contains(s.Statement, " INDEX ") && strings.Contains(s.Statement, ") WHERE (")
		}, shown: []string{"CREATE TABLE t (a int)", "CREATE INDEX i ON t (a) WHERE a > 0"},
			wrong: "SELECT COUNT(*) FROM sys.indexes WHERE name LIKE 'i%' AND filter_definition IS NULL"},
		{what: "names that differ in case alone", in: func(d *designer.Diff, _ designer.Plan, _ designer.Step) bool {
			return onlyCase(d)
		}, shown: []string{"CREATE TABLE Boats (a int)"},
			wrong: "SELECT COUNT(*) FROM sys.tables WHERE CONVERT(varbinary(20), name) = CONVERT(varbinary(20), N'boats')"},
		{what: "the seed of an identity of a table outside dbo in its catalogue", in: func(d *designer.Diff, _ designer.Plan, _ designer.Step) bool {
			return hidesSeed(d)
		}, shown: []string{"CREATE SCHEMA s", "CREATE TABLE s.t (a int IDENTITY)"},
			wrong: "SELECT COUNT(*) FROM sys.identity_columns WHERE seed_value IS NULL"},
		{what: "the seed of an identity of a table with a name to be quoted in its catalogue", in: func(d *designer.Diff, _ designer.Plan, _ designer.Step) bool {
			return hidesSeed(d)
		}, shown: []string{"CREATE TABLE [t 2] (a int IDENTITY)"},
			wrong: "SELECT COUNT(*) FROM sys.identity_columns WHERE seed_value IS NULL"},
	}
}

// onlyCase reports whether a diff comes to nothing but other cases of letters.
func onlyCase(d *designer.Diff) bool {
	return len(d.Changed) > 0 && len(d.Added)+len(d.Dropped) == 0 && !slices.ContainsFunc(d.Changed, func(c designer.TableDiff) bool {
		more := c.Moved || c.PrimaryKey || len(c.ForeignKeys)+len(c.Indexes)+len(c.Checks) > 0 || !c.Renamed && len(c.Columns) == 0
		return more || designer.Fold(c.From.Name) != designer.Fold(c.To.Name) || slices.ContainsFunc(c.Columns, func(c designer.ColumnDiff) bool {
			return !c.Changed() || !c.Renamed || c.Type || c.Nullable || c.Default || designer.Fold(c.From.Name) != designer.Fold(c.To.Name)
		})
	})
}

// hidesSeed reports whether a table comes to have an identity whose seed the
// server does not say.
func hidesSeed(d *designer.Diff) bool {
	hides := func(t *designer.Table) bool {
		plain := strings.Trim(strings.ToLower(t.Name), "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
		return (t.Schema != "dbo" || !plain) && slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.IsIdentity })
	}
	return slices.ContainsFunc(d.Added, hides) || slices.ContainsFunc(d.Changed, func(c designer.TableDiff) bool { return hides(c.To) && !hides(c.From) })
}

// Lacking returns what Babelfish has not that the plan for the diff needs, "": it
// has all.
func (n *names) Lacking(d *designer.Diff, p designer.Plan) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range p.Steps {
		if n.tied[indexDropped(s)] {
			return "DROP INDEX of a table that was renamed since"
		}
		for _, l := range lacks() {
			if l.in(d, p, s) {
				return l.what
			}
		}
	}
	return ""
}

// indexDropped is the name of the index and its table, "" where a step drops
// none.
func indexDropped(s designer.Step) string {
	words := significant(scan(s.Statement))
	if !strings.HasPrefix(s.Statement, "DROP INDEX ") || len(words) < 7 {
		return ""
	}
	return designer.Fold(words[2].Name + " " + words[6].Name)
}

// changesNullability reports whether an ALTER COLUMN does, of which the step's
// reverse has what was.
func changesNullability(_ *designer.Diff, _ designer.Plan, s designer.Step) bool {
	if !altersColumn(s) {
		return false
	}
	_, is := nullable(s.Statement)
	_, was := nullable(s.Reverse)
	return is != was
}

// beneathUnique reports whether a column is altered that a unique index has which
// the plan leaves in its place.
func beneathUnique(d *designer.Diff, p designer.Plan, s designer.Step) bool {
	if !altersColumn(s) {
		return false
	}
	column := columnOf(s)
	for _, t := range d.From.Tables() {
		if s.Tables[0] != (designer.TableName{Schema: t.Schema, Name: t.Name}) {
			continue
		}
		for _, x := range d.From.DefineTable(t).Indexes {
			has := slices.ContainsFunc(x.Parts, func(k designer.IndexKeyDefinition) bool { return strings.EqualFold(k.Column, column) })
			goes := slices.ContainsFunc(p.Steps, func(s designer.Step) bool {
				return strings.HasPrefix(s.Statement, "DROP INDEX "+quote(x.Name))
			})
			if x.Unique && !x.Constraint && has && !goes {
				return true
			}
		}
	}
	return false
}

// columnOf is the column that a step alters or drops, "" for none.
func columnOf(s designer.Step) string {
	words := significant(scan(s.Statement))
	for i, w := range words[:len(words)-1] {
		if w.Is("COLUMN") {
			return words[i+1].Name
		}
	}
	return ""
}

// viewReads reports whether a view of before may read what a step changes: its
// text has the table's name and, of a column, that too.
func viewReads(d *designer.Diff, s designer.Step) bool {
	column := columnOf(s)
	for _, v := range d.From.Views() {
		m := newModule("view", v.Schema, v.Name, v.Definition)
		for _, t := range s.Tables {
			if m.names(t.Name) && (column == "" || m.names(column)) {
				return true
			}
		}
	}
	return false
}

// What is left out on Babelfish is what it lacks: where it has it by now, the
// list is to be shortened.
func TestBabelfishLacksWhatIsLeftOut(t *testing.T) {
	require.NotEmpty(t, lacks())
	for _, l := range lacks() {
		live(t, l.what, func(t *testing.T, s *server) {
			if !s.babelfish {
				return // SQL Server lacks nothing, and nothing is left out
			}
			db, last := s.database(t), len(l.shown)-1
			run(t, db, l.shown[:last]...)
			_, err := db.Exec(l.shown[last])
			if l.wrong == "" {
				assert.Error(t, err)
				return
			}
			require.NoError(t, err)
			var is int
			require.NoError(t, db.QueryRow(l.wrong).Scan(&is))
			assert.Equal(t, 1, is)
		})
	}
}
