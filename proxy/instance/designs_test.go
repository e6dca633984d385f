package instance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/tools/pageapi"
	"github.com/berth-dev/berth/tools/schema"
)

// fakeDesigns records what it was asked.
type fakeDesigns struct {
	err   error
	asked *[]string
}

func (f fakeDesigns) note(what string, args ...any) error {
	if f.asked != nil {
		*f.asked = append(*f.asked, strings.TrimSpace(what+" "+fmt.Sprint(args...)))
	}
	return f.err
}

func (f fakeDesigns) Designs(context.Context) (pageapi.Listing, error) {
	return pageapi.Listing{Seq: 7}, f.note("list")
}
func (f fakeDesigns) Design(_ context.Context, c string) (pageapi.Design, string, error) {
	return pageapi.Design{Seq: 7}, "7-abc", f.note("design", c)
}
func (f fakeDesigns) Types(_ context.Context, c string) (pageapi.Forms, error) {
	return pageapi.Forms{Title: "SQLite"}, f.note("types", c)
}
func (f fakeDesigns) History(_ context.Context, c string, limit int, tables bool) (pageapi.History, error) {
	return pageapi.History{}, f.note("history", fmt.Sprint(c, " ", limit, " ", tables))
}
func (f fakeDesigns) Changes(_ context.Context, c string) (pageapi.Changes, error) {
	return pageapi.Changes{}, f.note("changes", c)
}
func (f fakeDesigns) Plan(_ context.Context, c string) (schema.PageReply[schema.PublishPlan], error) {
	return schema.PageReply[schema.PublishPlan]{Result: schema.PublishPlan{Plan: "p"}}, f.note("plan", c)
}
func (f fakeDesigns) Script(_ context.Context, c string, form schema.TextForm) (schema.PageReply[schema.DesignText], error) {
	return schema.PageReply[schema.DesignText]{Refusal: schema.ToolReply(`{"success":false}`)}, f.note("script", fmt.Sprint(c, " ", form))
}
func (f fakeDesigns) Lint(_ context.Context, c string, rules []string) (schema.LintReport, error) {
	return schema.LintReport{Version: "v"}, f.note("lint", fmt.Sprint(c, " ", rules))
}
func (f fakeDesigns) Layout(_ context.Context, c string) (pageapi.Layout, error) {
	return pageapi.Layout{}, f.note("layout", c)
}
func (f fakeDesigns) Review(_ context.Context, c string) (pageapi.Review, error) {
	return pageapi.Review{Version: "v"}, f.note("review", c)
}
func (f fakeDesigns) Look(_ context.Context, c string, r pageapi.LookRequest) (schema.PageDatabaseState, error) {
	return schema.PageDatabaseState{}, f.note("look "+c, r.Whole)
}
func (f fakeDesigns) Import(_ context.Context, c string, text schema.TextImport) (schema.PageReply[schema.ToolReply], error) {
	return schema.PageReply[schema.ToolReply]{Result: schema.ToolReply(`{"success":true}`)}, f.note("import "+c, text.Text)
}
func (f fakeDesigns) Revert(_ context.Context, c string, r pageapi.RevertRequest) (schema.PageReply[schema.ToolReply], error) {
	return schema.PageReply[schema.ToolReply]{Result: schema.ToolReply(`{"success":true}`)}, f.note("revert "+c, r.Steps)
}
func (f fakeDesigns) SetLayout(_ context.Context, c string, r pageapi.LayoutRequest) (pageapi.LayoutReply, error) {
	return pageapi.LayoutReply{Counter: 3}, f.note("move "+c, len(r.Positions))
}
func (f fakeDesigns) Canvas(_ context.Context, c string) (pageapi.Canvas, error) {
	return pageapi.Canvas{}, f.note("canvas", c)
}
func (f fakeDesigns) SetCanvas(_ context.Context, c string, r pageapi.CanvasRequest) (pageapi.CanvasReply, error) {
	return pageapi.CanvasReply{Counter: 5}, f.note("draw "+c, len(r.Items))
}
func (f fakeDesigns) SavedViews(_ context.Context, c string) (pageapi.SavedViews, error) {
	return pageapi.SavedViews{}, f.note("views", c)
}
func (f fakeDesigns) SetSavedView(_ context.Context, c string, r pageapi.SavedViewRequest) (pageapi.SavedViewReply, error) {
	return pageapi.SavedViewReply{Counter: 4, ID: "v"}, f.note("save "+c, len(r.Tables))
}
func (f fakeDesigns) SetReview(_ context.Context, c string, r pageapi.ReviewRequest) (schema.PageReply[schema.ToolReply], error) {
	return schema.PageReply[schema.ToolReply]{Result: schema.ToolReply(`{"success":true}`)}, f.note("review "+c, r.Verdict, r.Keys)
}
func (f fakeDesigns) Notes(_ context.Context, c string) (pageapi.Notes, error) {
	return pageapi.Notes{}, f.note("notes", c)
}
func (f fakeDesigns) SetNotes(_ context.Context, c string, r pageapi.NoteRequest) (pageapi.Notes, error) {
	return pageapi.Notes{}, f.note("note "+c, r.Text)
}
func (f fakeDesigns) Team(_ context.Context, c string) (pageapi.TeamState, error) {
	return pageapi.TeamState{}, f.note("team", c)
}
func (f fakeDesigns) SetTeam(_ context.Context, c string, r pageapi.TeamRequest) (pageapi.TeamDone, error) {
	return pageapi.TeamDone{Tables: 5}, f.note("team "+c, r.Action, r.Name)
}

// Begin makes it one of [instance.NewDesigns].
func (f fakeDesigns) Begin(_ context.Context, n pageapi.NewDesign) (pageapi.NewDesignReply, error) {
	return pageapi.NewDesignReply{Name: n.Name, Dialect: "sqlite"}, f.note("begin "+n.Name, n.DryRun)
}

func (f fakeDesigns) NewFile(_ context.Context, c string, n pageapi.NewFile) (pageapi.NewFileReply, error) {
	return pageapi.NewFileReply{Connection: "main", Path: n.Path}, f.note("file "+c, n.Path)
}

type fakeProjects struct{ err error }

func (f fakeProjects) Projects(context.Context) (any, error) { return []string{"a", "b"}, f.err }
func (f fakeProjects) Open(context.Context, string) error    { return f.err }

func withDesigns(err error) func(*instance.Config) { return recordedDesigns(err, nil) }

func recordedDesigns(err error, asked *[]string) func(*instance.Config) {
	return func(c *instance.Config) {
		c.Designs, c.NewDesigns, c.Projects = fakeDesigns{err, asked}, fakeDesigns{err, asked}, fakeProjects{err}
	}
}

func TestTheRoutesOfDesignsAskWhatTheySay(t *testing.T) {
	var asked []string
	r := start(t, recordedDesigns(nil, &asked))
	for path, want := range map[string]struct{ asked, part string }{
		"/designs":                                      {"list", `"seq":7`},
		"/designs/a%2Fb%20c":                            {"design a/b c", `"seq":7`},
		"/designs/main/types":                           {"types main", `"title":"SQLite"`},
		"/designs/main/changes":                         {"changes main", `"count":0`},
		"/designs/main/plan":                            {"plan main", `"plan":"p"`},
		"/designs/main/layout":                          {"layout main", `"counter":0`},
		"/designs/main/canvas":                          {"canvas main", `"items":null`},
		"/designs/main/saved-views":                     {"views main", `"counter":0`},
		"/designs/main/lint?rule=a&rule=b":              {"lint main [a b]", `"version":"v"`},
		"/designs/main/review":                          {"review main", `"version":"v"`},
		"/designs/main/notes":                           {"notes main", `"notes":null`},
		"/designs/main/team":                            {"team main", `"team":null`},
		"/designs/main/history":                         {"history main 0 false", `"undo"`},
		"/designs/main/history?limit=7&tables=true":     {"history main 7 true", `"undo"`},
		"/designs/main/script?format=sql&dialect=mssql": {"script main {sql mssql false}", `{"success":false}`},
		"/designs/main/script?format=sql&owners=true":   {"script main {sql  true}", `{"success":false}`},
		"/projects":                                     {"", `{"projects":["a","b"]}`},
	} {
		asked = []string{""}
		resp, text := r.ask("GET", path, nil)
		assert.Equal(t, http.StatusOK, resp.StatusCode, path)
		assert.Equal(t, want.asked, asked[len(asked)-1], path)
		assert.Contains(t, text, want.part, path)
	}
	resp, _ := r.ask("GET", "/designs/main/history?limit=x", nil)
	assert.Equal(t, http.StatusBadRequest, resp.StatusCode)
	resp, _ = r.ask("GET", "/designs/main/nothing", nil)
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
}

func TestWhatAPersonDoesAtThePageTakesAPageKey(t *testing.T) {
	var asked []string
	r := start(t, recordedDesigns(nil, &asked))
	_, credential := r.signIn()
	page := as(credential)
	for _, c := range []struct{ method, path, body, asked, want string }{
		{"POST", "/designs/a%2Fb/file", `{"path":"data/app.db"}`, "file a/b data/app.db", `{"connection":"main","name":"","path":"data/app.db","file":""}`},
		{"POST", "/designs", `{"name":"shop","dryRun":true}`, "begin shop true", `{"name":"shop","dialect":"sqlite","file":"","guess":{}}`},
		{"POST", "/designs/main/import", `{"text":"x"}`, "import main x", `{"success":true}`},
		{"POST", "/designs/main/revert", `{"steps":[1]}`, "revert main [1]", `{"success":true}`},
		{"PUT", "/designs/main/layout", `{"positions":{"a":null}}`, "move main 1", `{"counter":3}`},
		{"PUT", "/designs/main/canvas", `{"items":{"a":null,"b":{"x":1}}}`, "draw main 2", `{"counter":5}`},
		{"PUT", "/designs/main/saved-views", `{"name":"x","tables":{"a":{"x":1,"y":2}}}`, "save main 1", `{"counter":4,"id":"v"}`},
		{"POST", "/designs/main/review", `{"verdict":"accept","keys":["t"]}`, "review main accept[t]", `{"success":true}`},
		{"POST", "/designs/main/notes", `{"text":"x"}`, "note main x", `{"notes":null}`},
		{"POST", "/projects/open", `{"projectRoot":"/x"}`, "", `{"opened":true}`},
	} {
		asked = []string{""}
		resp, text := r.ask(c.method, c.path, c.body)
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, "%s with the token: %s", c.path, text)
		assert.Len(t, asked, 1, c.path)
		resp, text = r.ask(c.method, c.path, c.body, page)
		assert.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", c.path, text)
		assert.JSONEq(t, c.want, text, c.path)
		assert.Equal(t, c.asked, asked[len(asked)-1], c.path)
		resp, text = r.ask(c.method, c.path, `{"a":1,"a":2}`, page)
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, "%s: a name twice: %s", c.path, text)
	}
}

func TestABodyOfTheWrongShapeIsRefusedAndAsksNothing(t *testing.T) {
	var asked []string
	r := start(t, recordedDesigns(nil, &asked))
	_, credential := r.signIn()
	for _, c := range []struct{ method, path, body, want string }{
		{"PUT", "/designs/main/layout", `[]`, "the body is not of the right shape"},
		{"PUT", "/designs/main/layout", `{"positions":[]}`, "positions has a value of the wrong type"},
		{"PUT", "/designs/main/layout", `{"positions":{"a":{"x":"1"}}}`, "positions.x has a value of the wrong type"},
		{"PUT", "/designs/main/layout", `{"replace":1}`, "replace has a value of the wrong type"},
		{"PUT", "/designs/main/saved-views", `{"tables":[]}`, "tables has a value of the wrong type"},
		{"PUT", "/designs/main/canvas", `{"items":[]}`, "items has a value of the wrong type"},
		{"PUT", "/designs/main/canvas", `{"items":{"a":{"text":7}}}`, "items.text has a value of the wrong type"},
		{"PUT", "/designs/main/saved-views", `{"items":{"a":{"x":"1"}}}`, "items.x has a value of the wrong type"},
		{"PUT", "/designs/main/saved-views", `{"remove":"yes"}`, "remove has a value of the wrong type"},
		{"POST", "/designs/main/revert", `{"steps":"1"}`, "steps has a value of the wrong type"},
		{"POST", "/designs/main/look", `{"whole":"%s"}`, "whole has a value of the wrong type"},
	} {
		resp, text := r.ask(c.method, c.path, c.body, as(credential))
		assert.Equal(t, http.StatusBadRequest, resp.StatusCode, "%s: %s", c.body, text)
		assert.Contains(t, text, c.want, c.body)
		assert.Contains(t, text, `"invalid_request"`, c.body)
	}
	assert.Empty(t, asked)
}

func TestAnyKeyLooksAtTheDatabase(t *testing.T) {
	var asked []string
	r := start(t, recordedDesigns(nil, &asked))
	_, credential := r.signIn()
	for _, key := range []func(*http.Request){func(*http.Request) {}, as(credential)} {
		resp, text := r.ask("POST", "/designs/main/look", `{"whole":true}`, key)
		assert.Equal(t, http.StatusOK, resp.StatusCode, text)
	}
	assert.Equal(t, []string{"look main true", "look main true"}, asked)
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
