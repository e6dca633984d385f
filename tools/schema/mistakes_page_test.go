package schema_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/clip"
)

var update = flag.Bool("update", false, "write what was seen into docs/mistakes.md")

// pageOfMistakes is the page that has the mistakes as a table, between marks.
var pageOfMistakes = filepath.Join("..", "..", "docs", "mistakes.md")

const beginEdits, endEdits = "<!-- edits, written by go test ./tools/schema -run TestMistakes -update -->\n", "<!-- end of edits -->\n"

// titles are those of the two files of mistakes.
var titles = map[string]string{"seen.json": "What the hints are made for", "held_out.json": "Written before there were hints"}

const headOfRows = "| mistake | of whom | dialect | the reply | bytes | second call |\n| --- | --- | --- | --- | --- | --- |\n"

// row says of a mistake what came of it.
func (m mistake) row(reply refusal, wrong string) string {
	result, how := "right", "names what is meant"
	if wrong != "" {
		result = "**wrong**"
	}
	if _, given := reply.second(m.Edits); given {
		how = "gives the edit"
	}
	from := strings.Replace(m.From, "S2", "the older contract", 1)
	return fmt.Sprintf("| %s | %s | %s | %s | %d | %s |\n", strings.ReplaceAll(clip.Text(m.Name, 200), "|", `\|`), from, m.Dialect, how, len(reply.text), result)
}

// comparePage requires that the page has this text between its marks, or writes
// it there.
func comparePage(t *testing.T, text string) {
	page, err := os.ReadFile(pageOfMistakes)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(page), beginEdits)
	require.True(t, found, "the page has the mark %s", beginEdits)
	had, after, found := strings.Cut(rest, endEdits)
	require.True(t, found, "the page has the mark %s", endEdits)
	if *update {
		require.NoError(t, os.WriteFile(pageOfMistakes, []byte(before+beginEdits+text+endEdits+after), 0o644))
		return
	}
	assert.Equal(t, text, had, "docs/mistakes.md; if it is meant, run this test with -update")
}
