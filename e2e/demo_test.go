package e2e

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDemoTellsTheWholeStoryAndCleansUp(t *testing.T) {
	w := newWorld(t)
	tmp := filepath.Join(w.dir, "tmp")
	require.NoError(t, os.Mkdir(tmp, 0o755))
	w.env = append(without(w.env, "TMPDIR"), "TMPDIR="+tmp)
	got := w.berth("demo")
	require.Equal(t, 0, got.code, "%s\n%s", got.stdout, got.stderr)
	for _, scene := range []string{"Two projects", "answered by its own database", "Quick start: 15 tables", "person", "stale_state", "validation_error", "undo", "times as much"} {
		assert.Contains(t, got.stdout, scene)
	}
	assert.NotContains(t, got.stdout, "\x1b", "no escape codes where the output is no terminal")
	picture, err := os.ReadFile(filepath.Join("..", "docs", "images", "demo.svg"))
	require.NoError(t, err)
	assert.Equal(t, scenes(got.stdout), scenes(html.UnescapeString(string(picture))), "the README's picture is of another demo; make it with: go run ./e2e/picture")
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	var names []string
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "berth-demo-") {
			names = append(names, e.Name())
		}
	}
	assert.Empty(t, names, "the demo leaves nothing behind")
}

// scenes are the headings of what the demo prints.
func scenes(printed string) []string {
	return regexp.MustCompile(`━━ [^<\n]+`).FindAllString(printed, -1)
}
