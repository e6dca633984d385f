package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A line of these pages is as good as the test that it names.
func TestEveryTestThatAPageNamesIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	written := testsOf(t, root)
	stories, err := filepath.Glob(filepath.Join(root, "tools", "schema", "testdata", "stories", "[0-9]*.md"))
	require.NoError(t, err)
	for _, page := range []string{"security.md", "contract.md"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", page))
		require.NoError(t, err)
		named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllSubmatch(text, -1)
		require.NotEmpty(t, named, page)
		for _, name := range named {
			assert.True(t, written[string(name[1])], "docs/%s names %s, which no package has: name the test that shows the line", page, name[1])
		}
		for _, row := range regexp.MustCompile(`(?m)^\|.*\| ([^|]*) \|$`).FindAllSubmatch(text, -1) {
			for _, number := range regexp.MustCompile(`\b[0-3][0-9]\b`).FindAllString(string(row[1]), -1) {
				assert.True(t, slices.ContainsFunc(stories, func(s string) bool { return strings.HasPrefix(filepath.Base(s), number+"-") }), "docs/%s names story %s", page, number)
			}
		}
	}
}

// Each requirement works, or differs with a reason, and names what holds it.
func TestTheContractHasNoHole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "contract.md"))
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasSuffix(line, "held by |\n") || strings.HasPrefix(line, "| ---") {
			continue
		}
		rows++
		if assert.Len(t, cells, 3, line) {
			assert.Regexp(t, `^(works|differs)\b`, cells[1], line)
			assert.Regexp(t, "`Test\\w+`|\\b[0-3][0-9]\\b", cells[2], line)
			assert.False(t, cells[1] == "differs", "without a reason: %s", line)
		}
	}
	assert.Greater(t, rows, 70)
}

// testsOf are the names of all tests.
func testsOf(t *testing.T, root string) map[string]bool {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{range .TestGoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, "./...")
	cmd.Dir = root
	files, err := cmd.Output()
	require.NoError(t, err)
	written := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, file := range regexp.MustCompile(`\S+`).FindAllString(string(files), -1) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range function.FindAllSubmatch(source, -1) {
			written[string(name[1])] = true
		}
	}
	return written
}
