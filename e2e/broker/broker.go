// Package broker starts NATS servers for tests: real processes with folders of
// their own, on free ports of 127.0.0.1, that can be killed, stopped and
// started again.
//
// Start from [Start] or [Cluster]. The program is what .ci/broker installs, or
// BERTH_TEST_NATS names; without it a test is skipped, or fails where parts are
// required (package needs). What is started ends with its test.
package broker

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
)

// Version is the server that tests run. .ci/broker has the same.
const Version = "v2.15.3"

// patience bounds the start of a server.
const patience = 30 * time.Second

// Broker is one server.
type Broker struct {
	URL string // nats://127.0.0.1:PORT

	t       testing.TB
	program string
	conf    string
	dir     string
	process *exec.Cmd
	out     *bytes.Buffer
	ended   chan struct{}
}

// program finds the server.
func program(t testing.TB) string {
	t.Helper()
	if named := os.Getenv("BERTH_TEST_NATS"); named != "" {
		return named
	}
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	path := filepath.Join(cache, "berth-test", "nats-server-"+Version, "nats-server")
	if _, err := os.Stat(path); err != nil {
		needs.Missing(t, "nats", "run .ci/broker, which installs nats-server "+Version)
	}
	return path
}

// Start starts a server with JetStream. More are lines of its configuration.
func Start(t testing.TB, more ...string) *Broker {
	t.Helper()
	return begin(t, program(t), freePort(t), strings.Join(more, "\n"))
}

// Old starts the nats-server of the path, and reports its version: one that
// teams refuse. Without one the test is skipped.
func Old(t testing.TB) (*Broker, string) {
	t.Helper()
	needs.Program(t, "nats-server")
	path, err := exec.LookPath("nats-server")
	require.NoError(t, err)
	out, err := exec.Command(path, "--version").Output()
	require.NoError(t, err)
	return begin(t, path, freePort(t), ""), strings.TrimSpace(strings.TrimPrefix(string(out), "nats-server: v"))
}

// Cluster starts n servers that are one cluster.
func Cluster(t testing.TB, n int) []*Broker {
	t.Helper()
	path, ports := program(t), make([]int, 2*n)
	for i := range ports {
		ports[i] = freePort(t)
	}
	var routes []string
	for _, port := range ports[n:] {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	list := make([]*Broker, n)
	for i := range list {
		list[i] = begin(t, path, ports[i], fmt.Sprintf("server_name: n%d\ncluster { name: test, listen: 127.0.0.1:%d, routes: [%s] }",
			i, ports[n+i], strings.Join(routes, ", ")))
	}
	return list
}

// URLs joins the addresses of several.
func URLs(list []*Broker) string {
	urls := make([]string, len(list))
	for i, b := range list {
		urls[i] = b.URL
	}
	return strings.Join(urls, ",")
}

func begin(t testing.TB, path string, port int, more string) *Broker {
	t.Helper()
	dir := t.TempDir()
	b := &Broker{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), t: t, program: path, dir: dir, conf: filepath.Join(dir, "nats.conf")}
	conf := fmt.Sprintf("listen: 127.0.0.1:%d\n%s\n", port, more)
	if !strings.Contains(more, "jetstream") {
		conf += fmt.Sprintf("jetstream { store_dir: %q }\n", filepath.Join(dir, "store"))
	}
	require.NoError(t, os.WriteFile(b.conf, []byte(strings.ReplaceAll(conf, "{store}", filepath.Join(dir, "store"))), 0o600))
	t.Cleanup(func() {
		b.Kill()
		if t.Failed() {
			t.Logf("%s said:\n%s", b.URL, tail(b.out.String(), 4000))
		}
	})
	b.Start()
	return b
}

// Start starts a server that was killed, with the same folder and port.
func (b *Broker) Start() {
	b.t.Helper()
	b.Run()
	b.Wait()
}

// Run is Start that does not wait until the server listens.
func (b *Broker) Run() {
	b.t.Helper()
	b.out = &bytes.Buffer{}
	b.process = exec.Command(b.program, "-c", b.conf)
	b.process.Stdout, b.process.Stderr = b.out, b.out
	require.NoError(b.t, b.process.Start())
	b.ended = make(chan struct{})
	go func(p *exec.Cmd, ended chan struct{}) {
		_ = p.Wait()
		close(ended)
	}(b.process, b.ended)
}

// Wait waits until the server listens.
func (b *Broker) Wait() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(b.URL, "nats://"), time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, patience, 5*time.Millisecond, "%s listens", b.URL)
}

// Kill ends the server with SIGKILL; one that has ended stays so.
func (b *Broker) Kill() {
	_ = b.process.Process.Kill()
	<-b.ended
}

// Store is the server's folder of streams.
func (b *Broker) Store() string { return filepath.Join(b.dir, "store") }

// Configure replaces the server's configuration beside its port and store,
// for its next start.
func (b *Broker) Configure(more string) {
	b.t.Helper()
	conf := fmt.Sprintf("listen: %s\n%s\n", strings.TrimPrefix(b.URL, "nats://"), more)
	if !strings.Contains(more, "jetstream") {
		conf += fmt.Sprintf("jetstream { store_dir: %q }\n", b.Store())
	}
	require.NoError(b.t, os.WriteFile(b.conf, []byte(strings.ReplaceAll(conf, "{store}", b.Store())), 0o600))
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func tail(text string, most int) string { return text[max(0, len(text)-most):] }
