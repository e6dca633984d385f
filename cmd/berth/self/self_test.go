package self

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWithoutProcTheProgramIsTheOneCalled(t *testing.T) {
	dir := t.TempDir()
	name := "berth"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	program := filepath.Join(dir, name)
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	silent := func() (string, error) { return "", errors.New("readlink /proc/self/exe: no such file or directory") }
	for _, called := range []string{"berth", program} {
		if got, err := path(silent, called); err != nil || got != program {
			t.Errorf("called as %s: %s, %v", called, got, err)
		}
	}
	if got, err := path(silent, "another"); err == nil {
		t.Errorf("called by a name that is nowhere: %s", got)
	}
	if got, err := path(func() (string, error) { return "/system/says", nil }, "berth"); err != nil || got != "/system/says" {
		t.Errorf("told by the system: %s, %v", got, err)
	}
}
