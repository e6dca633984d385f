package settings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhoMayFrameThePageIsTheUsersToSay(t *testing.T) {
	const text = "page:\n  frameAncestors: [\"https://*.vscode-cdn.net\", https://vscode.dev]\n"
	s, err := newPlace(t, map[string]string{global: text}).load()
	require.NoError(t, err)
	assert.Equal(t, []string{"https://*.vscode-cdn.net", "https://vscode.dev"}, s.Page.FrameAncestors)

	for _, file := range []string{own, workspace} {
		_, err = newPlace(t, map[string]string{file: text}).load()
		assert.ErrorContains(t, err, "page.frameAncestors")
		assert.ErrorContains(t, err, "is for the user's own config.yaml", "a cloned project must not let a page of its own frame the designer")
	}
}

func TestAtWhichHostsThePageAnswersIsTheUsersToSay(t *testing.T) {
	const text = "page:\n  hosts: [dev.example.com]\n"
	s, err := newPlace(t, map[string]string{global: text}).load()
	require.NoError(t, err)
	assert.Equal(t, []string{"dev.example.com"}, s.Page.Hosts)

	for _, file := range []string{own, workspace} {
		_, err = newPlace(t, map[string]string{file: text}).load()
		assert.ErrorContains(t, err, "page.hosts")
		assert.ErrorContains(t, err, "is for the user's own config.yaml", "a cloned project must not open the page to a name of its own")
	}
}

func TestFrameAncestorsAreAListOfWords(t *testing.T) {
	for _, value := range []string{"https://vscode.dev", "[1]", "[{a: b}]", `["https://a.dev; script-src *"]`, `[""]`} {
		_, err := newPlace(t, map[string]string{global: "page:\n  frameAncestors: " + value + "\n"}).load()
		assert.ErrorContains(t, err, "list of words", value)
	}
}
