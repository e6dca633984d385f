// Command dependencies prints what each module that berth links costs, as a
// Markdown table: the bytes of its symbols in the binary, and the time and
// memory of its initialization, as the median of several starts.
//
//	go run ./e2e/dependencies
//
// docs/dependencies.md holds the table with what each module is for.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// starts is how many times berth is started to time its initialization.
const starts = 21

// module is one module of the build and what it costs.
type module struct {
	Path    string
	Version string
	Time    time.Time // of the release
	Main    bool
	Size    int64 // bytes of code and data in the binary
	Memory  int64 // bytes allocated by its initialization
	Starts  []time.Duration
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dependencies:", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	dir, err := os.MkdirTemp("", "dependencies-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "berth")
	if _, err := output("go", "build", "-o", binary, "./cmd/berth"); err != nil {
		return err
	}
	modules, err := linked()
	if err != nil {
		return err
	}
	if err := addSizes(modules, binary); err != nil {
		return err
	}
	for range starts {
		if err := addStart(modules, binary); err != nil {
			return err
		}
	}
	slices.SortFunc(modules, func(a, b *module) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), strings.Compare(a.Path, b.Path))
	})
	fmt.Fprintln(out, "| module | version | released | KiB in the binary | start, µs | start, KiB |\n| --- | --- | --- | --- | --- | --- |")
	for _, m := range modules {
		slices.Sort(m.Starts)
		fmt.Fprintf(out, "| %s | %s | %s | %d | %d | %d |\n", m.Path, m.Version, m.Time.Format(time.DateOnly),
			m.Size>>10, m.Starts[len(m.Starts)/2].Microseconds(), m.Memory>>10)
	}
	return nil
}

// linked returns the modules that the packages of berth come from.
func linked() ([]*module, error) {
	text, err := output("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/berth")
	if err != nil {
		return nil, err
	}
	paths := strings.Fields(string(text))
	slices.Sort(paths)
	text, err = output("go", append([]string{"list", "-m", "-json"}, slices.Compact(paths)...)...)
	if err != nil {
		return nil, err
	}
	var modules []*module
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		m := new(module)
		if err := dec.Decode(m); errors.Is(err, io.EOF) {
			return modules, nil
		} else if err != nil {
			return nil, err
		}
		if !m.Main {
			modules = append(modules, m)
		}
	}
}

// of returns the module that a package belongs to; nil: none of them.
func of(modules []*module, pkg string) *module {
	var found *module
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(pkg, m.Path); ok && (rest == "" || rest[0] == '/') && (found == nil || len(m.Path) > len(found.Path)) {
			found = m
		}
	}
	return found
}

// addSizes adds up the symbols of each module. What the linker shares between
// packages, such as the tables of functions, belongs to none.
func addSizes(modules []*module, binary string) error {
	text, err := output("go", "tool", "nm", "-size", binary)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // address, size, kind, name
		if len(fields) < 4 || !strings.Contains("TtRrDd", fields[2]) {
			continue
		}
		size, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			continue // an import of the system's, without a size
		}
		if m := of(modules, packageOf(fields[3])); m != nil {
			m.Size += size
		}
	}
	return nil
}

// packageOf returns the import path that a symbol's name begins with; it may
// be one of no package at all. A dot in the path's last element is "%2e".
func packageOf(symbol string) string {
	symbol = symbol[strings.LastIndexByte(symbol, ':')+1:] // type:
	symbol = strings.TrimPrefix(strings.TrimPrefix(symbol, ".eq."), "*")
	path, _, _ := strings.Cut(symbol, "[") // of a generic's arguments
	path, _, _ = strings.Cut(path, "(")    // of a method's receiver
	slash := strings.LastIndexByte(path, '/')
	name, _, _ := strings.Cut(path[slash+1:], ".")
	return path[:slash+1] + strings.ReplaceAll(name, "%2e", ".")
}

// addStart starts berth once and adds what the runtime says of each package:
//
//	init github.com/joho/godotenv @3.1 ms, 0.025 ms clock, 7880 bytes, 53 allocs
func addStart(modules []*module, binary string) error {
	cmd := exec.Command(binary, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s version: %w", binary, err)
	}
	for _, m := range modules {
		m.Starts, m.Memory = append(m.Starts, 0), 0
	}
	for lines := bufio.NewScanner(&trace); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 8 || fields[0] != "init" {
			continue
		}
		m := of(modules, fields[1])
		took, err := time.ParseDuration(fields[4] + "ms")
		memory, err2 := strconv.ParseInt(fields[7], 10, 64)
		if m == nil || err != nil || err2 != nil {
			continue
		}
		m.Starts[len(m.Starts)-1] += took
		m.Memory += memory
	}
	return nil
}

func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return text, nil
}
