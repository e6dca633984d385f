package session

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func enum(name string, values ...string) designer.Object {
	return designer.Object{Kind: designer.ObjectType, Schema: "main", Name: name, Values: values}
}

func setType(name string, set designer.TypeSet) designer.Edit {
	return designer.Edit{Op: designer.SetType, TypeRef: ref(name), SetType: set}
}

// typesOf lists the named types of a design with their values.
func typesOf(t testing.TB, d *Designer) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	require.NoError(t, d.View(func(s *designer.Schema) {
		require.NoError(t, s.Check())
		for _, n := range s.NamedTypes() {
			out[n.Name] = n.ValueNames()
		}
	}))
	return out
}

func TestTypesSurviveARestart(t *testing.T) {
	p := newProject(t)
	db := newDatabase("1", table("Boats", "Id"))
	db.def.Objects = []designer.Object{enum("rig", "sloop", "yawl")}
	d := p.show(db)
	version := d.Version()
	apply(t, d, designer.Edit{Op: designer.AddType, Type: designer.TypeSpec{Name: "flag", Values: []string{"red"}}},
		setType("rig", designer.TypeSet{AddValues: []string{"ketch"}, Name: new("rigging")}))
	want := map[string][]string{"flag": {"red"}, "rigging": {"sloop", "yawl", "ketch"}}
	require.Equal(t, want, typesOf(t, d))
	made := d.Version()

	p.restart()
	d = p.designer("1")
	assert.Equal(t, want, typesOf(t, d))
	assert.Equal(t, made, d.Version())
	base, err := d.Base(context.Background())
	require.NoError(t, err)
	assert.Equal(t, version, base.Version())
	d = p.show(db)
	assert.Equal(t, made, d.Version(), "reading the same database changes nothing")
	assert.Equal(t, Proposed, d.Info().Sync)

	_, err = d.Undo(context.Background(), Steps{Count: 2})
	require.NoError(t, err)
	assert.Equal(t, version, d.Version())
	assert.Equal(t, map[string][]string{"rig": {"sloop", "yawl"}}, typesOf(t, d))
	p.restart()
	d = p.designer("1")
	_, err = d.Redo(context.Background(), Steps{Count: 2})
	require.NoError(t, err)
	assert.Equal(t, want, typesOf(t, d))
	assert.Equal(t, made, d.Version())
}

func TestTypesFollowTheDatabase(t *testing.T) {
	p := newProject(t)
	db := newDatabase("1", table("Boats", "Id"))
	db.def.Objects = []designer.Object{enum("rig", "sloop")}
	p.show(db)
	db.def.Objects = []designer.Object{enum("rig", "sloop", "yawl"), enum("flag", "red")}
	d := p.show(db)
	assert.Equal(t, map[string][]string{"rig": {"sloop", "yawl"}, "flag": {"red"}}, typesOf(t, d))
	assert.Equal(t, Synced, d.Info().Sync)

	apply(t, d, setType("rig", designer.TypeSet{AddValues: []string{"ketch"}}))
	db.def.Objects = []designer.Object{enum("rig", "sloop", "yawl")}
	d = p.show(db)
	assert.Equal(t, map[string][]string{"rig": {"sloop", "yawl", "ketch"}}, typesOf(t, d), "what does not conflict is joined")
	assert.Equal(t, Proposed, d.Info().Sync)

	db.def.Objects = []designer.Object{enum("rig", "sloop", "yawl", "cat")}
	d = p.show(db)
	assert.Equal(t, Drifted, d.Info().Sync)

	db.def.Objects = []designer.Object{enum("rig", "sloop", "yawl", "ketch")}
	d = p.show(db)
	assert.Equal(t, Synced, d.Info().Sync, "others made it so")
	p.restart()
	assert.Equal(t, map[string][]string{"rig": {"sloop", "yawl", "ketch"}}, typesOf(t, p.designer("1")))
}

func TestADesignOfABerthWithoutTypesHasThem(t *testing.T) {
	p := newProject(t)
	db := newDatabase("1", table("Boats", "Id"))
	db.def.Objects = []designer.Object{enum("rig", "sloop")}
	d := p.show(db)
	apply(t, d, addColumn("Boats", "Name"))
	made := d.Version()
	for _, statement := range []string{`UPDATE catalogs SET body = json_remove(body, '$.types')`, `DELETE FROM documents WHERE name = 'types'`} {
		_, err := p.store.conn.ExecContext(background, statement) // as it was stored then
		require.NoError(t, err)
	}
	p.restart()
	d = p.designer("1")
	assert.Equal(t, map[string][]string{"rig": {"sloop"}}, typesOf(t, d))
	assert.Equal(t, made, d.Version())
	d = p.show(db)
	assert.Equal(t, Proposed, d.Info().Sync)
	changes := designer.DiffOf(must(d.Base(context.Background())), must(d.Snapshot()))
	assert.Empty(t, changes.Types)
	assert.Len(t, changes.Changed, 1)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
