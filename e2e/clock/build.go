package clock

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// variable says by how many seconds the wall clock of a program of [Build] is off.
const variable = "BERTH_TEST_CLOCK_OFF"

// Off is what to add to the environment of a program of [Build], whose wall
// clock is then off by so many whole seconds.
func Off(by time.Duration) string { return fmt.Sprintf("%s=%d", variable, int64(by/time.Second)) }

// Build builds a program of this module with a package time of its own, whose
// wall clock [Off] sets, and returns its path. It builds the whole standard
// library again, which takes minutes where that is not cached.
func Build(t testing.TB, pkg string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	from := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(from)
	require.NoError(t, err)
	const reads = "sec, nsec, mono := runtimeNow()\n"
	require.Equal(t, 1, strings.Count(string(source), reads), "time.Now reads the clock in another way now")
	text := strings.Replace(string(source), reads, reads+"\tsec += clockOff\n", 1)
	text = strings.Replace(text, "import (\n", "import (\n\t\"syscall\"\n", 1)
	text += fmt.Sprintf(`
var clockOff = func() int64 {
	text, _ := syscall.Getenv(%q)
	by, _ := atoi(text)
	return int64(by)
}()
`, variable)
	dir := t.TempDir()
	to, overlay, program := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(to, []byte(text), 0o600))
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{from: to}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, list, 0o600))
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}
