package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Who says no is told what a publish to another connection has
// left: nothing in the database, and the tables in that connection's design.
func TestADeclinedPublishToAnotherConnectionSaysWhatItLeft(t *testing.T) {
	t.Parallel()
	s := dialects["sqlite"](t, newWorld(t))
	s.run("new", "shop")
	s.serve(s.root)
	client := s.agent()
	shown := client.design(s.root, map[string]any{"operation": "show", "connectionName": "shop"})
	made := client.design(s.root, edits(shown.Version, addTable("author")))
	require.True(t, made.Success, made.text)
	said := s.atTTY(s.root, terminalInput{prompt: "Approve? ", text: "no"}, "publish", "shop", "--to", "main")
	assert.Equal(t, 3, said.code, said.stdout)
	assert.Contains(t, said.stdout, "author")
	assert.Contains(t, said.stdout, "you did not approve it: no database was changed")
	assert.Contains(t, said.stdout, "the tables are proposed in the design of main now; undo takes them back there")
	assert.Equal(t, 0, s.count("SELECT count(*) FROM sqlite_schema WHERE name = 'author'"))
	assert.Contains(t, s.run("diff", "main"), "add table main.author")
}
