package rules

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryDependencyIsAccountedFor: whoever adds one says what it is for and
// who keeps it, and a page that names what is gone misleads.
func TestEveryDependencyIsAccountedFor(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "dependencies.md"))
	require.NoError(t, err)
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for i, part := range strings.Split(cells[1], "`") {
			if i%2 == 1 {
				named[part] = true
			}
		}
	}
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err)
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	require.NoError(t, json.Unmarshal(out, &mod))
	for _, m := range mod.Require {
		if !m.Indirect {
			assert.True(t, named[m.Path], "%s is required directly and not in docs/dependencies.md", m.Path)
			delete(named, m.Path)
		}
	}
	assert.Empty(t, named, "docs/dependencies.md names modules that go.mod does not require directly")
}

// TestEveryDecisionIsListed: a merge of two branches that each add a record
// easily loses a row.
func TestEveryDecisionIsListed(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "decisions")
	list, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	records, err := filepath.Glob(filepath.Join(dir, "[0-9]*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, records)
	for _, record := range records {
		name := filepath.Base(record)
		assert.Contains(t, string(list), "| ["+name[:4]+"]("+name+") | ", "%s has no row in docs/decisions/README.md", name)
	}
}
