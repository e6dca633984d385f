package session

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

func happenedTo(t *testing.T, d *Designer, limit int) (list []string) {
	t.Helper()
	kept, err := d.Happened(t.Context(), limit)
	require.NoError(t, err)
	for _, h := range kept {
		list = append(list, fmt.Sprintf("%s %s%s %d", h.Type, h.Origin, h.Client, len(h.Tables)))
	}
	return list
}

func TestWhatHappenedIsKept(t *testing.T) {
	p := newProject(t)
	db := newDatabase("db", table("A", "x"))
	d := p.show(db)
	assert.Empty(t, happenedTo(t, d, 10))
	apply(t, d, retype("A", "x", "text"))
	_, err := d.Undo(t.Context(), Steps{Origin: "agent", Client: "coder 2"})
	require.NoError(t, err)
	_, err = d.Redo(t.Context(), Steps{Origin: "page"})
	require.NoError(t, err)
	db.set(table("A", "x"), table("B"))
	_, err = d.Refresh(t.Context(), db)
	require.NoError(t, err)
	want := []string{"refreshed database 1", "redone page 1", "undone agentcoder 2 1"}
	assert.Equal(t, want, happenedTo(t, d, 10))
	p.restart()
	d = p.designer("db")
	assert.Equal(t, want, happenedTo(t, d, 10))
	assert.Equal(t, want[:2], happenedTo(t, d, 2))
	kept, err := d.Happened(t.Context(), 1)
	require.NoError(t, err)
	assert.Equal(t, p.opts.Now(), kept[0].At)
	assert.Equal(t, Proposed, kept[0].Sync)
	assert.Equal(t, "B", kept[0].Changes.TablesAdded[0].Name)
}

func TestOfWhatHappenedTheNewestIsKept(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A")))
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	large := &designer.Changes{}
	for i := range 500 {
		large.TablesAdded = append(large.TablesAdded, designer.TableName{Schema: "main", Name: fmt.Sprint("table", i)})
	}
	require.NoError(t, p.store.write(t.Context(), func(w *writer) error {
		for seq := range uint64(keptHappenings + 3) {
			if err := w.happened(d.row.id, Event{Seq: 100 + seq, Type: Undone, Changes: large, Status: &Status{}}, at); err != nil {
				return err
			}
		}
		return nil
	}, nil))
	kept, err := d.Happened(t.Context(), 10*keptHappenings)
	require.NoError(t, err)
	require.Len(t, kept, keptHappenings)
	assert.EqualValues(t, 100+keptHappenings+2, kept[0].Seq)
	assert.Nil(t, kept[0].Changes, "they are too large")
}

func TestAStateFromBeforeKnowsNothingThatHappened(t *testing.T) {
	p := newProject(t)
	d := p.show(newDatabase("db", table("A", "x")))
	out := apply(t, d, retype("A", "x", "text"))
	require.NoError(t, p.Close())
	db, err := sql.Open("sqlite", filepath.Join(p.dir, dbName))
	require.NoError(t, err)
	_, err = db.Exec("DROP TABLE happenings; PRAGMA user_version = 5")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	p.open()
	d = p.designer("db")
	assert.Equal(t, out.Version, d.Version())
	assert.Empty(t, happenedTo(t, d, 10))
	_, err = d.Undo(t.Context(), Steps{Origin: "page"})
	require.NoError(t, err)
	assert.Equal(t, []string{"undone page 1"}, happenedTo(t, d, 10))
}
