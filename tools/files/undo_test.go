package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/version"
)

// editID returns the id of the edit that was announced last.
func (b *bench) editID() string {
	b.Helper()
	all := b.announced()
	require.NotEmpty(b, all)
	return all[len(all)-1].(files.EditNotice).EditID
}

func TestAnEditOfFastModeIsUndoneOnce(t *testing.T) {
	b := newBench(t, fast)
	b.client.Name, b.client.Version = "agent", "1"
	b.put("a.txt", "one\r\ntwo\r\n")
	require.True(t, b.edit("a.txt", edit{"old_text": "two", "new_text": "2\n3"}).Success)
	id := b.editID()
	require.NotEmpty(t, id)
	found, err := b.tool.FindEdit(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, files.EditStands, found.State)
	assert.Equal(t, "a.txt", found.Path)
	assert.Equal(t, [2]string{"one\r\ntwo\r\n", "one\r\n2\r\n3\r\n"}, [2]string{*found.Before.Text, *found.After.Text})
	assert.Equal(t, version.Of([]byte("one\r\ntwo\r\n")), found.Before.Version)

	undone, err := b.tool.UndoEdit(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, files.EditUndone, undone.State)
	assert.Equal(t, "one\r\ntwo\r\n", b.content("a.txt"), "to the byte")
	list := b.ledger.List()
	require.Len(t, list, 1, "it is on record")
	assert.Equal(t, approval.Used, list[0].State)
	assert.Equal(t, "Undo the edit of a.txt (+1 -2)", list[0].Title)
	assert.Contains(t, list[0].Detail, "-2\n-3\n+two\n")
	assert.Equal(t, "agent 1", list[0].Client)
	assert.Equal(t, found.After.Version, list[0].Files[0].Before.Version)

	b.put("a.txt", "by hand\n")
	again, err := b.tool.UndoEdit(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, files.EditUndone, again.State)
	assert.Equal(t, "by hand\n", b.content("a.txt"))
	assert.Len(t, b.ledger.List(), 1)
}

func TestAnUndoWritesOnlyOverTheEditsOwnResult(t *testing.T) {
	for name, change := range map[string]func(b *bench){
		"edited by hand":     func(b *bench) { b.put("a.txt", "2\nby hand\n") },
		"edited by an agent": func(b *bench) { b.edit("a.txt", edit{"old_text": "2", "new_text": "22"}) },
		"removed":            func(b *bench) { require.NoError(b, os.Remove(filepath.Join(b.dir, "a.txt"))) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, fast)
			b.put("a.txt", "two\n")
			require.True(t, b.edit("a.txt", edit{"old_text": "two", "new_text": "2"}).Success)
			id := b.editID()
			change(b)
			before, _ := os.ReadFile(filepath.Join(b.dir, "a.txt")) // or there is none
			got, err := b.tool.UndoEdit(t.Context(), id)
			require.NoError(t, err)
			assert.Equal(t, files.EditChanged, got.State)
			assert.Equal(t, "two\n", *got.Before.Text, "for a person who looks at both")
			after, _ := os.ReadFile(filepath.Join(b.dir, "a.txt"))
			assert.Equal(t, string(before), string(after))
			assert.Empty(t, b.ledger.List())
		})
	}
}

func TestWhatCannotBeUndoneIsNotOffered(t *testing.T) {
	b := newBench(t, fast)
	created := b.do(catalog.EditFile, arguments{"path": "new.txt", "version": "none", "edits": []edit{{"old_text": "", "new_text": "x\n"}}})
	require.True(t, created.Success)
	notice := b.announced()[0].(files.EditNotice)
	assert.True(t, notice.Fast)
	assert.Empty(t, notice.EditID, "nothing here removes files")
	_, err := b.tool.UndoEdit(t.Context(), "zzzzzzzzzz")
	require.ErrorIs(t, err, files.ErrUnknownEdit)

	b.put("large.txt", "small\n")
	require.True(t, b.edit("large.txt", edit{"old_text": "small", "new_text": strings.Repeat("large\n", 200_000)}).Success)
	found, err := b.tool.FindEdit(t.Context(), b.editID())
	require.NoError(t, err)
	assert.Nil(t, found.After.Text, "no text over %d bytes is passed on", approval.MaxText)
	assert.NotNil(t, found.Before.Text)
}

func TestTheOldestEditsAreForgotten(t *testing.T) {
	b := newBench(t, fast)
	b.put("a.txt", "0\n")
	require.True(t, b.edit("a.txt", edit{"old_text": "0", "new_text": "1"}).Success)
	first := b.editID()
	for range 32 {
		require.True(t, b.edit("a.txt", edit{"old_text": "1", "new_text": "2"}).Success)
		require.True(t, b.edit("a.txt", edit{"old_text": "2", "new_text": "1"}).Success)
	}
	_, err := b.tool.FindEdit(t.Context(), first)
	require.ErrorIs(t, err, files.ErrUnknownEdit)
	_, err = b.tool.FindEdit(t.Context(), b.editID())
	require.NoError(t, err)
}

func TestAnEditThatAPersonApprovedOffersNoUndo(t *testing.T) {
	b := newBench(t, files.Settings{})
	b.put("a.txt", "two\n")
	r := b.edit("a.txt", edit{"old_text": "two", "new_text": "2"})
	_, err := b.ledger.Settle(r.PlanID, true, "")
	require.NoError(t, err)
	v := version.Of([]byte("two\n"))
	require.True(t, b.do(catalog.EditFile, arguments{"path": "a.txt", "version": v, "plan_id": r.PlanID, "edits": []edit{{"old_text": "two", "new_text": "2"}}}).Success)
	assert.Equal(t, []any{files.EditNotice{Type: "file_edited", Path: "a.txt", Additions: 1, Deletions: 1}}, b.announced())
}
