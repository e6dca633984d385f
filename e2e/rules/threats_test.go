package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A line of the threat model is as good as the test that it names.
func TestEveryTestThatTheThreatModelNamesIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	model, err := os.ReadFile(filepath.Join(root, "docs", "security.md"))
	require.NoError(t, err)
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
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllSubmatch(model, -1)
	require.NotEmpty(t, named)
	for _, name := range named {
		assert.True(t, written[string(name[1])], "docs/security.md names %s, which no package has: name the test that shows the line", name[1])
	}
}
