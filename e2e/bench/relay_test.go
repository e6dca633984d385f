package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/sshd"
)

// BenchmarkRelay measures a call to a project of this machine, and in turn the
// same call to the same project as one of another machine, behind a relay that
// is reached through pipes and, where OpenSSH is installed, through ssh. Added
// is what each takes beside the local call of the same turn, the median.
func BenchmarkRelay(b *testing.B) {
	root, env, _ := project(b, smallTables(15))
	ways := map[string]string{"local": root}
	hosts := "hosts:\n"
	name := func(way string, command ...string) {
		home := env[len(env)-2]
		command = append(command, "env", home, programs.berth, "relay")
		hosts += fmt.Sprintf("  %s: {command: [%s]}\n", way, `"`+strings.Join(command, `", "`)+`"`)
		ways[way] = way + ":" + root
	}
	name("pipe")
	if _, err := os.Stat("/usr/sbin/sshd"); err == nil {
		name("ssh", append([]string{"ssh", "-T", "-o", "BatchMode=yes"}, sshd.Start(b).Command(sshd.Host)[1:]...)...)
	}
	near := filepath.Join(b.TempDir(), "home")
	check(b, os.MkdirAll(near, 0o700))
	check(b, os.WriteFile(filepath.Join(near, "config.yaml"), []byte(hosts), 0o600))
	local := start(b, env, programs.berth, "mcp")
	defer local.stop(b)
	local.handshake(b)
	far := start(b, append(os.Environ(), "BERTH_HOME="+near), programs.berth, "mcp")
	defer far.stop(b)
	far.handshake(b)

	took, added := map[string][]time.Duration{}, map[string][]time.Duration{}
	call := func(way string) time.Duration {
		p := far
		if way == "local" {
			p = local
		}
		began := time.Now()
		line := p.tool(b, "run-query", map[string]any{"projectRoot": ways[way], "query": "SELECT 1 AS one"})
		d := time.Since(began)
		if !bytes.Contains(line, []byte(`rowCount\":1`)) {
			b.Fatalf("%s: %.600s", way, line)
		}
		return d
	}
	for range 20 { // connections, and pages of the database
		for way := range ways {
			call(way)
		}
	}
	for b.Loop() {
		base := call("local")
		took["local"] = append(took["local"], base)
		for _, way := range []string{"pipe", "ssh"} {
			if ways[way] == "" {
				continue
			}
			d := call(way)
			took[way], added[way] = append(took[way], d), append(added[way], d-base)
		}
	}
	b.ReportMetric(0, "ns/op")
	for way, all := range took {
		b.ReportMetric(micros(quantile(all, .5)), way+"-p50-µs")
		if way != "local" {
			b.ReportMetric(micros(quantile(added[way], .5)), way+"-added-µs")
			b.ReportMetric(float64(quantile(all, .5))/float64(quantile(took["local"], .5)), way+"-ratio")
		}
	}
}
