package designs

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

func boat() designer.TableRef { return designer.TableRef{Name: "boat"} }

// undo is an edit of these tests only.
const undo = designer.Op("undo")

func (p *project) edit(d *session.Designer, edits ...designer.Edit) {
	p.t.Helper()
	for _, e := range edits {
		if e.Op != undo {
			apply(p.t, d, e)
			continue
		}
		out, err := d.Undo(context.Background(), session.Steps{Origin: "agent"})
		require.NoError(p.t, err)
		require.Nil(p.t, out.Err)
	}
}

func TestWhatAFileTakesBackIsCounted(t *testing.T) {
	column := func(name string) designer.ObjectRef { return designer.ObjectRef{Name: name} }
	setType := func(of, to string) designer.Edit {
		return designer.Edit{Op: designer.SetColumn, Table: boat(), ColumnRef: column(of), SetColumn: designer.ColumnSpec{DataType: new(to)}}
	}
	addColumn := designer.Edit{Op: designer.AddColumn, Table: boat(), Column: designer.ColumnSpec{Name: new("flag"), DataType: new("TEXT")}}
	dropBoat := designer.Edit{Op: designer.DropTable, Table: boat()}
	dropName := designer.Edit{Op: designer.DropColumn, Table: boat(), ColumnRef: column("name")}
	rename := designer.Edit{Op: designer.SetTable, Table: boat(), SetTable: designer.TableSet{Name: new("ship")}}
	same := func(text string) string { return text }
	for name, c := range map[string]struct {
		first, edits []designer.Edit     // before the file is kept, and after
		file         func(string) string // made of the file between the two
		took         int
	}{
		"a table added":               {edits: []designer.Edit{addTable("port")}, file: same, took: 1},
		"two tables added":            {edits: []designer.Edit{addTable("port"), addTable("quay")}, file: same, took: 2},
		"a table dropped":             {edits: []designer.Edit{dropBoat}, file: same, took: 1},
		"a table renamed":             {edits: []designer.Edit{rename}, file: same, took: 1},
		"a column added":              {edits: []designer.Edit{addColumn}, file: same, took: 1},
		"a column dropped":            {edits: []designer.Edit{dropName}, file: same, took: 1},
		"a type set":                  {edits: []designer.Edit{setType("name", "BLOB")}, file: same, took: 1},
		"a type set twice":            {edits: []designer.Edit{setType("name", "BLOB"), setType("name", "REAL")}, file: same, took: 1},
		"an undo":                     {first: []designer.Edit{addTable("port")}, edits: []designer.Edit{{Op: undo}}, file: same, took: 1},
		"a type, by dropping it":      {first: []designer.Edit{setType("name", "BLOB")}, edits: []designer.Edit{addTable("port")}, file: func(text string) string { return cutColumn(text, "name") }, took: 2},
		"nothing, by adding":          {first: []designer.Edit{addTable("port")}, file: func(text string) string { return withColumn(text, "flag") }},
		"nothing of another's column": {first: []designer.Edit{setType("id", "BIGINT")}, file: func(text string) string { return strings.ReplaceAll(text, `"TEXT"`, `"BLOB"`) }},
	} {
		t.Run(name, func(t *testing.T) {
			p, d := withFile(t)
			p.edit(d, c.first...)
			p.settledWith(d)
			text := c.file(p.read("main.json"))
			p.edit(d, c.edits...)
			p.settledWith(d)
			was := d.Version()
			p.write("main.json", text)
			p.eventually(func() bool { return d.Version() != was }, "the file comes in")
			list, err := d.FileReverts()
			require.NoError(t, err)
			if c.took == 0 {
				assert.Empty(t, list)
				return
			}
			require.Len(t, list, 1)
			assert.Equal(t, c.took, list[0].Edits)
			assert.Equal(t, d.Version(), list[0].Version)
			assert.Equal(t, 1, list[0].Steps)
			assert.Equal(t, ".berth/designs/main.json", list[0].File)
			p.edit(d, designer.Edit{Op: undo})
			assert.Equal(t, was, d.Version(), "one undo brings back what was before")
		})
	}
}

// cutColumn is a file without a column of no key.
func cutColumn(text, name string) string {
	from := strings.Index(text, ",\n        {\n          \"name\": \""+name+`"`)
	return text[:from] + text[from+strings.Index(text[from:], "}")+1:]
}

// What a file took back is known after a restart, for as long as undo brings
// it back.
func TestWhatAFileTookBackIsKept(t *testing.T) {
	p, d := withFile(t)
	text := p.read("main.json")
	apply(t, d, addTable("port"))
	p.settledWith(d)
	p.close()
	p.write("main.json", text+"\n")
	d = p.again()
	p.eventually(func() bool { return tables(t, d)["port"] == "" }, "as from git pull")
	took := func() (list []session.FileRevert) {
		list, err := d.FileReverts()
		require.NoError(t, err)
		return list
	}
	require.Len(t, took(), 1)
	was := took()[0]
	apply(t, d, addTable("quay"))
	p.settledWith(d)
	p.close()
	d = p.again()
	was.Steps = 2
	assert.Equal(t, []session.FileRevert{was}, took())
	undo, _, err := d.History(context.Background(), 2)
	require.NoError(t, err)
	assert.Equal(t, "Take over .berth/designs/main.json (edits taken back: 1)", undo[1].Description)
	_, err = d.Undo(context.Background(), session.Steps{Count: 2, Origin: "agent"})
	require.NoError(t, err)
	assert.Contains(t, tables(t, d), "port")
	assert.Empty(t, took(), "it has been brought back")
	apply(t, d, addTable("mole"))
	assert.Empty(t, took(), "another step has its number now")
	assert.Contains(t, p.log.String(), "took acknowledged edits back")
}
