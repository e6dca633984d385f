package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page lists what happened. A type of event that it has no words for would
// be listed as something else, as publishing once was.
func TestEveryTypeOfEventHasWordsOnThePage(t *testing.T) {
	text := func(parts ...string) string {
		raw, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, parts...)...))
		require.NoError(t, err)
		return string(raw)
	}
	found := func(pattern, in string) (names []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
			names = append(names, m[1])
		}
		return names
	}
	constants := regexp.MustCompile(`(?s)// The event types\.\nconst \((.*?)\n\)`).FindString(text("designer", "session", "events.go"))
	sent := found(`EventType = "(\w+)"`, constants)
	require.Len(t, found(`= "(\w+)"`, constants), len(sent), "a constant of another type is among the event types")
	require.Contains(t, sent, "published")
	words := regexp.MustCompile(`(?s)const words: Record<DesignEventType.*?\n}`).FindString(text("designer", "page", "src", "store", "activity.ts"))
	assert.ElementsMatch(t, sent, found(`(?m)^  (\w+): \(`, words), "designer/page/src/store/activity.ts has words for each type of event, and no other")
	for _, name := range sent {
		assert.Contains(t, text("docs", "http.md"), "`"+name+"`", "docs/http.md describes each type of event")
	}
}
