package cli

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
)

// silent are the commands that report nothing a program would read, and why.
var silent = map[string]string{
	"berth":              "prints its help",
	"berth demo":         "plays to a person",
	"berth files":        "holds berth files init",
	"berth man":          "writes files, for packages",
	"berth hosts add":    "writes a host, which berth hosts --json lists",
	"berth hosts remove": "takes a host out of that list",
	"berth mcp":          "speaks MCP",
	"berth open":         "opens a browser; --print is for a terminal alone",
	"berth relay":        "speaks to another berth",
	"berth password":     "prints a password, exactly",
	"berth help":         "prints help",
	"berth config trust": "is berth trust, under the name it had",
	"berth completion":   "prints a script of the shell",
}

// TestEveryCommandThatReportsHasJSON: a new command reports to programs too, or
// says here why it does not.
func TestEveryCommandThatReportsHasJSON(t *testing.T) {
	var walk func(cmd *cobra.Command)
	seen := 0
	walk = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		flag := cmd.Flags().Lookup("json")
		switch why, exempt := silent[path]; {
		case exempt:
			assert.True(t, flag == nil || cmd.Hidden, "%s has --json and is listed as one that %s", path, why)
		default:
			seen++
			assert.NotNil(t, flag, "%s has no --json: add it by jsonFlag, or say in silent why there is nothing to report", path)
		}
		if path == "berth completion" {
			return
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&app{}))
	assert.Greater(t, seen, 15)
}
