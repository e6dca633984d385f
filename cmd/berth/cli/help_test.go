package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/cli"
)

// commands are all of ours that berth --help lists, in its order.
var commands = []string{"approvals", "attach", "call", "config", "connect", "demo", "diff", "doctor", "export", "files", "import", "init",
	"lint", "ls", "mcp", "new", "open", "password", "publish", "rebase", "serve", "stop", "trust", "uninstall", "upgrade", "verify",
	"version"}

func help(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	sys := cli.Process()
	sys.Stdout, sys.Stderr = &out, &errs
	require.Zero(t, cli.Run(context.Background(), sys, append(args, "--help")), errs.String())
	return out.String()
}

func TestHelpTextsChangeOnlyOnPurpose(t *testing.T) {
	texts := map[string]string{"berth": help(t)}
	for _, name := range commands {
		texts[name] = help(t, name)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "help", name+".hlp")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err, "go test ./cmd/berth/cli -update writes it")
			assert.Equal(t, string(want), text)
		})
	}
}

func TestEveryCommandTeaches(t *testing.T) {
	overview := help(t)
	for _, name := range commands {
		text := help(t, name)
		assert.Contains(t, overview, "\n  "+name, "berth --help lists it")
		assert.Contains(t, text, "Examples:", name)
		for _, line := range strings.Split(text, "\n") {
			assert.LessOrEqual(t, len(line), 100, "%s: %s", name, line)
		}
	}
}
