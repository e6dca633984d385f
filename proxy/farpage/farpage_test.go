package farpage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/proxy"
	"github.com/berth-dev/berth/proxy/farpage"
)

// way is one to a project whose instance answers as a test wants. What is not
// sent by a page or a person is a fault of the test.
type way struct {
	proxy.Way
	answer func(path string, r proxy.Request) (*http.Response, error)
}

func (w way) Send(_ context.Context, path string, r proxy.Request) (*http.Response, error) {
	return w.answer(path, r)
}

func reply(status int, text string, header http.Header) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(text))}
}

// show serves a page until the test ends.
func show(t *testing.T, answer func(path string, r proxy.Request) (*http.Response, error), change ...func(*farpage.Options)) *farpage.Server {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	opts := farpage.Options{Way: way{answer: answer}, Host: "build1", Path: "/app", Listener: l, SignInDir: filepath.Join(t.TempDir(), "signin")}
	for _, c := range change {
		c(&opts)
	}
	s, err := farpage.New(opts)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-done)
	})
	return s
}

func TestOnlyWhatThePageNeedsGoesThereAndComesBack(t *testing.T) {
	var sent proxy.Request
	var body []byte
	s := show(t, func(path string, r proxy.Request) (*http.Response, error) {
		sent = r
		body, _ = io.ReadAll(r.Body)
		assert.Equal(t, "/app", path)
		return reply(201, "made", http.Header{"Content-Security-Policy": {"default-src 'none'"}, "Set-Cookie": {"a=b"},
			"Access-Control-Allow-Origin": {"*"}, "Service-Worker-Allowed": {"/"}, "Content-Type": {"text/plain"}}), nil
	})
	req, err := http.NewRequest("PUT", s.URL()+"/designs/a%2Fb/layout?x=1", strings.NewReader("{}"))
	require.NoError(t, err)
	for name, value := range map[string]string{"Authorization": "Bearer k", "Cookie": "another=program", "Berth-Person": "x", "Berth-Shown-Port": "1",
		"Forwarded": "for=me", "User-Agent": "a browser", "Content-Type": "application/json", "Origin": s.URL()} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Equal(t, "201 made", fmt.Sprint(resp.StatusCode, " ", string(text)))
	assert.Equal(t, "PUT /designs/a%2Fb/layout?x=1 {}", sent.Method+" "+sent.Path+" "+string(body))
	assert.Equal(t, proxy.AsGiven, sent.As)
	assert.Equal(t, s.URL(), fmt.Sprint("http://127.0.0.1:", sent.ShownPort))
	want := http.Header{"Authorization": {"Bearer k"}, "Content-Type": {"application/json"}, "Origin": {s.URL()}, "Accept-Encoding": {"gzip"}}
	assert.Equal(t, want, sent.Header)
	assert.Equal(t, "default-src 'none'", resp.Header.Get("Content-Security-Policy"), "the page's own policy stays")
	assert.Equal(t, "DENY", resp.Header.Get("X-Frame-Options"))
	for _, name := range []string{"Set-Cookie", "Access-Control-Allow-Origin", "Service-Worker-Allowed"} {
		assert.Empty(t, resp.Header.Get(name), name)
	}
}

func TestAFileSignsInUntilItsCodeIsUsed(t *testing.T) {
	port, code := 0, `{"code":"ABC234","shownPort":%d}`
	s := show(t, func(_ string, r proxy.Request) (*http.Response, error) {
		if r.Path == "/signin/code" {
			assert.Equal(t, proxy.AsPerson, r.As)
			return reply(200, fmt.Sprintf(code, r.ShownPort+port), nil), nil
		}
		return reply(200, "{}", nil), nil
	})
	path, err := s.SignInFile(t.Context())
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // where files have no such modes
		assert.Equal(t, "-rw-------", info.Mode().String())
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), s.URL()+"/?open=")
	assert.Contains(t, string(text), "#code=ABC234")
	resp, err := http.Post(s.URL()+"/signin", "application/json", strings.NewReader(`{"code":"ABC234"}`))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.NoDirExists(t, filepath.Dir(path))

	port = 1
	_, err = s.SignInFile(t.Context())
	assert.ErrorContains(t, err, "update it there", "a berth that knows no such pages would have the browser store its key")
	port, code = 0, `{"code":"\"><script>","shownPort":%d}`
	_, err = s.SignInFile(t.Context())
	assert.ErrorContains(t, err, "no sign-in code")
	assert.NoFileExists(t, path)
}

func TestAHostThatDoesNotAnswerIsSaidInWords(t *testing.T) {
	var failure error
	s := show(t, func(string, proxy.Request) (*http.Response, error) { return nil, failure })
	for want, err := range map[string]error{
		"503 shutting_down the host build1 cannot be reached: no route":               &proxy.WayError{Host: "build1", Cause: errors.New("no route")},
		"503 shutting_down nothing serves the project on the host build1 now":         fmt.Errorf("port 21000: %w", proxy.ErrNotRunning),
		"503 shutting_down the project's instance on the host build1 does not answer": fmt.Errorf("port 21000: %w", proxy.ErrNoAnswer),
		"500 internal the request could not be passed on; the log has the cause":      errors.New("port 21000"),
		"403 forbidden host build1: GET /mcp: a relay does not pass that request on":  fmt.Errorf("host build1: GET /mcp: %w", proxy.ErrNotOffered),
	} {
		failure = err
		resp, err := http.Get(s.URL() + "/mcp")
		require.NoError(t, err)
		var got struct{ Error, Message string }
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&got))
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, want, fmt.Sprint(resp.StatusCode, " ", got.Error, " ", got.Message))
	}
}

func TestARequestThatMayHaveBeenCarriedOutIsNotAnswered(t *testing.T) {
	for _, failure := range []error{&proxy.WayError{Host: "build1", Sent: true, Cause: errors.New("it ended")}, fmt.Errorf("POST: %w", proxy.ErrUnanswered)} {
		s := show(t, func(string, proxy.Request) (*http.Response, error) { return nil, failure })
		_, err := http.Post(s.URL()+"/tools/x", "application/json", strings.NewReader("{}"))
		assert.ErrorIs(t, err, io.EOF)
	}
}

func TestAStreamComesAsItIsWrittenAndABrokenOneBreaks(t *testing.T) {
	in, out := io.Pipe()
	s := show(t, func(string, proxy.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: in}, nil
	})
	go func() { _, _ = io.WriteString(out, "data: 1\n\n") }()
	resp, err := http.Get(s.URL() + "/events")
	require.NoError(t, err)
	defer resp.Body.Close()
	first := make([]byte, 9)
	_, err = io.ReadFull(resp.Body, first)
	require.NoError(t, err, "with the stream still open")
	_ = out.CloseWithError(io.ErrUnexpectedEOF)
	_, err = io.ReadAll(resp.Body)
	assert.Error(t, err)
}

func TestAPageMayHaveTheBrowserOpenedAFewTimes(t *testing.T) {
	opened := 0
	s := show(t, func(_ string, r proxy.Request) (*http.Response, error) {
		return reply(200, fmt.Sprintf(`{"code":"ABC234","shownPort":%d}`, r.ShownPort), nil), nil
	}, func(o *farpage.Options) {
		o.OpenBrowser = func(_ context.Context, path string) error {
			opened++
			return nil
		}
	})
	press := func() int {
		req, err := http.NewRequest("POST", s.URL()+"/signin/open", strings.NewReader("{}"))
		require.NoError(t, err)
		req.Header.Set("Origin", s.URL())
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	assert.Equal(t, []int{200, 200, 200, 503}, []int{press(), press(), press(), press()})
	assert.Equal(t, 3, opened)
}
