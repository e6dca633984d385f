package markdown_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/ddl"
	"github.com/berth-dev/berth/designer/markdown"
	"github.com/berth-dev/berth/designer/postgres"
)

var update = flag.Bool("update", false, "rewrite the expected page")

func design(t *testing.T, script string) *designer.Schema {
	t.Helper()
	loaded, err := ddl.Read(script, postgres.Dialect())
	require.NoError(t, err)
	s, err := designer.Build(postgres.Dialect(), loaded.Definition, nil)
	require.NoError(t, err)
	return s
}

func TestAPageSaysAllOfADesign(t *testing.T) {
	script, err := os.ReadFile("../postgres/testdata/dump-pg_dump.sql")
	require.NoError(t, err)
	got := markdown.Render(design(t, string(script)), "lights")
	if *update {
		require.NoError(t, os.WriteFile("testdata/lights.md", []byte(got), 0o644))
	}
	want, err := os.ReadFile("testdata/lights.md")
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestNothingInADesignEndsTheLineThatItStandsIn(t *testing.T) {
	s := design(t, "CREATE TABLE \"a|b\n# c\" (\"x`|<script>\" text DEFAULT '``|\n' CHECK (\"x`|<script>\" <> '|'));\nCREATE TABLE ab (id int); CREATE TABLE \"AB\" (id int);\n"+
		"COMMENT ON COLUMN ab.id IS '| [x](javascript:alert(1))\n\n## y';")
	page := markdown.Render(s, "*n*\n# x")
	before, rest, _ := strings.Cut(page, "```mermaid")
	_, after, _ := strings.Cut(rest, "\n```\n")
	page = before + after // the diagram has rules of its own
	assert.NotContains(t, page, "\n# x")
	assert.NotContains(t, page, "\n# c")
	assert.NotContains(t, page, "\n## y")
	assert.NotContains(t, page, " [x](")
	assert.Contains(t, page, `\<script\>`)
	for line := range strings.SplitSeq(page, "\n") {
		if strings.HasPrefix(line, "| ") {
			cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") - 1
			assert.Contains(t, []int{3, 6}, cells, line)
		}
	}
	assert.Contains(t, page, "(#ab)")
	assert.Contains(t, page, "(#ab-1)", "two tables have two places")
}

func TestAnEmptyDesignIsAPageToo(t *testing.T) {
	assert.Equal(t, "# x\n\nA design for PostgreSQL: 0 tables.\n", markdown.Render(design(t, ""), "x"))
}
