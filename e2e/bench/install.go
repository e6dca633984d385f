package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The peers, pinned: a run of today and one of next year measure the same.
const (
	nodeVersion       = "24.21.0" // DBHub reads SQLite with what Node 20 lacks
	dbhubVersion      = "1.4.0"
	filesystemVersion = "2026.8.31"
	postgresVersion   = "0.6.2"
	toolboxModule     = "github.com/googleapis/genai-toolbox"
	toolboxVersion    = "v0.27.0"
)

// program is something installed: how to start it, or why it is not there.
type program struct {
	path    string
	args    []string // before those of the server
	version string
	missing string
}

// programs are what install got.
type programs struct {
	berth, small, bare, node, dbhub, filesystem, postgres, toolbox, ripgrep program
}

// install builds berth and gets the peers. Only berth must be there.
func (b *bench) install(ctx context.Context) error {
	dir := b.peers
	if dir == "" {
		dir = filepath.Join(b.dir, "peers")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	in := installer{ctx, dir, b.say}
	var p programs
	b.say("building berth")
	if p.berth, err = in.ours(b.dir, "berth", "cmd/berth"); err != nil {
		return err
	}
	if p.small, err = in.smallBerth(b.dir, p.berth); err != nil {
		return err
	}
	if p.bare, err = in.ours(b.dir, "bare", "e2e/bench/bare"); err != nil {
		return err
	}
	p.berth.version = berthVersion(ctx, p.berth.path)
	p.small.version = p.berth.version
	p.bare.version = "the same SDK and Go"
	p.node = in.node()
	p.dbhub = in.npm(p.node, "@bytebase/dbhub", dbhubVersion)
	p.filesystem = in.npm(p.node, "@modelcontextprotocol/server-filesystem", filesystemVersion)
	p.postgres = in.npm(p.node, "@modelcontextprotocol/server-postgres", postgresVersion)
	p.toolbox = in.goInstall(toolboxModule, toolboxVersion)
	p.ripgrep = ripgrep(ctx)
	b.programs = p
	b.servers = p.servers(b.dir)
	return ctx.Err()
}

type installer struct {
	ctx context.Context
	dir string // of the peers
	say func(format string, args ...any)
}

// ours builds a command of this module.
func (in installer) ours(dir, name, pkg string) (program, error) {
	path := filepath.Join(dir, executable(name))
	cmd := exec.CommandContext(in.ctx, "go", "build", "-trimpath", "-o", path, "github.com/berth-dev/berth/"+pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return program{}, fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return program{path: path}, nil
}

// smallBerth builds the small front-end and puts the whole program beside it,
// as a package does.
func (in installer) smallBerth(dir string, whole program) (program, error) {
	if runtime.GOOS == "windows" {
		return program{missing: "no small front-end on Windows"}, nil
	}
	dir = filepath.Join(dir, "small")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return program{}, err
	}
	if err := os.Link(whole.path, filepath.Join(dir, "berth-full")); err != nil {
		return program{}, err
	}
	return in.ours(dir, "berth", "cmd/front")
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func berthVersion(ctx context.Context, path string) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty").Output()
	if err == nil {
		return strings.TrimSpace(string(out))
	}
	out, _ = exec.CommandContext(ctx, path, "version").Output()
	line, _, _ := bytes.Cut(out, []byte("\n"))
	return string(line)
}

// node installs the Node that all peers run in, and takes the one in the path
// where that cannot be had.
func (in installer) node() program {
	got := in.npmPackage("node", nodeVersion)
	if got == "" {
		path := filepath.Join(in.folder("node"), "node_modules", "node", "bin", executable("node"))
		if out, err := exec.CommandContext(in.ctx, path, "--version").Output(); err == nil {
			return program{path: path, version: strings.TrimSpace(string(out))}
		}
		got = "the package node has no program for this system"
	}
	path, err := exec.LookPath("node")
	if err != nil {
		return program{missing: "no Node: " + got + "; install Node 22.5 or newer with npm"}
	}
	out, err := exec.CommandContext(in.ctx, path, "--version").Output()
	if err != nil {
		return program{missing: fmt.Sprintf("no Node: %s; %s --version: %v", got, path, err)}
	}
	return program{path: path, version: strings.TrimSpace(string(out))}
}

// npm installs a package whose one program runs in Node.
func (in installer) npm(node program, name, version string) program {
	if node.missing != "" {
		return program{missing: node.missing}
	}
	if missing := in.npmPackage(name, version); missing != "" {
		return program{missing: missing}
	}
	root := filepath.Join(in.folder(name), "node_modules", filepath.FromSlash(name))
	raw, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil {
		return program{missing: err.Error()}
	}
	var manifest struct {
		Version string
		Bin     map[string]string
	}
	if err := json.Unmarshal(raw, &manifest); err != nil || len(manifest.Bin) != 1 {
		return program{missing: fmt.Sprintf("%s has %d programs, and should have one (%v)", name, len(manifest.Bin), err)}
	}
	for _, script := range manifest.Bin {
		return program{path: node.path, args: []string{filepath.Join(root, filepath.FromSlash(script))}, version: manifest.Version}
	}
	panic("unreachable")
}

func (in installer) folder(name string) string {
	return filepath.Join(in.dir, strings.NewReplacer("@", "", "/", "-").Replace(name))
}

// npmPackage installs a package into a folder of its own, and returns why it
// cannot.
func (in installer) npmPackage(name, version string) (missing string) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "no npm in the path; it comes with Node"
	}
	dir := in.folder(name)
	done := filepath.Join(dir, "installed-"+version)
	if _, err := os.Stat(done); err == nil {
		return "" // by an earlier run
	}
	in.say("npm install %s@%s", name, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err.Error()
	}
	out, err := in.command(5*time.Minute, nil, npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel=error", name+"@"+version)
	if err != nil {
		return fmt.Sprintf("npm install %s@%s: %v: %s", name, version, err, lastLine(out))
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		return err.Error()
	}
	return ""
}

// goInstall gets a program through the Go module proxy.
func (in installer) goInstall(module, version string) program {
	file := filepath.Join(in.dir, executable(commandOf(module)))
	if _, err := os.Stat(file); err == nil {
		return program{path: file, version: version}
	}
	in.say("go install %s@%s", module, version)
	out, err := in.command(20*time.Minute, []string{"GOBIN=" + in.dir, "GOFLAGS=", "CGO_ENABLED=0"}, "go", "install", module+"@"+version)
	if err != nil {
		return program{missing: fmt.Sprintf("go install %s@%s: %s", module, version, lastLine(out))}
	}
	return program{path: file, version: version}
}

// commandOf is the name of the program that a module builds.
func commandOf(module string) string {
	return path.Base(strings.TrimSuffix(module, "/v2"))
}

// command runs outside any module, and returns what it wrote.
func (in installer) command(limit time.Duration, env []string, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(in.ctx, limit)
	defer cancel()
	if err := os.MkdirAll(in.dir, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = in.dir, append(os.Environ(), env...), time.Second
	return cmd.CombinedOutput()
}

func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}

func ripgrep(ctx context.Context) program {
	path, err := exec.LookPath("rg")
	if err != nil {
		return program{missing: "no rg in the path"}
	}
	out, _ := exec.CommandContext(ctx, path, "--version").Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return program{path: path, version: strings.TrimPrefix(line, "ripgrep ")}
}
