package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onEachServer plays a story on an empty database of each kind.
func onEachServer(t *testing.T, story func(t *testing.T, w *world)) {
	for _, dialect := range []string{"sqlite", "postgres", "mysql"} {
		t.Run(dialect, func(t *testing.T) { story(t, newServerWorld(t, dialect)) })
	}
}

// proposes reads the database and returns the changes that the design
// proposes to it.
func (w *world) proposes() string {
	w.t.Helper()
	got := w.does("get_changes", "", nil)
	require.True(w.t, got.Success, got.text)
	require.NotEqual(w.t, "drifted", got.Sync, got.text)
	list, err := json.Marshal(got.Changes)
	require.NoError(w.t, err)
	return string(list)
}

// steps undoes or redoes, which has to succeed.
func (w *world) steps(operation string) {
	w.t.Helper()
	got := w.does(operation, "", nil)
	require.True(w.t, got.Success, got.text)
}

func TestUndoTakesBackTheEditAndNotWhatChangedInTheDatabase(t *testing.T) {
	onEachServer(t, func(t *testing.T, w *world) {
		w.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)")
		w.edits(`{"op":"add_column","table":{"name":"t"},"column":{"name":"z","dataType":"INTEGER","isNullable":true}},
			{"op":"add_column","table":{"name":"t"},"column":{"name":"y","dataType":"INTEGER","isNullable":true}}`)
		w.exec("ALTER TABLE t RENAME COLUMN a TO b")
		w.exec("ALTER TABLE t ADD COLUMN h INTEGER")
		both := w.proposes()
		assert.NotContains(t, both, "drop_column")

		w.steps("undo")
		one := w.proposes()
		assert.Contains(t, one, `"name":"z"`)
		for _, other := range []string{"drop_column", `"name":"y"`, `"name":"a"`, `"name":"b"`, `"name":"h"`} {
			assert.NotContains(t, one, other)
		}
		w.restart()
		w.steps("undo")
		assert.Equal(t, "[]", w.proposes())
		assert.Contains(t, w.does("undo", "", nil).Message, "nothing to undo")

		w.exec("ALTER TABLE t ADD COLUMN g INTEGER")
		assert.Equal(t, "[]", w.proposes())
		w.steps("redo")
		assert.Equal(t, one, w.proposes())
		w.steps("redo")
		assert.Equal(t, both, w.proposes())
	})
}

func TestUndoAfterPublishingTakesBackTheEditAndNotTheServersSpelling(t *testing.T) {
	onEachServer(t, func(t *testing.T, w *world) {
		w.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER)")
		w.edits(`{"op":"add_check","table":{"name":"t"},"check":{"name":"ck","expression":"z>0 and z<9"}}`)
		done := w.published()
		require.True(t, done.Success, done.text)
		require.Equal(t, "[]", w.proposes())
		w.steps("undo")
		proposed := w.proposes()
		assert.Equal(t, 1, strings.Count(proposed, `"kind"`), proposed)
		assert.Contains(t, proposed, `"kind":"drop_check"`)
		w.restart()
		w.steps("redo")
		assert.Equal(t, "[]", w.proposes())
	})
}
