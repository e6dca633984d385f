//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/stretchr/testify/require"
)

// nobody is another user of the machine.
const nobody = 65534

// envThief has the test binary act as a thief, see [thieve].
const envThief = "BERTH_TEST_THIEF"

// thief is a process of another user. It polls the process list for sign-in
// codes, uses each that it finds at once, and sends what it is handed.
type thief struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Scanner
	mu    sync.Mutex
	end   func()
}

// prey is one request that a thief sends, loot what came of it.
type prey struct {
	Method, URL, Body string
	Header            map[string]string
}

type loot struct {
	Status int    `json:"status,omitempty"`
	Body   string `json:"body,omitempty"`
	Err    string `json:"err,omitempty"`
	// The sum of what was seen in the process list so far.
	Looks   int      `json:"looks"`   // times that the list was read
	Seen    []string `json:"seen"`    // codes, and where
	Stolen  []string `json:"stolen"`  // answers to POST /signin with them
	Watched []string `json:"watched"` // of the marks, those that were seen
}

// newThief starts one. marks are texts to look out for in the process list,
// which show that it sees what it should.
func newThief(t *testing.T, marks ...string) *thief {
	t.Helper()
	needs.Root(t)
	dir, err := os.MkdirTemp("", "berth-e2e-thief-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	self, err := os.Executable()
	require.NoError(t, err)
	raw, err := os.ReadFile(self)
	require.NoError(t, err)
	program := filepath.Join(dir, "thief")
	require.NoError(t, os.WriteFile(program, raw, 0o755))
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = dir, []string{envThief + "=" + strings.Join(append(marks, "berth"), "\n")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	th := &thief{t: t, in: in, lines: bufio.NewScanner(out)}
	th.lines.Buffer(nil, 16<<20)
	th.end = sync.OnceFunc(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	t.Cleanup(th.end)
	return th
}

// send has the thief send a request, or report where there is none.
func (th *thief) send(p prey) loot {
	th.t.Helper()
	th.mu.Lock()
	defer th.mu.Unlock()
	raw, err := json.Marshal(p)
	require.NoError(th.t, err)
	_, err = th.in.Write(append(raw, '\n'))
	require.NoError(th.t, err)
	var got loot
	within(th.t, "a thief's report", func() {
		if th.lines.Scan() {
			err = json.Unmarshal(th.lines.Bytes(), &got)
		} else {
			err = fmt.Errorf("the thief has ended: %w", io.ErrUnexpectedEOF)
		}
	})
	require.NoError(th.t, err)
	return got
}

// thieve is the thief's own program: it polls until stdin ends.
func thieve(marks []string) {
	p := &poll{marks: marks, seen: map[string]bool{}}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			default:
				p.look()
			}
		}
	}()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var ask prey
		var got loot
		if err := json.Unmarshal(lines.Bytes(), &ask); err != nil {
			got.Err = err.Error()
		} else if ask.URL != "" {
			got = ask.send()
		}
		p.report(&got)
		raw, _ := json.Marshal(got)
		fmt.Println(string(raw))
	}
	close(done)
}

func (p prey) send() loot {
	req, err := http.NewRequest(p.Method, p.URL, strings.NewReader(p.Body))
	if err != nil {
		return loot{Err: err.Error()}
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range p.Header {
		req.Header.Set(k, v)
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return loot{Err: err.Error()}
	}
	defer res.Body.Close()
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return loot{Status: res.StatusCode, Body: "a stream"}
	}
	raw, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return loot{Status: res.StatusCode, Body: string(raw)}
}

// poll reads the process list.
type poll struct {
	marks []string

	mu      sync.Mutex
	looks   int
	seen    map[string]bool
	codes   []string
	stolen  []string
	watched []string
}

var codeInProcess = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/[^#\s\x00]*#code=([A-Z2-7]{26})`)

func (p *poll) look() {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Name()[0] < '0' || e.Name()[0] > '9' {
			continue
		}
		for _, file := range []string{"cmdline", "environ"} {
			if raw, err := os.ReadFile("/proc/" + e.Name() + "/" + file); err == nil && len(raw) > 0 {
				p.read(string(raw))
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looks++
}

func (p *poll) read(text string) {
	for _, mark := range p.marks {
		if strings.Contains(text, mark) && p.first("mark "+mark) {
			p.mu.Lock()
			p.watched = append(p.watched, mark)
			p.mu.Unlock()
		}
	}
	for _, found := range codeInProcess.FindAllStringSubmatch(text, -1) {
		if !p.first(found[2]) {
			continue
		}
		got := prey{Method: "POST", URL: found[1] + "/signin", Body: fmt.Sprintf(`{"code":%q}`, found[2])}.send()
		p.mu.Lock()
		p.codes = append(p.codes, strings.ReplaceAll(text, "\x00", " "))
		p.stolen = append(p.stolen, fmt.Sprint(got.Status, " ", got.Body, got.Err))
		p.mu.Unlock()
	}
}

func (p *poll) first(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.seen[what]
	p.seen[what] = true
	return !was
}

func (p *poll) report(into *loot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	into.Looks, into.Seen, into.Stolen, into.Watched = p.looks, p.codes, p.stolen, p.watched
}
