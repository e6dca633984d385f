package instance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
)

// fakeDesigns tells what it was asked.
type fakeDesigns struct{ err error }

type told struct {
	Asked string          `json:"asked"`
	Body  json.RawMessage `json:"body,omitempty"`
}

func (f fakeDesigns) Designs(context.Context) (any, error) { return told{Asked: "list"}, f.err }
func (f fakeDesigns) Design(_ context.Context, c string) (any, string, error) {
	return told{Asked: "design " + c}, "7-abc", f.err
}
func (f fakeDesigns) Types(_ context.Context, c string) (any, error) {
	return told{Asked: "types " + c}, f.err
}
func (f fakeDesigns) History(_ context.Context, c string, limit int, tables bool) (any, error) {
	return map[string]any{"asked": "history " + c, "limit": limit, "tables": tables}, f.err
}
func (f fakeDesigns) Changes(_ context.Context, c string) (any, error) {
	return told{Asked: "changes " + c}, f.err
}
func (f fakeDesigns) Plan(_ context.Context, c string) (any, error) {
	return told{Asked: "plan " + c}, f.err
}
func (f fakeDesigns) Script(_ context.Context, c, format, dialect string) (any, error) {
	return told{Asked: "script " + c + " " + format + " " + dialect}, f.err
}
func (f fakeDesigns) Layout(_ context.Context, c string) (any, error) {
	return told{Asked: "layout " + c}, f.err
}
func (f fakeDesigns) Review(_ context.Context, c string) (any, error) {
	return told{Asked: "review " + c}, f.err
}
func (f fakeDesigns) Look(_ context.Context, c string, b json.RawMessage) (any, error) {
	return told{"look " + c, b}, f.err
}
func (f fakeDesigns) Import(_ context.Context, c string, b json.RawMessage) (any, error) {
	return told{"import " + c, b}, f.err
}
func (f fakeDesigns) Revert(_ context.Context, c string, b json.RawMessage) (any, error) {
	return told{"revert " + c, b}, f.err
}
func (f fakeDesigns) SetLayout(_ context.Context, c string, b json.RawMessage) (any, error) {
	return told{"move " + c, b}, f.err
}
func (f fakeDesigns) SetReview(_ context.Context, c string, b json.RawMessage) (any, error) {
	return told{"keep " + c, b}, f.err
}

type fakeProjects struct{ err error }

func (f fakeProjects) Projects(context.Context) (any, error) { return []string{"a", "b"}, f.err }
func (f fakeProjects) Open(context.Context, string) error    { return f.err }

func withDesigns(err error) func(*instance.Config) {
	return func(c *instance.Config) { c.Designs, c.Projects = fakeDesigns{err}, fakeProjects{err} }
}

func TestTheRoutesOfDesignsAskWhatTheySay(t *testing.T) {
	r := start(t, withDesigns(nil))
	for path, want := range map[string]string{
		"/designs":                                      `{"asked":"list"}`,
		"/designs/a%2Fb%20c":                            `{"asked":"design a/b c"}`,
		"/designs/main/types":                           `{"asked":"types main"}`,
		"/designs/main/changes":                         `{"asked":"changes main"}`,
		"/designs/main/plan":                            `{"asked":"plan main"}`,
		"/designs/main/layout":                          `{"asked":"layout main"}`,
		"/designs/main/review":                          `{"asked":"review main"}`,
		"/designs/main/history":                         `{"asked":"history main","limit":0,"tables":false}`,
		"/designs/main/history?limit=7&tables=true":     `{"asked":"history main","limit":7,"tables":true}`,
		"/designs/main/script?format=sql&dialect=mssql": `{"asked":"script main sql mssql"}`,
		"/projects":                                     `{"projects":["a","b"]}`,
	} {
		resp, text := r.ask("GET", path, nil)
		assert.Equal(t, http.StatusOK, resp.StatusCode, path)
		assert.JSONEq(t, want, text, path)
	}
	resp, _ := r.ask("GET", "/designs/main/history?limit=x", nil)
	assert.Equal(t, http.StatusBadRequest, resp.StatusCode)
	resp, _ = r.ask("GET", "/designs/main/nothing", nil)
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
}

func TestWhatAPersonDoesAtThePageTakesAPageKey(t *testing.T) {
	r := start(t, withDesigns(nil))
	_, credential := r.signIn()
	page := as(credential)
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/designs/main/import", `{"text":"x"}`, `{"asked":"import main","body":{"text":"x"}}`},
		{"POST", "/designs/main/revert", `{"steps":[1]}`, `{"asked":"revert main","body":{"steps":[1]}}`},
		{"PUT", "/designs/main/layout", `{"positions":{}}`, `{"asked":"move main","body":{"positions":{}}}`},
		{"PUT", "/designs/main/review", `{"review":{}}`, `{"asked":"keep main","body":{"review":{}}}`},
		{"POST", "/projects/open", `{"projectRoot":"/x"}`, `{"opened":true}`},
	} {
		resp, text := r.ask(c.method, c.path, c.body)
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, "%s with the token: %s", c.path, text)
		resp, text = r.ask(c.method, c.path, c.body, page)
		assert.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", c.path, text)
		assert.JSONEq(t, c.want, text, c.path)
		resp, text = r.ask(c.method, c.path, `{"a":1,"a":2}`, page)
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, "%s: a name twice: %s", c.path, text)
	}
}

func TestAnyKeyLooksAtTheDatabase(t *testing.T) {
	r := start(t, withDesigns(nil))
	_, credential := r.signIn()
	for _, key := range []func(*http.Request){func(*http.Request) {}, as(credential)} {
		resp, text := r.ask("POST", "/designs/main/look", `{"whole":true}`, key)
		assert.Equal(t, http.StatusOK, resp.StatusCode, text)
		assert.JSONEq(t, `{"asked":"look main","body":{"whole":true}}`, text)
	}
}

func TestAPageThatHasTheDesignIsToldSo(t *testing.T) {
	r := start(t, withDesigns(nil))
	resp, _ := r.ask("GET", "/designs/main", nil)
	tag := resp.Header.Get("ETag")
	assert.Equal(t, `"7-abc"`, tag)
	known := func(tag string) func(*http.Request) {
		return func(req *http.Request) { req.Header.Set("If-None-Match", tag) }
	}
	resp, text := r.ask("GET", "/designs/main", nil, known(tag))
	assert.Equal(t, http.StatusNotModified, resp.StatusCode)
	assert.Empty(t, text)
	resp, _ = r.ask("GET", "/designs/main", nil, known(`"6-abc"`))
	assert.Equal(t, http.StatusOK, resp.StatusCode)
}

// refusal is an error that says how it is told.
type refusal struct{ code, message string }

func (r refusal) Error() string             { return r.message }
func (r refusal) Refusal() (string, string) { return r.code, r.message }

func TestARefusalOfADesignIsToldAsItSaysAndAnythingElseIsNot(t *testing.T) {
	r := start(t, withDesigns(refusal{"not_found", "no such design"}))
	for _, path := range []string{"/designs", "/designs/x", "/designs/x/plan", "/projects"} {
		resp, text := r.ask("GET", path, nil)
		assert.Equal(t, http.StatusNotFound, resp.StatusCode, path)
		assert.JSONEq(t, `{"message":"no such design","error":"not_found"}`, text, path)
	}
	r = start(t, withDesigns(errors.New("password=hunter2")))
	resp, text := r.ask("GET", "/designs/x", nil)
	require.Equal(t, http.StatusInternalServerError, resp.StatusCode)
	assert.NotContains(t, text, "hunter2")
}
