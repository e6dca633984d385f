package session

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
)

func idOf(t *testing.T, d *Designer, name string) (id designer.ID) {
	t.Helper()
	require.NoError(t, d.View(func(s *designer.Schema) {
		tbl, err := s.Table(ref(name))
		require.Nil(t, err)
		id = tbl.ID
	}))
	return id
}

func refresh(t *testing.T, d *Designer, src Source) Outcome {
	t.Helper()
	out, err := d.Refresh(t.Context(), src)
	require.NoError(t, err)
	return out
}

func TestAnUnchangedDatabaseLeavesNoTrace(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders"))
	d := p.show(db)
	want, seq := modelOf(t, d), p.store.seq
	refresh(t, d, db)
	assert.Equal(t, want, modelOf(t, d))
	assert.Equal(t, seq, p.store.seq)
}

func TestADesignWithoutChangesFollowsItsDatabase(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders", "a"), table("Old"))
	d := p.show(db)
	orders := idOf(t, d, "Orders")
	apply(t, d, addTable("X"))
	_, err := d.Undo(t.Context(), Steps{})
	require.NoError(t, err)

	db.set(table("ORDERS", "a", "b"), table("New"))
	out := refresh(t, d, db)
	assert.Len(t, out.Changes.TablesAdded, 1)
	assert.Equal(t, map[string][]string{"ORDERS": {"Id", "a", "b"}, "New": {"Id"}}, names(t, d))
	assert.Equal(t, orders, idOf(t, d, "orders"), "what keeps its name keeps its id")
	m := modelOf(t, d)
	assert.Equal(t, Synced, m.Info.Sync)
	assert.Empty(t, m.Undo)
	assert.Len(t, m.Redo, 1, "what was undone can still be made again")
	p.restart()
	d = p.designer("db")
	assert.Equal(t, m, modelOf(t, d))
	base, err := d.Base(t.Context())
	require.NoError(t, err)
	assert.Equal(t, m.Info.Version, base.Version())
	assert.Equal(t, orders, base.Tables()[1].ID)

	apply(t, d, addTable("Y"))
	assert.Len(t, modelOf(t, d).Undo, 1)
}

func nullable(name string, is bool) designer.Edit {
	return designer.Edit{Op: designer.SetColumn, Table: ref("Orders"), ColumnRef: designer.ObjectRef{Name: name},
		SetColumn: designer.ColumnSpec{IsNullable: &is}}
}

// changed is Orders with a column a of another type and a column theirs.
func changed() designer.TableDefinition {
	t := table("Orders", "a", "theirs")
	t.Columns[1].DataType = "text"
	return t
}

func TestWhatChangedOnBothSidesIsJoined(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders", "a"))
	d := p.show(db)
	apply(t, d, addColumn("Orders", "mine"), nullable("a", false))
	db.set(changed(), table("New"))
	out := refresh(t, d, db)
	assert.NotEmpty(t, out.Changes.TablesAdded)
	assert.Equal(t, []string{"Id", "a", "mine", "theirs"}, names(t, d)["Orders"])
	assert.Equal(t, Proposed, d.Info().Sync)
	m := modelOf(t, d)
	p.restart()
	d = p.designer("db")
	assert.Equal(t, m, modelOf(t, d))

	base, err := d.Base(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.View(func(s *designer.Schema) {
		items := designer.DiffOf(base, s).Items()
		require.Len(t, items, 2, "what the design has of its own: %v", items)
		assert.Equal(t, designer.DiffAlterColumn, items[0].Kind)
		assert.Equal(t, []string{"nullability"}, items[0].Fields)
		assert.Equal(t, "mine", items[1].Name)
	}))
	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.Equal(t, []string{"Id", "a", "mine", "theirs"}, names(t, d)["Orders"], "joining is no undo step")
	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.Equal(t, []string{"Id", "a", "theirs"}, names(t, d)["Orders"])
	assert.Equal(t, Synced, d.Info().Sync)
}

func TestWhatConflictsIsChosenByAPerson(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders", "a"))
	d := p.show(db)
	apply(t, d, dropColumn("Orders", "a"))
	db.set(changed())
	refresh(t, d, db)
	assert.Equal(t, []string{"Id"}, names(t, d)["Orders"])
	assert.Equal(t, Drifted, d.Info().Sync)
	p.restart()
	d = p.designer("db")
	assert.Equal(t, Drifted, d.Info().Sync)
	seq := p.store.seq
	refresh(t, d, db)
	assert.Equal(t, seq, p.store.seq, "the same drift is no news")

	db.set(table("Orders", "a"))
	refresh(t, d, db)
	assert.Equal(t, Proposed, d.Info().Sync, "the other change was taken back")

	db.set(changed())
	refresh(t, d, db)
	var seen []merge.Conflict
	choose := func(side merge.Side) func(merge.Conflict) merge.Side {
		return func(c merge.Conflict) merge.Side { seen = append(seen, c); return side }
	}
	out, err := d.Rebase(t.Context(), db, d.Version(), Caller{Origin: "page"}, choose(""))
	require.NoError(t, err)
	require.NotNil(t, out.Err, "no side was chosen")
	assert.Equal(t, "column a", seen[0].Part)
	assert.Equal(t, Drifted, d.Info().Sync)
	out, err = d.Rebase(t.Context(), db, d.Version(), Caller{Origin: "page"}, choose(merge.SideDatabase))
	require.NoError(t, err)
	require.Nil(t, out.Err)
	assert.Equal(t, []string{"Id", "a", "theirs"}, names(t, d)["Orders"])
	assert.Equal(t, Synced, d.Info().Sync)

	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.Equal(t, []string{"Id", "theirs"}, names(t, d)["Orders"], "the choice is a step, what did not conflict is none")
	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.Equal(t, Synced, d.Info().Sync)
}

func TestADriftedDesignThatIsTakenBackFollows(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders", "a"))
	d := p.show(db)
	apply(t, d, dropColumn("Orders", "a"))
	db.set(changed())
	refresh(t, d, db)
	_, err := d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.Equal(t, Drifted, d.Info().Sync)
	refresh(t, d, db)
	assert.Equal(t, Synced, d.Info().Sync)
	assert.Equal(t, []string{"Id", "a", "theirs"}, names(t, d)["Orders"])
}

func TestADesignThatOthersHaveMadeIsSyncedAndKeepsItsSteps(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders", "a"))
	d := p.show(db)
	apply(t, d, addColumn("Orders", "b"), addTable("New"))
	orders := idOf(t, d, "Orders")
	published := d.Version()
	db.set(table("New"), table("Orders", "b", "a")) // in an order of its own
	refresh(t, d, db)
	p.restart()
	d = p.designer("db")
	m := modelOf(t, d)
	assert.Equal(t, published, m.Info.Version)
	assert.Equal(t, Synced, m.Info.Sync)
	assert.Len(t, m.Undo, 2)
	refresh(t, d, db)
	assert.Equal(t, m, modelOf(t, d), "reading again is no reason to forget steps")
	base, err := d.Base(t.Context())
	require.NoError(t, err)
	require.NotNil(t, base.ByID(orders))

	out, err := d.Undo(t.Context(), Steps{Batch: true})
	require.NoError(t, err)
	assert.Equal(t, 2, out.Applied)
	assert.Len(t, out.Warnings, 2, "they made no difference")
	assert.Equal(t, Synced, d.Info().Sync, "what is in the database stays")
	assert.Equal(t, m.Tables, modelOf(t, d).Tables)
}

func TestSchemasViewsAndTriggersAreReadAgainToo(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders"))
	d := p.show(db)
	db.def.Schemas = []string{"main", "sales"}
	db.def.Views = []designer.View{{Schema: "main", Name: "V"}}
	db.def.Objects = []designer.Object{{Kind: designer.ObjectTrigger, Schema: "main", Name: "T", Table: "Orders",
		Definition: "CREATE TRIGGER T AFTER INSERT ON Orders BEGIN SELECT 1; END"}}
	refresh(t, d, db)
	check := func() {
		require.NoError(t, d.View(func(s *designer.Schema) {
			assert.Equal(t, []string{"main", "sales"}, s.Schemas())
			assert.Equal(t, db.def.Views, s.Views())
			assert.Equal(t, db.def.Objects, s.Objects())
		}))
		base, err := d.Base(t.Context())
		require.NoError(t, err)
		assert.Equal(t, db.def.Objects, base.Objects(), "a plan needs their text")
	}
	check()
	p.restart()
	d = p.designer("db")
	check()
}

func TestAFailedReadChangesNothing(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("Orders"))
	d := p.show(db)
	want := modelOf(t, d)
	down := errors.New("the server is down")
	db.fail(down)
	_, err := d.Refresh(t.Context(), db)
	require.ErrorIs(t, err, down)
	db.fail(nil)
	db.set(designer.TableDefinition{})
	_, err = d.Refresh(t.Context(), db)
	require.Error(t, err, "a definition that cannot be meant")
	_, err = d.Refresh(t.Context(), newDatabase("other"))
	require.Error(t, err, "another connection's database")
	assert.Equal(t, want, modelOf(t, d))
}

func TestAConnectionToAnotherKindOfDatabase(t *testing.T) {
	other := *plain
	other.Name, other.Schemas.Common = "other", nil
	p := newProject(t)
	db := newDatabase("db", table("Orders"))
	d := p.show(db)
	apply(t, d, addTable("Mine"))
	moved := newDatabase("db", table("Elsewhere"))
	moved.dialect = &other

	_, err := p.Show(t.Context(), moved)
	require.ErrorIs(t, err, ErrDialectChanged)
	assert.Contains(t, names(t, d), "Mine")

	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	d = p.show(moved)
	assert.Equal(t, map[string][]string{"Elsewhere": {"Id"}}, names(t, d))
	apply(t, d, addColumn("Elsewhere", "x"))
	p.restart()
	d = p.designer("db")
	require.ErrorContains(t, d.View(func(*designer.Schema) {}), "other", "nobody told of this dialect")
	d = p.show(moved)
	assert.Equal(t, map[string][]string{"Elsewhere": {"Id", "x"}}, names(t, d))
}

// The numbers that a server knows columns by are kept with the base, across
// restarts: what was renamed on both sides is one conflict about the name.
func TestAColumnIsKnownByItsNumberAcrossRestarts(t *testing.T) {
	numbered := func(db *database, columns ...string) {
		db.set(table("Orders", columns...))
		db.def.Numbers = []designer.CatalogIDs{{Schema: "main", Name: "Orders", Number: 7, Columns: append([]string{"Id"}, columns...)}}
	}
	p := newProject(t)
	db := newDatabase("db")
	numbered(db, "nickname")
	d := p.show(db)
	apply(t, d, renameColumn("Orders", "nickname", "nick"))
	p.restart()
	d = p.designer("db")
	numbered(db, "nn")
	refresh(t, d, db)
	assert.Equal(t, Drifted, d.Info().Sync)
	var seen []merge.Conflict
	out, err := d.Rebase(t.Context(), db, d.Version(), Caller{Origin: "page"}, func(c merge.Conflict) merge.Side {
		seen = append(seen, c)
		return merge.SideDesign
	})
	require.NoError(t, err)
	require.Nil(t, out.Err)
	require.NotEmpty(t, seen)
	assert.Equal(t, "name", seen[0].What)
	assert.Equal(t, []string{"nickname", "nick", "nn"}, []string{seen[0].Base, seen[0].Design, seen[0].Database})
	assert.Equal(t, []string{"Id", "nick"}, names(t, d)["Orders"])

	// A rename in the database alone is followed, and no edit is lost.
	db = newDatabase("other")
	numbered(db, "a")
	d = p.show(db)
	apply(t, d, addColumn("Orders", "mine"))
	numbered(db, "b")
	refresh(t, d, db)
	assert.Equal(t, Proposed, d.Info().Sync)
	assert.Equal(t, []string{"Id", "b", "mine"}, names(t, d)["Orders"])
	_, err = d.Undo(t.Context(), Steps{})
	require.NoError(t, err)
	assert.Equal(t, Synced, d.Info().Sync)
}
