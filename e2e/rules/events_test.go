package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// source is a file of the project.
func source(t *testing.T, parts ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, parts...)...))
	require.NoError(t, err)
	return string(raw)
}

// found lists what the first group of a pattern matches.
func found(pattern, in string) (names []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(in, -1) {
		names = append(names, m[1])
	}
	return names
}

// The page lists what happened. A type of event that it has no words for would
// be listed as something else, as publishing once was.
func TestEveryTypeOfEventHasWordsOnThePage(t *testing.T) {
	constants := regexp.MustCompile(`(?s)// The event types\.\nconst \((.*?)\n\)`).FindString(source(t, "designer", "session", "events.go"))
	sent := found(`EventType = "(\w+)"`, constants)
	require.Len(t, found(`= "(\w+)"`, constants), len(sent), "a constant of another type is among the event types")
	require.Contains(t, sent, "published")
	words := regexp.MustCompile(`(?s)const words: Record<DesignEventType.*?\n}`).FindString(source(t, "designer", "page", "src", "store", "activity.ts"))
	assert.ElementsMatch(t, sent, found(`(?m)^  (\w+): \(`, words), "designer/page/src/store/activity.ts has words for each type of event, and no other")
	for _, name := range sent {
		assert.Contains(t, source(t, "docs", "http.md"), "`"+name+"`", "docs/http.md describes each type of event")
	}
}

// A risk that the page has no words for would end it where a plan has one.
func TestEveryRiskHasWordsOnThePage(t *testing.T) {
	risks := found(`Risk = "(\w+)"`, source(t, "designer", "plan.go"))
	require.Contains(t, risks, "data_loss")
	words := regexp.MustCompile(`(?s)const riskWords: Record<Risk.*?\n}`).FindString(source(t, "designer", "page", "src", "panels", "lib", "words.ts"))
	assert.ElementsMatch(t, risks, found(`(?m)^  (\w+): \{`, words), "designer/page/src/panels/lib/words.ts has words for each risk, and no other")
	for _, name := range risks {
		assert.Contains(t, source(t, "docs", "http.md"), "`"+name+"`", "docs/http.md lists each risk")
	}
}
