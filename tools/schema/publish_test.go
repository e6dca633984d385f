package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
)

const (
	users    = `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, note TEXT)`
	addPhone = `{"op":"add_column","table":{"name":"users"},"column":{"name":"phone","dataType":"TEXT","isNullable":true}}`
)

// published makes a publish with the person's yes.
func (w *world) published() answer {
	w.t.Helper()
	asked := w.does("publish", "", asking)
	require.NotNil(w.t, asked.ask, asked.text)
	return w.does("publish", "", accepting(asked.ask))
}

func TestAnAnswerIsGoodForOnePublishOfWhatWasAskedAbout(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	refused := w.does("publish", "", nil)
	assert.Equal(t, "approval_required", refused.Reason)
	asked := w.does("publish", "", asking)
	require.NotNil(t, asked.ask)

	w.server.target.Database = "another.db" // the config now means another file
	moved := w.does("publish", "", accepting(asked.ask))
	assert.Equal(t, "approval_required", moved.Reason, moved.text)
	w.server.target.Database = "app.db"

	w.edits(`{"op":"drop_column","table":{"name":"users"},"column":{"name":"note"}}`)
	changed := w.does("publish", "", accepting(asked.ask))
	assert.Equal(t, "approval_required", changed.Reason, changed.text)

	done := w.published()
	assert.True(t, done.Success, done.text)
	w.edits(`{"op":"drop_column","table":{"name":"users"},"column":{"name":"phone"}}`)
	again := w.does("publish", "", accepting(asked.ask))
	assert.False(t, again.Success, "a used answer is good for nothing")
}

func TestVerifyClaimsOnlyWhatWasTried(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	whole := w.does("verify", "", nil)
	assert.Contains(t, whole.Message, "accepted every step")
	w.server.trial = fmt.Errorf("app: %w", &designer.NotTriedError{Reason: "the rows were not tried"})
	part := w.does("verify", "", nil)
	assert.True(t, part.Success)
	assert.NotContains(t, part.Message, "every step")
	require.NotEmpty(t, part.Notes)
	assert.Equal(t, "the rows were not tried", part.Notes[0])
	asked := w.does("publish", "", asking)
	require.NotNil(t, asked.ask)
	assert.Contains(t, string(asked.ask.Requests), "the rows were not tried", "who approves is told")
}

func TestVerifyAndPublishSayTheirSteps(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	var said []string
	hears := func(next func(*tools.Call)) func(*tools.Call) {
		return func(c *tools.Call) {
			if next != nil {
				next(c)
			}
			c.Progress = func(done, total float64, message string) {
				said = append(said, fmt.Sprintf("%v/%v %s", done, total, message))
			}
		}
	}
	w.does("verify", "", hears(nil))
	assert.Equal(t, []string{"0/1 trying: Add column phone to users", "1/1 "}, said)
	said = nil
	asked := w.does("publish", "", hears(asking))
	require.NotNil(t, asked.ask, asked.text)
	assert.Equal(t, []string{"0/1 trying: Add column phone to users", "1/1 "}, said, "before a person is asked, too")
	said = nil
	require.True(t, w.does("publish", "", hears(accepting(asked.ask))).Success)
	assert.Equal(t, []string{"0/2 trying: Add column phone to users",
		"1/2 publishing: Add column phone to users", "2/2 "}, said)
}

func TestADesignThatNoStatementBringsAboutIsNotPublished(t *testing.T) {
	w := newServed(t, users)
	w.server.plan = func(p designer.Plan) designer.Plan {
		return designer.Plan{Dialect: p.Dialect, Transactional: true, Notes: []string{"comments stay in the design"}}
	}
	w.edits(addPhone)
	for _, operation := range []string{"verify", "publish"} {
		got := w.does(operation, "", asking)
		assert.Nil(t, got.ask, "nobody is asked about nothing")
		assert.Contains(t, got.Message, "nothing can be published", operation)
		assert.Equal(t, []string{"comments stay in the design"}, got.Notes)
	}
	assert.Len(t, w.does("publish", "", nil).Left, 1)
}

func TestAPublishThatFailsSaysHowItLeftTheDatabase(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	asked := w.does("publish", "", asking)
	w.server.broken = func(int, bool) error { return context.Canceled }
	cancelled := w.does("publish", "", accepting(asked.ask))
	assert.Contains(t, cancelled.Message, "nothing was published; the database is as it was", cancelled.text)

	asked = w.does("publish", "", asking)
	w.server.broken = func(int, bool) error {
		w.server.breakOff(errors.New("dial tcp: password=hunter2"))
		return errors.New("the server has gone away, password=hunter2")
	}
	lost := w.does("publish", "", accepting(asked.ask))
	assert.Contains(t, lost.Message, "could not be read afterwards", lost.text)
	assert.NotContains(t, lost.text, "nothing was")
	assert.NotContains(t, lost.text, "hunter2")
}

// told is an error with words for everyone.
type told struct{ error }

func (told) Plain() string { return "127.0.0.1:1 cannot be reached" }

func TestAnErrorThatHasWordsForEveryoneIsTold(t *testing.T) {
	w := newServed(t, users)
	w.edits(addPhone)
	w.server.breakOff(fmt.Errorf("read: %w", told{errors.New("postgres://ann:hunter2@db/")}))
	for _, operation := range []string{"get_changes", "verify", "publish", "rebase"} {
		got := w.does(operation, "", nil)
		assert.Equal(t, "127.0.0.1:1 cannot be reached", got.Message, got.text)
	}
}

// drifted makes n conflicts: design and database give columns other types.
func drifted(t *testing.T, n int) *world {
	t.Helper()
	var columns, edits, types []string
	for i := range n {
		columns = append(columns, fmt.Sprintf("c%d TEXT", i))
		types = append(types, fmt.Sprintf("c%d REAL", i))
		edits = append(edits, fmt.Sprintf(`{"op":"set_column","table":{"name":"t"},"column":{"name":"c%d"},"set":{"dataType":"INTEGER"}}`, i))
	}
	w := newServed(t, "CREATE TABLE t (id INTEGER PRIMARY KEY, "+strings.Join(columns, ", ")+")")
	w.edits(strings.Join(edits, ","))
	w.exec("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, " + strings.Join(types, ", ") + ")")
	return w
}

func TestEveryConflictOfALongListCanBeSeen(t *testing.T) {
	w := drifted(t, 300)
	seen, changes, offset := map[string]bool{}, 0, 0
	for {
		got := w.does("get_changes", fmt.Sprintf(`"options":{"offset":%d}`, offset), nil)
		require.True(t, got.Success, got.text)
		assert.LessOrEqual(t, len(got.text), catalog.MaxDesignerReplyBytes)
		for _, c := range got.Conflicts {
			seen[c.ID] = true
		}
		changes += len(got.Changes)
		if got.NextOffset == 0 {
			break
		}
		require.Greater(t, got.NextOffset, offset)
		offset = got.NextOffset
	}
	assert.Len(t, seen, 300)
	assert.Equal(t, 300, changes)
}

func TestAThousandChangesArePaged(t *testing.T) {
	w := newServed(t, users)
	var edits []string
	for i := range 1000 {
		edits = append(edits, fmt.Sprintf(`{"op":"add_column","table":{"name":"users"},"column":{"name":"%s%d","dataType":"TEXT","isNullable":true}}`, strings.Repeat("long", 10), i))
	}
	w.edits(strings.Join(edits, ","))
	got := w.does("get_changes", "", nil)
	assert.LessOrEqual(t, len(got.text), catalog.MaxDesignerReplyBytes)
	assert.Equal(t, 1000, got.Total)
	assert.Equal(t, len(got.Changes), got.NextOffset)
	asked := w.does("publish", "", asking)
	require.NotNil(t, asked.ask)
	assert.LessOrEqual(t, len(asked.ask.Requests), 8<<10)
	assert.True(t, w.does("publish", "", accepting(asked.ask)).Success)
}

func TestARebaseIsGoodForTheConflictsThatWereAskedAbout(t *testing.T) {
	w := drifted(t, 1)
	all := `"payload":{"choices":[{"conflict":"*","side":"database"}]}`
	refused := w.does("publish", "", asking)
	assert.Equal(t, "drifted", refused.Reason, refused.text)
	asked := w.does("rebase", all, asking)
	require.NotNil(t, asked.ask)
	w.exec("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, c0 BLOB)")
	changed := w.does("rebase", all, accepting(asked.ask))
	assert.Equal(t, "approval_required", changed.Reason, changed.text)

	asked = w.does("rebase", all, asking)
	done := w.does("rebase", all, accepting(asked.ask))
	require.True(t, done.Success, done.text)
	after := w.does("get_changes", "", nil)
	assert.Equal(t, "synced", after.Sync)
	nothing := w.does("rebase", all, asking)
	assert.Contains(t, nothing.Message, "nothing to choose")
}

func TestAQuestionShowsFirstWhatLosesData(t *testing.T) {
	w := newServed(t, users+"; CREATE TABLE zoo (id INTEGER PRIMARY KEY)")
	var edits []string
	for i := range 30 {
		edits = append(edits, fmt.Sprintf(`{"op":"add_table","table":{"name":"a%02d"},"initialColumns":[{"name":"id","dataType":"INTEGER","isPrimaryKey":true}]}`, i))
	}
	w.server.plan = func(p designer.Plan) designer.Plan {
		for i, s := range p.Steps { // the drop comes last
			if strings.HasPrefix(s.Statement, "DROP TABLE") {
				p.Steps = append(append(p.Steps[:i:i], p.Steps[i+1:]...), s)
			}
		}
		return p
	}
	w.edits(strings.Join(edits, ",") + `,{"op":"drop_table","table":{"name":"zoo"}}`)
	asked := w.does("publish", "", asking)
	require.NotNil(t, asked.ask)
	var requests map[string]struct{ Params struct{ Message string } }
	require.NoError(t, json.Unmarshal(asked.ask.Requests, &requests))
	lines := strings.Split(requests["confirm"].Params.Message, "\n")
	assert.Contains(t, lines[1], "data loss", requests["confirm"].Params.Message)
}
