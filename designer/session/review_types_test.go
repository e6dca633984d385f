package session

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/review"
)

func addType(name string, values ...string) designer.Edit {
	return designer.Edit{Op: designer.AddType, Type: designer.TypeSpec{Name: name, Values: values}}
}

// typeKey is the key of a type that is to be reviewed.
func typeKey(t testing.TB, d *Designer, name string) review.Key {
	t.Helper()
	r, err := d.Review(t.Context())
	require.NoError(t, err)
	for _, one := range r.Types {
		if one.Before != nil && one.Before.Name == name || one.After != nil && one.After.Name == name {
			return review.Key{Part: one.ID()}
		}
	}
	require.Fail(t, "there is no type to review", name)
	return review.Key{}
}

// typed is a design with an enumeration that a column has.
func typed(t *testing.T) *Designer {
	t.Helper()
	db := newDatabase("db", table("A", "x"))
	db.def.Objects = []designer.Object{enum("rig", "sloop", "yawl")}
	db.def.Tables[0].Columns[1].DataType = "rig"
	return newProject(t).show(db)
}

func TestATypeIsTakenBack(t *testing.T) {
	cases := map[string]struct {
		edits []designer.Edit
		of    string
	}{
		"added":                      {[]designer.Edit{addType("flag", "red")}, "flag"},
		"added, with a column of it": {[]designer.Edit{addType("flag", "red"), addColumn("A", "n"), retype("A", "n", "flag"), retype("A", "x", "flag")}, "flag"},
		"added, with a table of it":  {[]designer.Edit{addType("flag", "red"), addTable("N"), addColumn("N", "n"), retype("N", "n", "flag")}, "flag"},
		"dropped":                    {[]designer.Edit{retype("A", "x", "int"), designer.Edit{Op: designer.DropType, TypeRef: ref("rig")}}, "rig"},
		"with other values":          {[]designer.Edit{setType("rig", designer.TypeSet{AddValues: []string{"ketch"}})}, "rig"},
		"renamed":                    {[]designer.Edit{setType("rig", designer.TypeSet{Name: new("rigging")})}, "rig"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := typed(t)
			was, before := typesOf(t, d), d.Version()
			apply(t, d, c.edits...)
			out := takeBack(t, d, typeKey(t, d, c.of))
			require.Nil(t, out.Err)
			assert.Equal(t, was, typesOf(t, d))
			r, err := d.Review(t.Context())
			require.NoError(t, err)
			assert.Empty(t, r.Types)
			_, err = d.Undo(t.Context(), Steps{})
			require.NoError(t, err)
			assert.NotEqual(t, was, typesOf(t, d), "undone like any step")
			_, err = d.Undo(t.Context(), Steps{Count: len(c.edits)})
			require.NoError(t, err)
			assert.Equal(t, before, d.Version())
		})
	}
}

func TestATypeComesBackWithTheColumnThatHadIt(t *testing.T) {
	d := typed(t)
	before := d.Version()
	apply(t, d, dropColumn("A", "x"), designer.Edit{Op: designer.DropType, TypeRef: ref("rig")})
	require.Nil(t, takeBack(t, d, keyOf(t, d, "A", "x")).Err)
	assert.Equal(t, before, d.Version())
}

func TestATypeStaysWhileAPersonsColumnHasIt(t *testing.T) {
	d := typed(t)
	apply(t, d, addType("flag", "red"))
	byPerson(t, d, addTable("P"), addColumn("P", "c"), retype("P", "c", "flag"))
	out := takeBack(t, d, typeKey(t, d, "flag"))
	require.NotNil(t, out.Err)
	assert.Contains(t, out.Err.Message, "Column 'c' of main.P has the type 'flag': give it another type first")
	assert.Contains(t, typesOf(t, d), "flag")

	apply(t, d, designer.Edit{Op: designer.SetType, TypeRef: ref("rig"), SetType: designer.TypeSet{Name: new("rigging")}})
	byPerson(t, d, addColumn("P", "r"), retype("P", "r", "rigging"), addType("rig", "other"))
	out = takeBack(t, d, typeKey(t, d, "rigging"))
	require.NotNil(t, out.Err)
	assert.Contains(t, out.Err.Message, "another type 'rig'")
}

func TestAPersonsColumnFollowsATypeThatIsCalledAsBefore(t *testing.T) {
	d := typed(t)
	apply(t, d, setType("rig", designer.TypeSet{Name: new("rigging")}))
	byPerson(t, d, addTable("P"), addColumn("P", "r"), retype("P", "r", "rigging"))
	require.Nil(t, takeBack(t, d, typeKey(t, d, "rigging")).Err)
	require.NoError(t, d.View(func(s *designer.Schema) {
		for _, table := range s.Tables() {
			if table.Name == "P" {
				assert.Equal(t, "rig", table.Columns[len(table.Columns)-1].DataType)
			}
		}
	}))
}
