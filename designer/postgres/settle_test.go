package postgres

import (
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatNoLongerMeansAnythingGoesWithAnEdit(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE a (id integer PRIMARY KEY, x text COMPRESSION pglz COLLATE "C" DEFAULT 'y', n integer GENERATED ALWAYS AS IDENTITY (CACHE 7));
CREATE TABLE b (a integer, x text, FOREIGN KEY (a) REFERENCES a ON DELETE SET NULL (a));
CREATE INDEX b_x ON b (x text_pattern_ops, x COLLATE "C" DESC NULLS LAST); CREATE UNIQUE INDEX b_a ON b (a) NULLS NOT DISTINCT`)
	change(t, db, `[
		{"op":"set_column","table":{"name":"a"},"column":{"name":"x"},"set":{"dataType":"date","defaultValue":"now()"}},
		{"op":"set_column","table":{"name":"a"},"column":{"name":"n"},"set":{"isIdentity":false,"isNullable":true}},
		{"op":"set_foreign_key","table":{"name":"b"},"foreignKey":{"name":"b_a_fkey"},"set":{"onDeleteAction":"cascade"}},
		{"op":"set_column","table":{"name":"b"},"column":{"name":"x"},"set":{"dataType":"int"}},
		{"op":"set_index","table":{"name":"b"},"index":{"name":"b_a"},"set":{"unique":false}}]`)
	s := read(t, db)
	assert.Nil(t, tableOf(t, s, "a").Columns[1].Options)
	assert.Equal(t, "integer", tableOf(t, s, "b").Columns[1].DataType)
}

func TestAnAliasOfATypeIsNoChange(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (a integer, b varchar(9)[], c timestamptz)")
	p := change(t, db, `[
		{"op":"set_column","table":{"name":"t"},"column":{"name":"a"},"set":{"dataType":"INT4"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"b"},"set":{"dataType":"character varying(9) array"}},
		{"op":"set_column","table":{"name":"t"},"column":{"name":"c"},"set":{"dataType":"timestamp(6) with time zone"}}]`)
	assert.Empty(t, p.Steps)
}

// Publishing cannot make it another one, so it would stay a change for ever.
func TestAFormulaThatIsSpelledOtherwiseIsNoChange(t *testing.T) {
	t.Parallel()
	db := open(t, "CREATE TABLE t (visits integer, next integer GENERATED ALWAYS AS (visits + 1) STORED)")
	base := read(t, db)
	for _, formula := range []string{`\"visits\" + 1`, `( visits+1 )`, `VISITS /* all */ + 1`} {
		after := edited(t, base, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"next"},"set":{"computedFormula":"`+formula+`"}}]`)
		assert.True(t, designer.DiffOf(base, after).Empty(), formula)
	}
	after := edited(t, base, `[{"op":"set_column","table":{"name":"t"},"column":{"name":"next"},"set":{"computedFormula":"visits + 2"}}]`)
	assert.False(t, designer.DiffOf(base, after).Empty())
}

// An import says no more than an edit does: see the test above.
func TestAnImportInAnotherSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE t (id integer PRIMARY KEY, visits integer CONSTRAINT few CHECK (visits < 9), at timestamptz DEFAULT now(),
		next integer GENERATED ALWAYS AS (visits + 1) STORED);
CREATE INDEX t_half ON t ((visits / 2)) WHERE visits > 0`)
	base := read(t, db)
	imported := func(edit func(*designer.TableDefinition)) designer.Change {
		t.Helper()
		def, next := base.Definition(), edited(t, base, "[]")
		edit(&def.Tables[0])
		c, refused := next.Import(def, true)
		require.Nil(t, refused)
		return c
	}
	c := imported(func(d *designer.TableDefinition) {
		d.Checks[0].Expression = `( "visits"<9 )`
		d.Columns[2].DefaultValue = "NOW ( )"
		d.Columns[3].ComputedFormula = `( VISITS+1 )`
		d.Indexes[0].Parts[0].Expression, d.Indexes[0].Where = `"visits"/2`, "((visits>0))"
	})
	assert.Empty(t, c.Tables)
	for what, edit := range map[string]func(*designer.TableDefinition){
		"check":     func(d *designer.TableDefinition) { d.Checks[0].Expression = "visits < 10" },
		"default":   func(d *designer.TableDefinition) { d.Columns[2].DefaultValue = `now() + '1 day'::interval` },
		"formula":   func(d *designer.TableDefinition) { d.Columns[3].ComputedFormula = "visits + 2" },
		"key":       func(d *designer.TableDefinition) { d.Indexes[0].Parts[0].Expression = "visits / 3" },
		"condition": func(d *designer.TableDefinition) { d.Indexes[0].Where = "visits > 1" },
	} {
		assert.Len(t, imported(edit).Tables, 1, what)
	}
}
