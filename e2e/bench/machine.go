package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/berth-dev/berth/e2e/bench/table"
)

// header says when, where and what was measured, and what could not be.
// missing are the databases that are not there, by name.
func (b *bench) header(ctx context.Context, before string, missing map[string]string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "Measured on %s with `%s`: rounds in which each server does the same work in turn.\n",
		time.Now().UTC().Format("2 January 2006, 15:04 UTC"), b.command())
	s.WriteString(place(ctx))
	if before != "" {
		fmt.Fprintf(&s, "; load average %s before and %s after", before, loadAverage())
	}
	s.WriteString(".\n\n" + legend)
	s.WriteString("| server | version | |\n| --- | --- | --- |\n")
	for _, server := range b.servers {
		versionRow(&s, server.name, server.program)
	}
	versionRow(&s, ripgrepName, b.programs.ripgrep)
	versionRow(&s, "Node, for the peers from npm", b.programs.node)
	for _, kind := range []string{sqlite, postgreSQL, mariaDB} {
		d := program{missing: missing[kind]}
		for _, made := range b.databases {
			if made.kind == kind {
				d.version = made.version
			}
		}
		if kind == sqlite && d.missing == "" {
			d.version = "each server brings its own"
		}
		versionRow(&s, kind, d)
	}
	return s.String()
}

const legend = `A figure is the median of the rounds, with the least and the most in brackets. Behind that of a peer stands
berth's as a multiple of it, the median of the rounds' own: at ×0.5 berth takes half, or makes half the calls a second.
RSS is that of berth mcp and berth serve together, unless it says alone; the instance is shared by all agents of a project.

`

// command is what was called, without the file names.
func (b *bench) command() string {
	short := ""
	if b.short {
		short = " -short"
	}
	if b.growth != "" {
		return "go run ./e2e/bench" + short + " -growth FOLDER"
	}
	if b.team != "" {
		return fmt.Sprintf("go run ./e2e/bench%s -rounds %d -team FILE", short, b.rounds)
	}
	if b.only != "" {
		short += " -only " + b.only
	}
	return fmt.Sprintf("go run ./e2e/bench%s -rounds %d", short, b.rounds)
}

func versionRow(s *strings.Builder, name string, p program) {
	version, note := p.version, ""
	if p.missing != "" {
		version, note = "–", "missing: "+p.missing
	}
	fmt.Fprintf(s, "| %s | %s | %s |\n", table.Escape(name), table.Escape(version), table.Escape(note))
}

// place describes the machine.
func place(ctx context.Context) string {
	return fmt.Sprintf("%s, %d cores, %s, %s", processor(ctx), runtime.NumCPU(), system(), runtime.Version())
}

// processor is the processor's model.
func processor(ctx context.Context) string {
	if name := field("/proc/cpuinfo", "model name", ":"); name != "" {
		return name
	}
	if out, err := exec.CommandContext(ctx, "sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		return strings.TrimSpace(string(out)) // macOS
	}
	return runtime.GOARCH
}

func system() string {
	if name := field("/etc/os-release", "PRETTY_NAME", "="); name != "" {
		return strings.Trim(name, `"`) + " (" + runtime.GOOS + "/" + runtime.GOARCH + ")"
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

// field is the value of the first line of a file that has this key, or
// nothing.
func field(path, key, separator string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), separator)
		if strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// loadAverage is Linux's of the last minute, and nothing elsewhere.
func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	load, _, _ := strings.Cut(string(raw), " ")
	return load
}
