// Command picture makes the moving picture of the README from a real run: it builds
// berth, plays berth demo and writes what that printed as docs/images/demo.svg,
// line after line.
//
//	go run ./e2e/picture
//
// A test compares the scenes of the picture with those of the demo.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("o", filepath.Join("docs", "images", "demo.svg"), "the `file` to write")
	flag.Parse()
	if err := picture(*out); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func picture(out string) error {
	dir, err := os.MkdirTemp("", "berth-picture-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // its own, and temporary
	printed, err := demo(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(out, draw("go run ./cmd/berth demo", strings.Split(strings.TrimSpace(printed), "\n")), 0o644)
}

// demo builds berth into dir and returns what its demo prints.
func demo(dir string) (string, error) {
	berth := filepath.Join(dir, "berth")
	build := exec.Command("go", "build", "-o", berth, "github.com/berth-dev/berth/cmd/berth")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build berth: %w\n%s", err, said)
	}
	var stdout, stderr bytes.Buffer
	run := exec.Command(berth, "demo")
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Run(); err != nil {
		return "", fmt.Errorf("berth demo: %w\n%s", err, stderr.String())
	}
	return stdout.String(), nil
}
