package sqlite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

// statements lists the first words of a plan's statements.
func statements(p designer.Plan) []string {
	var list []string
	for _, s := range p.Steps {
		line, _, _ := strings.Cut(s.Statement, "\n")
		list = append(list, line)
	}
	return list
}

const people = `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, mail TEXT, age INT);
INSERT INTO people VALUES (1, 'Ada', 'ada@x', 36), (7, 'Bob', NULL, 17);
CREATE INDEX by_mail ON people (mail) WHERE mail IS NOT NULL;
`

func TestWhatAlterTableCanDoIsDoneInPlace(t *testing.T) {
	for name, c := range map[string]struct {
		edits string
		want  []string
	}{
		"a column is added": {
			`[{"op":"add_column","table":{"name":"people"},"column":{"name":"note","dataType":"TEXT","defaultValue":"'-'","isNullable":false}}]`,
			[]string{`ALTER TABLE people ADD COLUMN note TEXT NOT NULL DEFAULT '-'`},
		},
		"a column comes with its key": {
			`[{"op":"add_column","table":{"name":"people"},"column":{"name":"boss","dataType":"INTEGER"}},
			{"op":"add_foreign_key","table":{"name":"people"},"foreignKey":{"name":"to_boss","referencedTable":{"name":"people"},
				"mappings":[{"column":"boss","referencedColumn":"id"}],"onDeleteAction":"set_null"}}]`,
			[]string{`ALTER TABLE people ADD COLUMN boss INTEGER CONSTRAINT to_boss REFERENCES people (id) ON DELETE SET NULL`},
		},
		"a column comes with its check": {
			`[{"op":"add_column","table":{"name":"people"},"column":{"name":"size","dataType":"INT"}},
			{"op":"add_check","table":{"name":"people"},"check":{"name":"positive","expression":"size > 0"}}]`,
			[]string{`ALTER TABLE people ADD COLUMN size INT CONSTRAINT positive CHECK (size > 0)`},
		},
		"a column is dropped": {
			`[{"op":"drop_column","table":{"name":"people"},"column":{"name":"age"}}]`,
			[]string{`ALTER TABLE people DROP COLUMN age`},
		},
		"a column is renamed, in the index's condition too": {
			`[{"op":"set_column","table":{"name":"people"},"column":{"name":"mail"},"set":{"name":"e mail"}}]`,
			[]string{`ALTER TABLE people RENAME COLUMN mail TO "e mail"`},
		},
		"a table is renamed": {
			`[{"op":"set_table","table":{"name":"people"},"set":{"name":"order"}}]`,
			[]string{`ALTER TABLE people RENAME TO "order"`},
		},
		"a table's name changes case": {
			`[{"op":"set_table","table":{"name":"people"},"set":{"name":"People"}}]`,
			[]string{`ALTER TABLE people RENAME TO berth_1_people`, `ALTER TABLE berth_1_people RENAME TO People`},
		},
		"a column's name changes case": {
			`[{"op":"set_column","table":{"name":"people"},"column":{"name":"name"},"set":{"name":"Name"}}]`,
			[]string{`ALTER TABLE people RENAME COLUMN name TO Name`},
		},
		"columns change names": {
			`[{"op":"set_column","table":{"name":"people"},"column":{"name":"name"},"set":{"name":"x"}},
			{"op":"set_column","table":{"name":"people"},"column":{"name":"mail"},"set":{"name":"name"}},
			{"op":"set_column","table":{"name":"people"},"column":{"name":"x"},"set":{"name":"mail"}}]`,
			[]string{`ALTER TABLE people RENAME COLUMN name TO berth_1_name`, `ALTER TABLE people RENAME COLUMN mail TO name`,
				`ALTER TABLE people RENAME COLUMN berth_1_name TO mail`},
		},
		"a column takes the name of one that goes": {
			`[{"op":"drop_column","table":{"name":"people"},"column":{"name":"age"}},
			{"op":"set_column","table":{"name":"people"},"column":{"name":"mail"},"set":{"name":"age"}}]`,
			[]string{`ALTER TABLE people DROP COLUMN age`, `ALTER TABLE people RENAME COLUMN mail TO age`},
		},
		"an index changes": {
			`[{"op":"set_index","table":{"name":"people"},"index":{"name":"by_mail"},"set":{"unique":true,"where":""}}]`,
			[]string{`DROP INDEX by_mail`, `CREATE UNIQUE INDEX by_mail ON people (mail)`},
		},
		"a table is dropped and another made of its name": {
			`[{"op":"drop_table","table":{"name":"people"}},
			{"op":"add_table","table":{"name":"People"},"initialColumns":[{"name":"id","dataType":"INTEGER","isPrimaryKey":true,"isIdentity":true}]}]`,
			[]string{`DROP TABLE people`, `CREATE TABLE People (`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, want := newChange(t, people, c.edits), c.want
			p := c.publish()
			assert.Equal(t, want, statements(p))
			for i := len(p.Steps) - 1; i >= 0 && p.Steps[i].Reverse != ""; i-- {
				c.exec(p.Steps[i].Reverse)
				if i == 0 {
					now := adopt(t, c.from, c.inspect())
					left := designer.DiffOf(designer.TakeSpelling(c.to, c.from, now), now)
					assert.True(t, left.Empty(), "every step can be taken back: %+v", left.Items())
				}
			}
		})
	}
}
