package session

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/review"
)

func retype(tbl, name, to string) designer.Edit {
	return designer.Edit{Op: designer.SetColumn, Table: ref(tbl), ColumnRef: designer.ObjectRef{Name: name},
		SetColumn: designer.ColumnSpec{DataType: &to}}
}

func addIndex(tbl, name, column string) designer.Edit {
	return designer.Edit{Op: designer.AddIndex, Table: ref(tbl),
		Index: designer.IndexSpec{Name: &name, Columns: []designer.IndexPart{{Name: column}}}}
}

// byPerson makes edits as a person at the page.
func byPerson(t testing.TB, d *Designer, edits ...designer.Edit) {
	t.Helper()
	out, err := d.Apply(context.Background(), Batch{Edits: edits, ExpectedVersion: d.Version(), Origin: "page"})
	require.NoError(t, err)
	require.Nil(t, out.Err)
}

// toReview says what there is to review: "A: +x ~y -z", with + or - alone for
// a table.
func toReview(t testing.TB, d *Designer) []string {
	t.Helper()
	r, err := d.Review(t.Context())
	require.NoError(t, err)
	list := []string{}
	for _, one := range r.Tables {
		switch {
		case one.Before == nil:
			list = append(list, "+"+one.After.Name)
		case one.After == nil:
			list = append(list, "-"+one.Before.Name)
		default:
			line := one.After.Name + ":"
			if one.Before.Name != one.After.Name {
				line += " was " + one.Before.Name
			}
			diff := designer.DiffTables(one.Before, one.After)
			for _, c := range diff.Columns {
				switch {
				case c.Added():
					line += " +" + c.To.Name
				case c.Dropped():
					line += " -" + c.From.Name
				default:
					line += fmt.Sprintf(" ~%s %s→%s", c.To.Name, c.From.DataType, c.To.DataType)
				}
			}
			for _, x := range diff.Indexes {
				line += fmt.Sprintf(" index %t", x.Added())
			}
			list = append(list, line)
		}
	}
	return list
}

// keyOf finds what is called so: a table, or one of its columns.
func keyOf(t testing.TB, d *Designer, table, column string) review.Key {
	t.Helper()
	var k review.Key
	look := func(list []*designer.Table) {
		for _, one := range list {
			if one == nil || one.Name != table {
				continue
			}
			k.Table = one.ID
			for _, c := range one.Columns {
				if c.Name == column {
					k.Part = c.ID
				}
			}
		}
	}
	require.NoError(t, d.View(func(s *designer.Schema) { look(s.Tables()) }))
	r, err := d.Review(t.Context())
	require.NoError(t, err)
	for _, one := range r.Tables {
		look([]*designer.Table{one.Before})
	}
	require.NotEmpty(t, k.Table, table)
	return k
}

func takeBack(t testing.TB, d *Designer, keys ...review.Key) Outcome {
	t.Helper()
	out, err := d.TakeBack(t.Context(), TakeBack{Keys: keys, ExpectedVersion: d.Version(), Origin: "page"})
	require.NoError(t, err)
	require.NoError(t, d.View(func(s *designer.Schema) { require.NoError(t, s.Check()) }))
	return out
}

func TestAReviewIsTheNetOfAllSteps(t *testing.T) {
	cases := map[string]struct {
		steps func(t *testing.T, d *Designer)
		want  []string
	}{
		"edits that cancelled out": {func(t *testing.T, d *Designer) {
			apply(t, d, addTable("Tmp"), addColumn("Tmp", "x"), dropTable("Tmp"), retype("A", "x", "text"), retype("A", "x", "int"))
		}, []string{}},
		"the first state and the last": {func(t *testing.T, d *Designer) {
			apply(t, d, retype("A", "x", "text"), renameColumn("A", "x", "u"), renameColumn("A", "u", "v"), addColumn("A", "n"), dropColumn("A", "y"))
		}, []string{"A: ~v int→text -y +n"}},
		"tables": {func(t *testing.T, d *Designer) {
			apply(t, d, addTable("N"), addColumn("N", "a"), renameTable("N", "New"), dropTable("B"))
		}, []string{"-B", "+New"}},
		"what a person did is no matter of review": {func(t *testing.T, d *Designer) {
			byPerson(t, d, addTable("P"), retype("A", "x", "text"))
		}, []string{}},
		"what a person has changed since is the person's": {func(t *testing.T, d *Designer) {
			apply(t, d, retype("A", "x", "text"), retype("A", "y", "text"))
			byPerson(t, d, retype("A", "x", "int"), retype("A", "x", "text"))
		}, []string{"A: ~y int→text"}},
		"of a table to which a person added something the rest stays": {func(t *testing.T, d *Designer) {
			apply(t, d, addTable("N"), addColumn("N", "a"), addColumn("N", "b"))
			byPerson(t, d, retype("N", "a", "text"))
		}, []string{"N: +Id +b"}},
		"an agent's change of what a person did": {func(t *testing.T, d *Designer) {
			byPerson(t, d, addTable("P"), addColumn("P", "x"))
			apply(t, d, retype("P", "x", "text"))
		}, []string{"P: ~x int→text"}},
		"a table that a person had changed, and the agent dropped": {func(t *testing.T, d *Designer) {
			apply(t, d, addTable("N"))
			byPerson(t, d, addColumn("N", "mine"))
			apply(t, d, dropTable("N"))
		}, []string{"-N"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := newProject(t).show(newDatabase("db", table("A", "x", "y"), table("B")))
			c.steps(t, d)
			assert.Equal(t, c.want, toReview(t, d))
		})
	}
}

func TestManyStepsAreOneChange(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("A", "x")))
	pairs := slices.Repeat([]designer.Edit{addTable("T"), dropTable("T")}, 40)
	for range 51 {
		require.Nil(t, apply(t, d, pairs...).Err)
	}
	require.Nil(t, apply(t, d, addColumn("A", "n")).Err)
	for range 51 {
		require.Nil(t, apply(t, d, pairs...).Err)
	}
	assert.Equal(t, []string{"A: +n"}, toReview(t, d), "of 8,161 steps")
}

func TestWhatIsTakenBackIsTheAgentsAlone(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("A", "x", "y"), table("B", "z")))
	version := d.Version()
	lost := keyOf(t, d, "A", "y").Part
	apply(t, d, retype("A", "x", "text"), renameColumn("A", "x", "label"), dropColumn("A", "y"), dropTable("B"))
	byPerson(t, d, addColumn("A", "mine"), renameColumn("A", "label", "title"))

	x := keyOf(t, d, "A", "title")
	x.Field = "type"
	require.Nil(t, takeBack(t, d, x).Err)
	assert.Equal(t, []string{"A: -y", "-B"}, toReview(t, d), "one field")
	require.Nil(t, takeBack(t, d, keyOf(t, d, "A", "y")).Err)
	assert.Equal(t, lost, keyOf(t, d, "A", "y").Part, "the database's column, not a new one of that name")
	require.Nil(t, takeBack(t, d, keyOf(t, d, "B", "")).Err)
	assert.Empty(t, toReview(t, d))
	assert.Equal(t, map[string][]string{"A": {"Id", "title", "mine", "y"}, "B": {"Id", "z"}}, names(t, d))
	out := takeBack(t, d, x)
	require.NotNil(t, out.Err)
	assert.Contains(t, out.Err.Message, "None of this is the agent's")

	for range 4 {
		_, err := d.Undo(t.Context(), Steps{})
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"A: ~label int→text -y", "-B"}, toReview(t, d), "undone like any step")
	_, err := d.Undo(t.Context(), Steps{Count: 5})
	require.NoError(t, err)
	assert.Equal(t, version, d.Version())
}

func TestWhatNeedsATakenBackColumnGoesWithIt(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("A", "x")))
	apply(t, d, addColumn("A", "n"), addIndex("A", "IX_n", "n"))
	require.Equal(t, []string{"A: +n index true"}, toReview(t, d))
	require.Nil(t, takeBack(t, d, keyOf(t, d, "A", "n")).Err)
	assert.Empty(t, toReview(t, d))
	assert.Equal(t, Synced, d.Info().Sync)

	apply(t, d, addColumn("A", "n"))
	byPerson(t, d, addIndex("A", "IX_n", "n"))
	out := takeBack(t, d, keyOf(t, d, "A", "n"))
	require.NotNil(t, out.Err, "a person's index needs it")
	assert.Equal(t, map[string][]string{"A": {"Id", "x", "n"}}, names(t, d))
}

func TestWhatIsAcceptedIsNoChangeAnyMore(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x", "y")))
	accept := func(keys ...review.Key) {
		t.Helper()
		_, err := d.Accept(t.Context(), keys, d.Version())
		require.NoError(t, err)
	}
	apply(t, d, retype("A", "x", "text"), addColumn("A", "n"), addTable("N"))
	accept(keyOf(t, d, "A", "n"))
	assert.Equal(t, []string{"A: ~x int→text", "+N"}, toReview(t, d))
	accept(keyOf(t, d, "N", ""))
	apply(t, d, addColumn("N", "later"))
	assert.Equal(t, []string{"A: ~x int→text", "N: +later"}, toReview(t, d))
	p.restart()
	d = p.designer("db")
	assert.Equal(t, []string{"A: ~x int→text", "N: +later"}, toReview(t, d), "kept")
	_, err := d.Accept(t.Context(), nil, "an older version")
	require.ErrorIs(t, err, ErrStale)
	accept()
	assert.Empty(t, toReview(t, d))
	apply(t, d, retype("A", "x", "int"))
	assert.Equal(t, []string{"A: ~x text→int"}, toReview(t, d), "from what was accepted")
}

// The numbers of steps are used again after an undo.
func TestWhatIsDoneAfterAnUndoIsNotAcceptedYet(t *testing.T) {
	d := newProject(t).show(newDatabase("db", table("A")))
	apply(t, d, addColumn("A", "n"), addColumn("A", "m"))
	_, err := d.Accept(t.Context(), nil, d.Version())
	require.NoError(t, err)
	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	apply(t, d, addColumn("A", "other"))
	assert.Equal(t, []string{"A: +other"}, toReview(t, d))
}
