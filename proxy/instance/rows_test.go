package instance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools/db/browse"
	"github.com/berth-dev/berth/tools/db/rowedit"
)

// fakeRows writes text, in parts of some bytes, and then fails if it is to.
type fakeRows struct {
	text  string
	err   error
	asked *[]string
}

func (f fakeRows) note(what, connection string, r browse.Request) {
	*f.asked = append(*f.asked, fmt.Sprint(what, " ", connection, " ", r.Table.Name, " ", r.Filters, r.Order, r.Limit))
}

func (f fakeRows) PageRows(_ context.Context, c string, r browse.Request, single bool) (json.RawMessage, error) {
	f.note(fmt.Sprint("rows ", single), c, r)
	return json.RawMessage(`{"rows":[[1.0]]}`), f.err
}

func (f fakeRows) PageCount(_ context.Context, c string, r browse.Request) (browse.Counted, error) {
	f.note("count", c, r)
	return browse.Counted{ElapsedMs: 3}, f.err
}

func (f fakeRows) PageSave(_ context.Context, c string, r browse.Request, format browse.Format, w io.Writer) (browse.Saved, error) {
	f.note("save "+string(format), c, r)
	for at := 0; at < len(f.text); at += 5 {
		if _, err := io.WriteString(w, f.text[at:min(at+5, len(f.text))]); err != nil {
			return browse.Saved{}, err
		}
	}
	return browse.Saved{Rows: 2, Bytes: int64(len(f.text)), Limit: "2 rows"}, f.err
}

func (f fakeRows) PageReview(_ context.Context, c string, r rowedit.Changes) (rowedit.Reviewed, error) {
	*f.asked = append(*f.asked, fmt.Sprint("review ", c, " ", r.Table.Name, " ", r.Rows))
	return rowedit.Reviewed{Statements: []rowedit.Shown{{SQL: "UPDATE"}}, Seal: "s", Database: "d"}, f.err
}

func (f fakeRows) PageRun(_ context.Context, c string, r rowedit.Run) (rowedit.Outcome, error) {
	*f.asked = append(*f.asked, fmt.Sprint("run ", r.Seal, " ", c, " ", r.Table.Name, " ", r.Rows))
	return rowedit.Outcome{Refused: &rowedit.Refused{Change: 1, Why: "it is gone"}}, f.err
}

func withRows(rows fakeRows) func(*instance.Config) {
	return func(c *instance.Config) { c.Rows = rows }
}

const askedRows = `{"table":{"schema":"s","name":"t"},"filters":[{"column":"a","is":"eq","value":"x"}],"order":[{"column":"b","descending":true}],"limit":7,"single":true,"format":"csv"}`

func TestRowsAreForAPersonAtThePage(t *testing.T) {
	var asked []string
	r := start(t, withRows(fakeRows{text: "a\r\n", asked: &asked}))
	_, credential := r.signIn()
	for path, want := range map[string]string{
		"/designs/main/rows":       `{"rows":[[1.0]]}`,
		"/designs/main/rows/count": `{"rows":null,"elapsedMs":3}`,
		"/designs/main/rows/save":  "{\"text\":\"a\\r\\n\"}\n{\"saved\":{\"rows\":2,\"bytes\":3,\"limit\":\"2 rows\"}}",
	} {
		asked = nil
		resp, text := r.ask("POST", path, askedRows)
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, "%s with the token: %s", path, text)
		assert.Empty(t, asked, path)
		resp, text = r.ask("POST", path, askedRows, as(credential))
		assert.Equal(t, http.StatusOK, resp.StatusCode, text)
		assert.Equal(t, want, strings.TrimSpace(text), path)
		require.Len(t, asked, 1)
		assert.Contains(t, asked[0], " main t [{a eq x }] [{b true}] 7")
		resp, _ = r.ask("POST", path, `{"table":1}`, as(credential))
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, path)
	}
}

// The token that an agent's front-end has changes no row.
func TestRowsAreChangedByAPersonAtThePage(t *testing.T) {
	const changes = `{"table":{"name":"t"},"seal":"s1","changes":[{"kind":"update","row":{"id":{"as":"number","text":"1"}},"set":{"a":{"as":"null"}}}]}`
	var asked []string
	r := start(t, withRows(fakeRows{asked: &asked}))
	_, credential := r.signIn()
	for path, want := range map[string]struct{ reply, asked string }{
		"/designs/main/rows/review": {`{"statements":[{"sql":"UPDATE"}],"seal":"s","database":"d"}`, "review main t [{update map[id:{number 1}] map[a:{null }]}]"},
		"/designs/main/rows/run":    {`{"refused":{"change":1,"why":"it is gone","now":null},"elapsedMs":0}`, "run s1 main t [{update map[id:{number 1}] map[a:{null }]}]"},
	} {
		asked = nil
		resp, text := r.ask("POST", path, changes)
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, "%s with the token: %s", path, text)
		resp, _ = r.ask("POST", path, changes, as("nothing"))
		assert.Equal(t, http.StatusUnauthorized, resp.StatusCode, path)
		assert.Empty(t, asked, path)
		resp, text = r.ask("POST", path, changes, as(credential))
		assert.Equal(t, http.StatusOK, resp.StatusCode, text)
		assert.Equal(t, want.reply, strings.TrimSpace(text), path)
		assert.Equal(t, []string{want.asked}, asked)
		resp, _ = r.ask("POST", path, `{"table":1}`, as(credential))
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, path)
	}
}

// A file comes in lines, no character in two of them, and its end is told.
func TestASavedFileIsToldWholeOrNot(t *testing.T) {
	const text = "naïve\r\n\"船\n船\"\r\n船船船船船船"
	parts := func(answer string) (whole string, last string) {
		for line := range strings.Lines(answer) {
			var l struct{ Text string }
			require.NoError(t, json.Unmarshal([]byte(line), &l))
			whole, last = whole+l.Text, strings.TrimSpace(line)
		}
		return whole, last
	}
	var asked []string
	r := start(t, withRows(fakeRows{text: text, asked: &asked}))
	resp, answer := r.ask("POST", "/designs/main/rows/save", askedRows, as(r.signedIn()))
	assert.Equal(t, "application/x-ndjson", resp.Header.Get("Content-Type"))
	whole, last := parts(answer)
	assert.Equal(t, text, whole)
	assert.Equal(t, `{"saved":{"rows":2,"bytes":`+fmt.Sprint(len(text))+`,"limit":"2 rows"}}`, last)

	r = start(t, withRows(fakeRows{text: text, err: refusal{"query_failed", "the server went away"}, asked: &asked}))
	resp, answer = r.ask("POST", "/designs/main/rows/save", askedRows, as(r.signedIn()))
	assert.Equal(t, http.StatusOK, resp.StatusCode, "it had begun")
	_, last = parts(answer)
	assert.Equal(t, `{"failure":{"message":"the server went away","error":"query_failed"}}`, last)

	r = start(t, withRows(fakeRows{err: refusal{"invalid_request", "no"}, asked: &asked}))
	resp, _ = r.ask("POST", "/designs/main/rows/save", askedRows, as(r.signedIn()))
	assert.Equal(t, http.StatusBadRequest, resp.StatusCode, "nothing was sent")
	r = start(t, withRows(fakeRows{text: text, err: errors.New("password=hunter2"), asked: &asked}))
	_, answer = r.ask("POST", "/designs/main/rows/save", askedRows, as(r.signedIn()))
	assert.NotContains(t, answer, "hunter2")
}
