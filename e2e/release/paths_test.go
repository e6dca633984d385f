package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAProgramWithPathsOfTheMachineIsNotPacked(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	t.Setenv("CGO_ENABLED", "0")
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.com/small\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile("main.go", []byte("package main\n\nfunc main() {}\n"), 0o644))
	made := []build{{Name: "berth", Path: "whole", Goos: "linux", Goarch: "amd64", Type: "Binary"}}

	_, err = output("go", "build", "-ldflags=-s -w", "-o", "whole", ".")
	require.NoError(t, err)
	_, err = gather("dist", made, targets[0])
	assert.ErrorContains(t, err, "whole holds paths below ")
	assert.NoDirExists(t, "dist")

	_, err = output("go", "build", "-trimpath", "-ldflags=-s -w", "-o", "whole", ".")
	require.NoError(t, err)
	assert.NoError(t, withoutPaths("whole"))
}
