package instance_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/instance"
	"github.com/berth-dev/berth/proxy/projectroot"
	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools"
)

// fakeFolder is a folder with which things happen.
type fakeFolder struct{ err atomic.Pointer[error] }

func (f *fakeFolder) Check() error {
	if err := f.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (f *fakeFolder) become(err error) { f.err.Store(&err) }

func inFolder(f *fakeFolder) func(*instance.Config) {
	return func(c *instance.Config) { c.Folder, c.GonePatience, c.Designs = f, time.Hour, fakeDesigns{} }
}

// callIn calls a tool and returns the last line of the reply.
func (r *testInstance) callIn() string {
	r.t.Helper()
	_, body := r.ask("POST", "/tools/get-tables", wire.Request{})
	return body
}

func TestAnInstanceWhoseFolderWasReplacedEndsForANewOne(t *testing.T) {
	f := &fakeFolder{}
	r := start(t, inFolder(f))
	assert.NotContains(t, r.callIn(), "isError")
	f.become(projectroot.ErrReplaced)
	assert.Contains(t, r.callIn(), "was replaced")
	assert.Equal(t, serveResult{instance.Replaced, nil}, r.wait())
}

func TestAReplyIsNotGivenIfTheFolderWasReplacedDuringTheCall(t *testing.T) {
	f := &fakeFolder{}
	r := start(t, inFolder(f))
	r.tools.handle = func(context.Context, tools.Call) tools.Reply {
		f.become(projectroot.ErrReplaced)
		return tools.Reply{Content: []string{"of the old folder"}}
	}
	assert.Contains(t, r.callIn(), "while the call ran")
	assert.Equal(t, serveResult{instance.Replaced, nil}, r.wait())
}

func TestAnInstanceWhoseFolderIsGoneRefusesAndEndsInTheEnd(t *testing.T) {
	t.Parallel()
	f := &fakeFolder{}
	r := start(t, inFolder(f))
	f.become(projectroot.ErrGone)
	assert.Contains(t, r.callIn(), "is gone")
	for _, path := range []string{"/tables", "/designs"} {
		resp, body := r.ask("GET", path, nil)
		assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode, path)
		assert.Contains(t, body, "is gone", path)
	}
	f.become(nil)
	assert.NotContains(t, r.callIn(), "isError", "it is back")

	short := &fakeFolder{}
	r = start(t, inFolder(short), func(c *instance.Config) { c.GonePatience = time.Millisecond })
	short.become(projectroot.ErrGone)
	assert.Equal(t, serveResult{instance.Gone, nil}, r.wait())
}
