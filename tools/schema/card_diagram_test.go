package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// text writes a diagram as one line a table and relation.
func (d *cardDiagram) text() string {
	if d == nil {
		return "none"
	}
	var lines []string
	for _, t := range d.Tables {
		line := strings.TrimSpace(t.Does + " " + t.Name)
		if t.Was != "" {
			line += " was " + t.Was
		}
		for _, c := range t.Columns {
			line += fmt.Sprintf("; %s %s", c.Name, c.Type)
			if c.Key {
				line += " key"
			}
			if c.Does != "" {
				line += " " + c.Does
			}
			if c.Was != "" {
				line += " (" + c.Was + ")"
			}
		}
		if t.More > 0 {
			line += fmt.Sprintf("; %d more", t.More)
		}
		lines = append(lines, line)
	}
	for _, r := range d.Relations {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s -> %s %s", d.Tables[r.From].Name, d.Tables[r.To].Name, r.Does)))
	}
	return strings.Join(lines, "\n")
}

type cardDiagram struct {
	Tables []struct {
		Name, Was, Does string
		Columns         []struct {
			Name, Type, Was, Does string
			Key                   bool
		}
		More int
	}
	Relations []struct {
		From, To int
		Does     string
	}
}

func TestACardHasTheDiagramOfWhatDiffers(t *testing.T) {
	const people = `{"op":"add_table","table":{"schema":"dbo","name":"people"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true},{"name":"note","dataType":"nvarchar(20)"}]}`
	const visits = `{"op":"add_table","table":{"schema":"dbo","name":"visits"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true},{"name":"person","dataType":"int"}]}`
	const relates = `{"op":"add_foreign_key","table":{"schema":"dbo","name":"visits"},"foreignKey":{"name":"fk","referencedTable":{"schema":"dbo","name":"people"},"mappings":[{"column":"person","referencedColumn":"id"}]}}`
	w := newWorld(t, "shop", 1, "")
	assert.Equal(t, "added dbo.people; id int key; note nvarchar(20)\nadded dbo.visits; id int key; person int\ndbo.visits -> dbo.people added",
		w.cardOf(people+","+visits+","+relates).Diagram.text())
	assert.Equal(t, "changed dbo.people; id int key; note nvarchar(80) changed (nvarchar(20)); fax nvarchar(40) added\ndbo.visits; id int key; 1 more\ndbo.visits -> dbo.people",
		w.cardOf(`{"op":"set_column","table":{"schema":"dbo","name":"people"},"column":{"name":"note"},"set":{"maxLength":"80"}},
			{"op":"add_column","table":{"schema":"dbo","name":"people"},"column":{"name":"fax","dataType":"nvarchar(40)"}}`).Diagram.text(), "what refers to it has its key alone")
	assert.Equal(t, "changed dbo.persons was dbo.people; id int key; remark nvarchar(80) changed (note nvarchar(80)); fax nvarchar(40) dropped\ndbo.visits; id int key; 1 more\ndbo.visits -> dbo.persons",
		w.cardOf(`{"op":"set_table","table":{"schema":"dbo","name":"people"},"set":{"name":"persons"}},
			{"op":"set_column","table":{"schema":"dbo","name":"persons"},"column":{"name":"note"},"set":{"name":"remark"}},
			{"op":"drop_column","table":{"schema":"dbo","name":"persons"},"column":{"name":"fax"}}`).Diagram.text(), "as it was and is")
	assert.Equal(t, "changed dbo.visits; id int key; person int\ndropped dbo.persons; id int key; remark nvarchar(80)\ndbo.visits -> dbo.persons dropped",
		w.cardOf(`{"op":"drop_table","table":{"schema":"dbo","name":"persons"}}`).Diagram.text())
	const notes = `{"op":"add_table","table":{"schema":"dbo","name":"notes"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]}`
	const ofVisits = `{"op":"add_foreign_key","table":{"schema":"dbo","name":"notes"},"foreignKey":{"name":"fk2","referencedTable":{"schema":"dbo","name":"visits"},"mappings":[{"column":"id","referencedColumn":"id"}]}}`
	assert.Equal(t, "added dbo.notes; id int key\ndbo.visits; id int key; 1 more\ndbo.notes -> dbo.visits added", w.cardOf(notes+","+ofVisits).Diagram.text(), "what it is related with now")
	assert.Equal(t, "dropped dbo.notes; id int key\ndbo.visits; id int key; 1 more\ndbo.notes -> dbo.visits dropped",
		w.cardOf(`{"op":"drop_table","table":{"schema":"dbo","name":"notes"}}`).Diagram.text(), "what it was related with")
}

func TestADiagramOfTooManyTablesIsLeftOut(t *testing.T) {
	w := newWorld(t, "shop", 1, "")
	edits := make([]string, 25)
	for i := range edits {
		edits[i] = fmt.Sprintf(`{"op":"add_table","table":{"schema":"dbo","name":"t%02d"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]}`, i)
	}
	few := w.cardOf(strings.Join(edits[:24], ","))
	require.NotNil(t, few.Diagram)
	assert.Len(t, few.Diagram.Tables, 24)
	for i := range edits {
		edits[i] = strings.Replace(edits[i], `"name":"t`, `"name":"u`, 1)
	}
	assert.Nil(t, w.cardOf(strings.Join(edits, ",")).Diagram)
}
