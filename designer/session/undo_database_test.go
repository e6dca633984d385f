package session

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/merge"
	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/e2e/long"
)

// file is a Source that is a real SQLite database.
type file struct {
	*database
	db *sql.DB
}

func newFile(t testing.TB, script string) *file {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "app.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.Exec(script)
	require.NoError(t, err)
	f := &file{newDatabase("db"), db}
	f.dialect = sqlite.Dialect()
	return f
}

func (f *file) Read(ctx context.Context) (designer.Definition, error) {
	return sqlite.Inspect(ctx, f.db)
}

// journey is a design, its database and what there was of edits, as the
// design's undo and redo steps are to be.
type journey struct {
	rt   *rapid.T
	p    *project
	d    *Designer
	f    *file
	done []designer.Edit // the oldest first
	redo []designer.Edit // the next first
	// apart says that some edit is not what it would be, made on the database
	// as it is now: the database has come to the same by itself, or undo has
	// ended before it.
	apart bool
}

func TestUndoNeverTakesBackWhatTheDatabaseBrought(t *testing.T) {
	for range long.Rounds(1, 20) {
		long.Check(t, func(rt *rapid.T) {
			j := &journey{rt: rt, p: newProject(t), f: newFile(t, `CREATE TABLE T0 (id INTEGER PRIMARY KEY, c0 INTEGER, c1 TEXT);
				CREATE TABLE T1 (id INTEGER PRIMARY KEY, c0 INTEGER REFERENCES T0 (id)); CREATE INDEX ix0 ON T1 (c0)`)}
			defer j.close()
			j.p.opts.Dialect = ofSQLite
			j.d = j.p.show(j.f)
			for range rapid.IntRange(1, 25).Draw(rt, "actions") {
				j.act()
			}
			j.backToTheDatabase()
		})
	}
}

// close ends one of many checks, so that not all stay open until the last.
func (j *journey) close() {
	require.NoError(j.rt, j.p.Close())
	require.NoError(j.rt, j.f.db.Close())
}

func (j *journey) act() {
	switch rapid.IntRange(0, 10).Draw(j.rt, "action") {
	case 0, 1, 2:
		j.edit(anySQLiteEdit(j.rt))
	case 3, 4:
		_, _ = j.f.db.Exec(anySQL(j.rt)) // what does not fit changes nothing
	case 5, 6:
		j.reread()
	case 7:
		j.step(true)
	case 8:
		j.step(false)
	case 9:
		j.choose(rapid.SampledFrom([]merge.Side{merge.SideDesign, merge.SideDatabase}).Draw(j.rt, "side"))
	default:
		before := modelOf(j.p.t, j.d)
		if rapid.Bool().Draw(j.rt, "killed") {
			j.p.dir = asKilled(j.p.t, j.p.dir)
		}
		j.p.restart()
		j.p.opts.Dialect = ofSQLite
		j.d = j.p.designer("db")
		require.Equal(j.rt, before, modelOf(j.p.t, j.d))
	}
	j.check()
}

func ofSQLite(string) *designer.Dialect { return sqlite.Dialect() }

// asKilled returns a copy of the state as a process leaves it that is killed
// now: nothing is closed, nothing is written back.
func asKilled(t testing.TB, from string) string {
	to := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		raw, err := os.ReadFile(filepath.Join(from, dbName+suffix))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(to, dbName+suffix), raw, 0o600))
	}
	return to
}

func (j *journey) edit(e designer.Edit) {
	before := j.d.Version()
	out, err := j.d.Apply(context.Background(), Batch{Edits: []designer.Edit{e}, ExpectedVersion: j.d.Version(), Origin: "agent"})
	require.NoError(j.rt, err)
	if out.Err != nil {
		return
	}
	if j.d.Version() == before {
		e = designer.Edit{Op: nothing}
	}
	j.done, j.redo = append(j.done, e), nil
}

// nothing stands for an edit that changed nothing, such as the type that a
// column had. It is a step, and no wish that outlives a change of the database.
const nothing designer.Op = "nothing"

// reread reads the database. Where that ends undo or redo, the edits beyond
// are no steps any more.
func (j *journey) reread() {
	_, err := j.d.Refresh(context.Background(), j.f)
	require.NoError(j.rt, err)
	i := j.d.Info()
	j.settle(i)
}

// choose settles what design and database have both changed, if anything.
func (j *journey) choose(side merge.Side) {
	j.reread()
	if j.d.Info().Sync != Drifted {
		return
	}
	out, err := j.d.Rebase(context.Background(), j.f, j.d.Version(), Caller{Origin: "page"}, func(merge.Conflict) merge.Side { return side })
	require.NoError(j.rt, err)
	require.Nil(j.rt, out.Err)
	if out.BatchID != "" {
		j.done, j.redo = append(j.done, designer.Edit{}), nil
	}
	j.apart = true
	j.settle(j.d.Info())
}

// settle forgets the edits that are no steps any more.
func (j *journey) settle(i Info) {
	require.LessOrEqual(j.rt, i.UndoSteps, len(j.done), "a re-read is no step")
	require.LessOrEqual(j.rt, i.RedoSteps, len(j.redo), "a re-read is no step")
	if i.UndoSteps < len(j.done) {
		j.apart = true
	}
	j.done, j.redo = j.done[len(j.done)-i.UndoSteps:], j.redo[:i.RedoSteps]
	if _, fits := j.replayed(append(j.done[:len(j.done):len(j.done)], j.redo...)); !fits {
		j.apart = true
	}
}

// step undoes or redoes one edit. Either is the way back of the other.
func (j *journey) step(back bool) {
	forth, other, from := j.d.Undo, j.d.Redo, len(j.done)
	if !back {
		forth, other, from = other, forth, len(j.redo)
	}
	before := modelOf(j.p.t, j.d)
	move := func(m func(context.Context, Steps) (Outcome, error)) Outcome {
		out, err := m(context.Background(), Steps{})
		require.NoError(j.rt, err)
		return out
	}
	if out := move(forth); from == 0 {
		require.NotNil(j.rt, out.Err)
		require.Equal(j.rt, before, modelOf(j.p.t, j.d), "what is refused leaves everything as it is")
		return
	}
	after := modelOf(j.p.t, j.d)
	require.Nil(j.rt, move(other).Err)
	require.Equal(j.rt, before, modelOf(j.p.t, j.d))
	require.Nil(j.rt, move(forth).Err)
	require.Equal(j.rt, after, modelOf(j.p.t, j.d))
	if n := len(j.done); back {
		j.done, j.redo = j.done[:n-1], append([]designer.Edit{j.done[n-1]}, j.redo...)
	} else {
		j.done, j.redo = append(j.done[:n:n], j.redo[0]), j.redo[1:]
	}
}

// replayed makes edits on the database as the design has taken it over; not
// fits: one of them cannot be made there.
func (j *journey) replayed(edits []designer.Edit) (s *designer.Schema, fits bool) {
	s, err := j.d.Base(context.Background())
	require.NoError(j.rt, err)
	for _, e := range edits {
		if e.Op == nothing {
			continue
		}
		if _, refused := s.Apply(e); refused != nil {
			return s, false
		}
	}
	return s, true
}

// check compares the design with its edits made on the database as it is.
func (j *journey) check() {
	i := j.d.Info()
	require.Equal(j.rt, []int{len(j.done), len(j.redo)}, []int{i.UndoSteps, i.RedoSteps})
	past, _, err := j.d.Past(context.Background(), maxSteps)
	require.NoError(j.rt, err)
	require.Len(j.rt, past, len(j.done))
	if j.apart {
		j.apart = len(j.done)+len(j.redo) > 0 || i.Sync != Synced
		return
	}
	want, fits := j.replayed(j.done)
	require.True(j.rt, fits)
	require.Equal(j.rt, want.Version(), i.Version, "the edits and nothing else, on the newest database")
}

// backToTheDatabase undoes all edits, which leaves nothing to propose, unless
// undo says what of the database keeps it from going on.
func (j *journey) backToTheDatabase() {
	j.reread()
	for len(j.done) > 0 {
		j.step(true)
	}
	j.reread() // where both had changed the same thing the design waited for this
	out, err := j.d.Undo(context.Background(), Steps{})
	require.NoError(j.rt, err)
	require.NotNil(j.rt, out.Err)
	if out.Err.Message != "There is nothing to undo" {
		require.Contains(j.rt, out.Err.Message, "The database was changed elsewhere since")
		return
	}
	base, err := j.d.Base(context.Background())
	require.NoError(j.rt, err)
	now, err := j.d.Snapshot()
	require.NoError(j.rt, err)
	require.Empty(j.rt, designer.DiffOf(base, now).Items())
	require.Equal(j.rt, Synced, j.d.Info().Sync)
}

func anySQLiteEdit(rt *rapid.T) designer.Edit {
	name := func(what string) string { return fmt.Sprint(what, rapid.IntRange(0, 2).Draw(rt, what)) }
	table, column := ref(name("T")), designer.ObjectRef{Name: name("c")}
	switch rapid.IntRange(0, 11).Draw(rt, "edit") {
	case 0:
		return designer.Edit{Op: designer.AddTable, Table: table,
			InitialColumns: []designer.ColumnSpec{{Name: new("id"), DataType: new("INTEGER"), IsPrimaryKey: new(true)}}}
	case 1:
		return designer.Edit{Op: designer.DropTable, Table: table}
	case 2:
		return renameTable(table.Name, name("T"))
	case 3:
		return dropColumn(table.Name, column.Name)
	case 4:
		return designer.Edit{Op: designer.SetColumn, Table: table, ColumnRef: column,
			SetColumn: designer.ColumnSpec{DataType: new(rapid.SampledFrom([]string{"INTEGER", "TEXT", "REAL"}).Draw(rt, "type"))}}
	case 5:
		return designer.Edit{Op: designer.SetColumn, Table: table, ColumnRef: column,
			SetColumn: designer.ColumnSpec{Name: new(name("c"))}}
	case 6:
		return designer.Edit{Op: designer.AddIndex, Table: table, Index: designer.IndexSpec{
			Name: new(name("ix")), Columns: []designer.IndexPart{{Name: column.Name}}}}
	case 7:
		return designer.Edit{Op: designer.AddForeignKey, Table: table, ForeignKey: designer.ForeignKeySpec{
			ReferencedTable: new(ref(name("T"))), Mappings: []designer.NameMapping{{Column: column.Name, ReferencedColumn: "id"}}}}
	default: // more often than others: there is to be something to lose
		return designer.Edit{Op: designer.AddColumn, Table: table,
			Column: designer.ColumnSpec{Name: &column.Name, DataType: new("INTEGER"), IsNullable: new(true)}}
	}
}

func anySQL(rt *rapid.T) string {
	n := func(what string) int { return rapid.IntRange(0, 2).Draw(rt, what) }
	t, c := n("table"), n("column")
	return []string{
		fmt.Sprintf("ALTER TABLE T%d ADD COLUMN d%d INTEGER", t, c),
		fmt.Sprintf("ALTER TABLE T%d ADD COLUMN d%d INTEGER", t, n("another")),
		fmt.Sprintf("CREATE TABLE T%d (id INTEGER PRIMARY KEY, c%d TEXT)", t, c),
		fmt.Sprintf("DROP TABLE T%d", t),
		fmt.Sprintf("ALTER TABLE T%d RENAME TO T%d", t, n("to")),
		fmt.Sprintf("ALTER TABLE T%d ADD COLUMN c%d INTEGER", t, c),
		fmt.Sprintf("ALTER TABLE T%d ADD COLUMN c%d TEXT REFERENCES T%d (id)", t, c, n("to")),
		fmt.Sprintf("ALTER TABLE T%d DROP COLUMN c%d", t, c),
		fmt.Sprintf("ALTER TABLE T%d RENAME COLUMN c%d TO c%d", t, c, n("to")),
		fmt.Sprintf("CREATE INDEX ix%d ON T%d (c%d)", n("index"), t, c),
		fmt.Sprintf("DROP INDEX ix%d", n("index")),
	}[rapid.IntRange(0, 10).Draw(rt, "statement")]
}

// takesBack undoes or redoes, which has to succeed.
func takesBack(t *testing.T, move func(context.Context, Steps) (Outcome, error), n Steps) Outcome {
	t.Helper()
	out, err := move(t.Context(), n)
	require.NoError(t, err)
	require.Nil(t, out.Err)
	return out
}

func TestWhatTheDatabaseTookTheGroundFromCannotBeUndone(t *testing.T) {
	index := designer.Edit{Op: designer.AddIndex, Table: ref("T"), Index: designer.IndexSpec{
		Name: new("ix"), Columns: []designer.IndexPart{{Name: "a"}}}}
	gone := designer.Edit{Op: designer.DropIndex, Table: ref("T"), IndexRef: designer.ObjectRef{Name: "ix"}}
	p := newProject(t)
	db := newDatabase("db", table("T", "a"))
	d := p.show(db)
	apply(t, d, addColumn("T", "first"))
	apply(t, d, index, gone)
	apply(t, d, addColumn("T", "last"))
	apply(t, d, index)
	takesBack(t, d.Undo, Steps{})
	db.set(table("T"), table("New"))
	refresh(t, d, db)
	require.Equal(t, map[string][]string{"T": {"Id", "first", "last"}, "New": {"Id"}}, names(t, d))

	p.restart()
	d = p.designer("db")
	refuses := func(move func(context.Context, Steps) (Outcome, error), n Steps) {
		t.Helper()
		before := modelOf(t, d)
		out, err := move(t.Context(), n)
		require.NoError(t, err)
		require.NotNil(t, out.Err)
		assert.Equal(t, designer.ValidationError, out.Err.Reason)
		assert.Contains(t, out.Err.Message, "index ix needs column 'a' of table 'main.T'")
		assert.Zero(t, out.Applied)
		assert.Equal(t, before, modelOf(t, d), "all of it stays")
	}
	refuses(d.Redo, Steps{})
	refuses(d.Undo, Steps{Count: 2})
	takesBack(t, d.Undo, Steps{Batch: true})
	refuses(d.Undo, Steps{})
	refuses(d.Undo, Steps{Batch: true})
	takesBack(t, d.Redo, Steps{})
	apply(t, d, addColumn("T", "later"))
	out, err := d.Redo(t.Context(), Steps{})
	require.NoError(t, err)
	require.NotNil(t, out.Err)
	assert.Equal(t, "There is nothing to redo", out.Err.Message, "a new edit ends what can be redone")
	assert.Equal(t, []string{"Id", "first", "last", "later"}, names(t, d)["T"])
}

func TestAStepOfTheDatabaseThatAnEarlierVersionKeptIsNotUndone(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("T", "a"))
	d := p.show(db)
	apply(t, d, addColumn("T", "mine"))
	out, err := d.Apply(t.Context(), Batch{Edits: []designer.Edit{addColumn("T", "theirs")}, ExpectedVersion: d.Version(), Origin: originDatabase})
	require.NoError(t, err)
	require.Nil(t, out.Err)
	apply(t, d, addColumn("T", "later"))
	p.restart()
	d = p.designer("db")
	before := modelOf(t, d)
	out, err = d.Undo(t.Context(), Steps{Count: 2})
	require.NoError(t, err)
	require.NotNil(t, out.Err)
	assert.Contains(t, out.Err.Message, "recorded as a step by an earlier version")
	assert.Equal(t, before, modelOf(t, d))
	takesBack(t, d.Undo, Steps{})
	assert.Equal(t, []string{"Id", "a", "mine", "theirs"}, names(t, d)["T"])
}

func TestAStepOfTheDatabaseThatAnEarlierVersionUndidCanBeRedone(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("T", "a"))
	d := p.show(db)
	apply(t, d, addColumn("T", "mine"))
	apply(t, d, addColumn("T", "theirs"))
	takesBack(t, d.Undo, Steps{})
	_, err := p.store.conn.ExecContext(t.Context(), "UPDATE steps SET origin = 'database' WHERE seq = 2")
	require.NoError(t, err)
	db.set(table("T", "a", "theirs"))
	p.restart()
	d = p.designer("db")
	takesBack(t, d.Redo, Steps{})
	refresh(t, d, db)
	base, err := d.Base(t.Context())
	require.NoError(t, err)
	now, err := d.Snapshot()
	require.NoError(t, err)
	items := designer.DiffOf(base, now).Items()
	require.Len(t, items, 1, "%v", items)
	assert.Equal(t, "mine", items[0].Name)
}

func TestUndoingAChoiceKeepsWhatTheDatabaseBrought(t *testing.T) {
	for side, steps := range map[merge.Side]int{merge.SideDesign: 3, merge.SideDatabase: 4} {
		p := newProject(t)
		db := newDatabase("db", table("Orders", "a"))
		d := p.show(db)
		apply(t, d, addColumn("Orders", "first"))
		apply(t, d, dropColumn("Orders", "a"))
		apply(t, d, addColumn("Orders", "last"))
		db.set(changed(), table("New"))
		refresh(t, d, db)
		require.Equal(t, Drifted, d.Info().Sync)
		out, err := d.Rebase(t.Context(), db, d.Version(), Caller{Origin: "page"}, func(merge.Conflict) merge.Side { return side })
		require.NoError(t, err)
		require.Nil(t, out.Err)
		assert.Equal(t, steps, d.Info().UndoSteps, side)
		for n := range steps {
			takesBack(t, d.Undo, Steps{})
			assert.Contains(t, names(t, d)["Orders"], "theirs", n)
			assert.Contains(t, names(t, d), "New", n)
		}
		assert.Equal(t, Synced, d.Info().Sync)
		assert.Equal(t, []string{"Id", "a", "theirs"}, names(t, d)["Orders"])
	}
}
