package main_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// programs are the binaries of this run, built before any benchmark.
var programs struct{ dir, berth, bare string }

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		return m.Run() // nothing will be measured, and nothing need be built
	}
	dir, err := os.MkdirTemp("", "berth-bench-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs.dir, programs.berth, programs.bare = dir, filepath.Join(dir, "berth"), filepath.Join(dir, "bare")
	for path, pkg := range map[string]string{programs.berth: "cmd/berth", programs.bare: "e2e/bench/bare"} {
		build := exec.Command("go", "build", "-trimpath", "-o", path, "github.com/berth-dev/berth/"+pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", pkg, err, out)
			return 1
		}
	}
	return m.Run()
}

// stdio is a process that speaks JSON-RPC lines, without an SDK on our side:
// what is measured is the server.
type stdio struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func start(b testing.TB, env []string, program string, args ...string) *stdio {
	b.Helper()
	p := &stdio{cmd: exec.Command(program, args...)}
	p.cmd.Env = env
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	check(b, err)
	out, err := p.cmd.StdoutPipe()
	check(b, err)
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	check(b, p.cmd.Start())
	return p
}

// stop closes standard input and waits for the end; it returns the process's
// peak memory in bytes.
func (p *stdio) stop(b testing.TB) int64 {
	b.Helper()
	_ = p.in.Close()
	check(b, p.cmd.Wait())
	return peakRSS(p.cmd.ProcessState)
}

// handshake makes the session ready, as clients up to 2025-11-25 do.
func (p *stdio) handshake(b testing.TB) {
	b.Helper()
	p.call(b, "initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"}})
	p.send(b, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

func (p *stdio) send(b testing.TB, message any) {
	b.Helper()
	raw, err := json.Marshal(message)
	check(b, err)
	_, err = p.in.Write(append(raw, '\n'))
	check(b, err)
}

// call sends a request and returns its answer's line.
func (p *stdio) call(b testing.TB, method string, params any) []byte {
	b.Helper()
	p.id++
	p.send(b, map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	line, err := p.out.ReadBytes('\n')
	check(b, err)
	return line
}

func (p *stdio) tool(b testing.TB, name string, args map[string]any) []byte {
	b.Helper()
	return p.call(b, "tools/call", map[string]any{"name": name, "arguments": args})
}

func check(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// quantile returns the q-th (0..1) of the durations, which it sorts.
func quantile(all []time.Duration, q float64) time.Duration {
	slices.Sort(all)
	return all[min(int(q*float64(len(all))), len(all)-1)]
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
