package designer

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/e2e/long"
)

// drawSchema starts from the shop, seldom from nothing or from what only a
// database can hold, in a dialect of either kind.
func drawSchema(t *testing.T, rt *rapid.T) *Schema {
	d := serverDialect()
	if rapid.Bool().Draw(rt, "open dialect") {
		d = openDialect()
	}
	d.Schemas.Common = []string{"dbo", "s"}
	d.NamedTypes = enums()
	switch (editor{t: rt}).number(4, "start") {
	case 0:
		return emptySchema(d)
	case 1:
		return odd(t)
	default:
		return shop(t, d)
	}
}

// drawChanges makes edits and sees that those which are refused leave no
// trace.
func drawChanges(rt *rapid.T, s *Schema) []Change {
	changes := []Change{}
	for range rapid.IntRange(1, 40).Draw(rt, "edits") {
		e := editor{t: rt, s: s}.edit()
		version, tables := s.Version(), snapshot(s)
		c, err := s.Apply(e)
		if err != nil {
			require.Equal(rt, version, s.Version(), "refused: %v", err)
			require.Equal(rt, tables, snapshot(s), "refused: %v", err)
			require.NotEmpty(rt, err.Message)
		} else {
			changes = append(changes, c)
			s.Warnings(changes[len(changes)-1:])
		}
		if c.Empty() {
			require.Equal(rt, version, s.Version(), "nothing changed")
		}
		require.NoError(rt, s.Check(), "%+v", e)
	}
	return changes
}

// Properties of edits that are mostly refused would prove little.
func TestRandomEditsOfEveryKindAreAccepted(t *testing.T) {
	drawn, accepted := map[Op]int{}, map[Op]int{}
	long.Check(t, func(rt *rapid.T) {
		s := drawSchema(t, rt)
		for range 40 {
			e := editor{t: rt, s: s}.edit()
			drawn[e.Op]++
			if _, err := s.Apply(e); err == nil {
				accepted[e.Op]++
			}
		}
	})
	for _, op := range Ops() {
		t.Logf("%-16s %4d of %4d", op, accepted[op], drawn[op])
		require.Greater(t, 20*accepted[op], drawn[op], "fewer than one in twenty of the drawn %s are accepted", op)
	}
}

func TestWhateverIsEditedTheModelHolds(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		s := drawSchema(t, rt)
		first, before := s.Version(), snapshot(s)
		changes := drawChanges(rt, s)
		last, after, types := s.Version(), snapshot(s), s.NamedTypes()

		for _, c := range slices.Backward(changes) {
			s.Undo(c)
			require.NoError(rt, s.Check())
		}
		require.Equal(rt, first, s.Version())
		require.Equal(rt, before, snapshot(s), "undone")
		require.Empty(rt, s.NamedTypes(), "undone")

		for _, c := range changes {
			s.Redo(c)
		}
		require.NoError(rt, s.Check())
		require.Equal(rt, last, s.Version())
		require.Equal(rt, after, snapshot(s), "redone")
		require.Equal(rt, types, s.NamedTypes(), "redone")
	})
}

func TestAChangeSurvivesTheJournal(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		s := drawSchema(t, rt)
		before := snapshot(s)
		changes := drawChanges(rt, s)

		text, err := json.Marshal(changes)
		require.NoError(rt, err)
		var read []Change
		require.NoError(rt, json.Unmarshal(text, &read))
		require.Equal(rt, changes, read)

		restored, err := Restore(s.Dialect(), before, nil)
		require.NoError(rt, err)
		for _, c := range read {
			restored.Redo(c)
		}
		require.NoError(rt, restored.Check())
		require.Equal(rt, s.Version(), restored.Version())
		require.Equal(rt, snapshot(s), snapshot(restored))
		for _, c := range InverseAll(read) {
			restored.Redo(c)
		}
		require.Equal(rt, before, snapshot(restored))
	})
}

func TestTheVersionDoesNotDependOnTheWayThere(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		s := drawSchema(t, rt)
		drawChanges(rt, s)
		permute := func(n int) []int {
			places := make([]int, n)
			for i := range places {
				places[i] = i
			}
			return rapid.Permutation(places).Draw(rt, "order")
		}
		rebuilt, err := Build(s.Dialect(), shuffled(s.Definition(), permute), nil)
		require.NoError(rt, err)
		require.NoError(rt, rebuilt.Check())
		require.Equal(rt, s.Version(), rebuilt.Version())
		require.Equal(rt, s.Columns(), rebuilt.Columns())
		require.Equal(rt, s.Len(), rebuilt.Len())

		adopted, err := s.Adopt(s.Definition())
		require.NoError(rt, err)
		require.NoError(rt, adopted.Check())
		require.Equal(rt, s.Version(), adopted.Version())
		require.Equal(rt, Changes{}, Summarize(adopted, []Change{s.ChangeTo(adopted)}), "read again, nothing is new")
	})
}

func TestAReceiptNamesWhatIsThere(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		s := drawSchema(t, rt)
		before := map[ID]*Table{}
		for _, table := range s.Tables() {
			before[table.ID] = table
		}
		got := Summarize(s, drawChanges(rt, s))

		var added, dropped []TableName
		for _, table := range s.Tables() {
			if before[table.ID] == nil {
				added = append(added, table.TableName())
			}
			delete(before, table.ID)
		}
		for _, table := range before {
			dropped = append(dropped, table.TableName())
		}
		require.ElementsMatch(rt, added, got.TablesAdded)
		require.ElementsMatch(rt, dropped, got.TablesDropped)
		for _, c := range slices.Concat(got.ColumnsAdded, got.ColumnsUpdated) {
			require.NotNil(rt, find(s, c.Table), "%v", c)
			_, err := find(s, c.Table).Column(ObjectRef{Name: c.Column.Name})
			require.Nil(rt, err, "%v", c)
		}
		for _, k := range slices.Concat(got.ForeignKeysAdded, got.ForeignKeysUpdated) {
			_, err := find(s, k.Table).foreignKeyAt(ObjectRef{Name: k.ForeignKey.Name})
			require.Nil(rt, err, "%v", k)
		}
		for _, k := range got.ForeignKeysDropped {
			require.NotNil(rt, find(s, k.Table), "a key that went with its own table: %v", k)
		}
	})
}

// find returns the table of exactly this name, nil if there is none.
func find(s *Schema, name TableName) *Table {
	for _, t := range s.Tables() {
		if t.TableName() == name {
			return t
		}
	}
	return nil
}
