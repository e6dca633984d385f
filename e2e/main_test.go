package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-dev/berth/designer/engine/enginetest"
)

// binary is the berth built for this run, with the race detector where the
// tests have it. It is set once, before any test runs.
var binary string

func TestMain(m *testing.M) {
	if marks, ok := os.LookupEnv(envThief); ok {
		thieve(strings.Split(marks, "\n"))
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "berth-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make folder for the binary:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "berth")
	args := []string{"build", "-o", binary}
	if raceEnabled {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "github.com/berth-dev/berth/cmd/berth")...)
	if !raceEnabled {
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build berth: %v\n%s", err, out)
		return 1
	}
	defer stopChromium()
	return enginetest.Main(m)
}
