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

// What tests run. .ci/broker has the same.
const (
	Version    = "v2.15.3"  // of the server
	Oldest     = "v2.10.23" // the oldest server that teams take
	CLIVersion = "v0.5.1"   // of the program nats
)

// patience bounds the start of a server.
const patience = 30 * time.Second

// Broker is one server.
type Broker struct {
	URL string // nats://127.0.0.1:PORT

	t       testing.TB
	host    Host // nil: here
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
	return installed(t, "nats-server", Version)
}

// installed finds what .ci/broker has built.
func installed(t testing.TB, name, version string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	path := filepath.Join(cache, "berth-test", name+"-"+version, name)
	if _, err := os.Stat(path); err != nil {
		needs.Missing(t, "nats", "run .ci/broker, which installs "+name+" "+version)
	}
	return path
}

// CLI returns the path of NATS' own command, nats.
func CLI(t testing.TB) string { return installed(t, "nats", CLIVersion) }

// StartOldest is [Start] of the oldest server that teams take.
func StartOldest(t testing.TB, more ...string) *Broker {
	t.Helper()
	return begin(t, installed(t, "nats-server", Oldest), nil, freePort(t), strings.Join(more, "\n"))
}

// Upgrade kills the server and starts the newest on its folder, port and
// configuration.
func (b *Broker) Upgrade() {
	b.t.Helper()
	b.Kill()
	b.program = program(b.t)
	b.Start()
}

// Start starts a server with JetStream. More are lines of its configuration.
func Start(t testing.TB, more ...string) *Broker {
	t.Helper()
	return begin(t, program(t), nil, freePort(t), strings.Join(more, "\n"))
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
	return begin(t, path, nil, freePort(t), ""), strings.TrimSpace(strings.TrimPrefix(string(out), "nats-server: v"))
}

// Host is where servers run that are not at home on 127.0.0.1 of this test;
// package network has some.
type Host interface {
	Run(start func())
	Forward(port int) // its 127.0.0.1 is this test's
}

// Cluster starts n servers that are one cluster.
func Cluster(t testing.TB, n int) []*Broker {
	t.Helper()
	return ClusterOn(t, nil, n)
}

// ClusterOn is [Cluster] on a host, all of whose addresses it listens at. More
// are lines of each server's configuration. One server is none of a cluster.
func ClusterOn(t testing.TB, host Host, n int, more ...string) []*Broker {
	t.Helper()
	common := strings.Join(more, "\n")
	if n == 1 {
		return []*Broker{begin(t, program(t), host, freePort(t), common)}
	}
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
		list[i] = begin(t, path, host, ports[i], fmt.Sprintf("server_name: n%d\ncluster { name: test, listen: 127.0.0.1:%d, routes: [%s] }\n%s",
			i, ports[n+i], strings.Join(routes, ", "), common))
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

func begin(t testing.TB, path string, host Host, port int, more string) *Broker {
	t.Helper()
	dir := t.TempDir()
	b := &Broker{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), host: host, t: t, program: path, dir: dir, conf: filepath.Join(dir, "nats.conf")}
	listen := "127.0.0.1"
	if host != nil {
		listen = "0.0.0.0"
		host.Forward(port)
	}
	conf := fmt.Sprintf("listen: %s:%d\n%s\n", listen, port, more)
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
	var err error
	start := func() { err = b.process.Start() }
	if b.host != nil {
		b.host.Run(start)
	} else {
		start()
	}
	require.NoError(b.t, err)
	b.ended = make(chan struct{})
	go func(p *exec.Cmd, ended chan struct{}) {
		_ = p.Wait()
		close(ended)
	}(b.process, b.ended)
}

// At is the server's address for those who see its host at another one.
func (b *Broker) At(address string) string { return strings.Replace(b.URL, "127.0.0.1", address, 1) }

// Wait waits until the server listens.
func (b *Broker) Wait() {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(b.URL, "nats://"), time.Second)
		if err != nil {
			return false
		}
		defer conn.Close()
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		_, err = conn.Read(make([]byte, 1)) // it speaks first
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
