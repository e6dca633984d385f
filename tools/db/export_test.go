package db

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
)

func toFile(t *testing.T, c testProject, query string, format any) tools.Reply {
	t.Helper()
	return c.call(t.Context(), "run-query", args(map[string]any{"query": query, "toFile": format}))
}

const oddValues = "SELECT 1 AS a, NULL AS b, '' AS a, 'x,\"y\"'||char(10) AS c, 9007199254740993, 2.0, x'00ff', CAST(x'ff' AS TEXT), 1e999, 'p'||char(8238)"

func TestAResultGoesToAFileWhole(t *testing.T) {
	c := project(t, shop, settings{})
	for _, tt := range []struct {
		format any
		name   string
		want   string
	}{
		{true, "csv", "a,b,a,c,9007199254740993,2.0,x'00ff',CAST(x'ff' AS TEXT),1e999,'p'||char(8238)\r\n" +
			"1,,\"\",\"x,\"\"y\"\"\n\",9007199254740993,2.0,base64:AP8=,base64:/w==,Infinity,p\u202e\r\n"},
		{"jsonl", "jsonl", `{"a":1,"b":null,"a_2":"","c":"x,\"y\"\n","9007199254740993":"9007199254740993","2.0":2.0,` +
			`"x'00ff'":{"$base64":"AP8="},"CAST(x'ff' AS TEXT)":{"$base64":"/w=="},"1e999":"Infinity","'p'||char(8238)":"p` + "\u202e" + `"}` + "\n"},
	} {
		r := toFile(t, c, oddValues, tt.format)
		require.False(t, r.IsError, r.Content)
		var done exportReply
		require.NoError(t, json.Unmarshal([]byte(r.Content[0]), &done))
		assert.Regexp(t, `^\.berth/results/query-\d{8}T\d{6}Z-[0-9a-f]{8}\.`+tt.name+`$`, done.Path)
		content, err := os.ReadFile(filepath.Join(c.Root(), filepath.FromSlash(done.Path)))
		require.NoError(t, err)
		assert.Equal(t, tt.want, string(content))
		assert.Equal(t, int64(len(content)), done.Bytes)
		assert.Equal(t, int64(1), done.Rows)
		assert.Equal(t, 10, done.Columns)
	}
}

func TestAFileHasMoreThanAReply(t *testing.T) {
	const many = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT x FROM c"
	r := toFile(t, project(t, shop, settings{}), many, "csv")
	assert.Contains(t, r.Content[0], `"rows":5000`)
	r = toFile(t, project(t, shop, settings{MaxFile: 100}), many, "csv")
	assert.Contains(t, r.Content[0], `"truncated":true`)
	assert.Contains(t, r.Content[1], "its limit of 100 bytes")
}

func TestAFailedExportLeavesNothing(t *testing.T) {
	c := project(t, shop, settings{})
	r := toFile(t, c, "SELECT abs(x) FROM (SELECT 1 AS x UNION ALL SELECT -9223372036854775808)", true)
	assert.Equal(t, []string{"SQLite: integer overflow"}, r.Content)
	r = toFile(t, c, "DELETE FROM orders", true)
	assert.Contains(t, r.Content[0], "refused (reads only)")
	entries, err := os.ReadDir(filepath.Join(c.Root(), filepath.FromSlash(resultsDir)))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, ".gitignore", entries[0].Name())
}

func TestResultsDoNotLeaveTheProject(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // links need a privilege there
	}
	for _, link := range []string{".berth", ".berth/results"} {
		c := project(t, shop, settings{})
		outside := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(c.Root(), filepath.Dir(link)), 0o700))
		require.NoError(t, os.Symlink(outside, filepath.Join(c.Root(), link)))
		r := toFile(t, c, "SELECT 1", true)
		assert.True(t, r.IsError)
		assert.True(t, strings.Contains(r.Content[0], "is not a folder"), r.Content)
		entries, err := os.ReadDir(outside)
		require.NoError(t, err)
		assert.Empty(t, entries)
	}
}
