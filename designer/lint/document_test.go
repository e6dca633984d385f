package lint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/lint"
)

var update = flag.Bool("update", false, "write docs/lint.md")

// TestTheDocumentHasTheRules compares the tables of docs/lint.md with the
// rules; -update writes them.
func TestTheDocumentHasTheRules(t *testing.T) {
	const begin, end = "<!-- rules: printed by go test ./designer/lint -update -->\n", "<!-- end of the rules -->\n"
	file := filepath.Join("..", "..", "docs", "lint.md")
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(raw), begin)
	require.True(t, found)
	_, tail, found := strings.Cut(rest, end)
	require.True(t, found)
	want := head + begin + "\n" + document() + "\n" + end + tail
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
	}
	assert.Equal(t, want, string(raw), "go test ./designer/lint -update")
}

func document() string {
	var b strings.Builder
	b.WriteString("| rule | severity | SQLite | PostgreSQL | MySQL, MariaDB | SQL Server | what it finds | why | edit |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range lint.Rules() {
		severity := string(r.Severity)
		if r.Off {
			severity += ", off"
		}
		if r.Counted {
			severity += ", statistics"
		}
		fmt.Fprintf(&b, "| `%s` | %s |", r.ID, severity)
		for _, d := range dialectNames {
			mark := " "
			if r.For(d) {
				mark = " ✓ "
			}
			b.WriteString(mark + "|")
		}
		fmt.Fprintf(&b, " %s | %s | %s |\n", r.Says, r.Why, r.Edit)
	}
	b.WriteString("\nRules of Azimutt and drawDB, and those here that look for the same:\n\n| theirs | here |\n| --- | --- |\n")
	for _, tool := range []string{"azimutt", "drawdb"} {
		for _, theirs := range theirRules[tool] {
			var ours []string
			for _, r := range lint.Rules() {
				for _, peer := range strings.Split(r.Peers, "; ") {
					name, list, _ := strings.Cut(peer, " ")
					for _, one := range strings.Split(list, ", ") {
						if name == tool && one == theirs {
							ours = append(ours, "`"+string(r.ID)+"`")
						}
					}
				}
			}
			text := strings.Join(ours, ", ")
			if text == "" {
				text = instead[theirs]
			}
			fmt.Fprintf(&b, "| %s `%s` | %s |\n", tool, theirs, text)
		}
	}
	return b.String()
}

// theirRules are the rules of the tools that the issue names.
var theirRules = map[string][]string{
	"azimutt": strings.Fields(`attribute-empty attribute-name-inconsistent attribute-type-bad attribute-type-inconsistent entity-empty entity-grow-fast
		entity-index-none entity-index-too-heavy entity-index-too-many entity-name-inconsistent entity-not-clean entity-too-large entity-unused
		index-duplicated index-grow-fast index-on-relation index-unused primary-key-missing primary-key-not-business query-degrading query-expensive
		query-high-variation query-too-slow relation-misaligned relation-miss-attribute relation-miss-entity relation-missing`),
	"drawdb": strings.Fields(`table_w_no_name duplicate_table_by_name empty_field_name empty_field_type no_values_for_field default_doesnt_match_type
		not_null_is_null duplicate_fields duplicate_index empty_index_name empty_index no_primary_key type_with_no_name duplicate_types type_w_no_fields
		empty_type_field_name enum_w_no_name duplicate_enums enum_w_no_values duplicate_reference circular_dependency`),
}

// instead says why a rule of theirs has none here.
var instead = map[string]string{
	"entity-grow-fast": growth, "index-grow-fast": growth,
	"query-degrading": queries, "query-expensive": queries, "query-high-variation": queries, "query-too-slow": queries,
	"table_w_no_name": refused, "empty_field_name": refused, "empty_index": refused, "type_with_no_name": refused, "duplicate_types": refused,
	"enum_w_no_name": refused, "duplicate_enums": refused, "empty_type_field_name": "none: composite types are carried, not designed",
	"empty_index_name": "none: the designer names an index that has no name",
}

const (
	growth  = "none: it needs the sizes of earlier days, which berth does not keep"
	queries = "none: it is about queries, not about a schema; `explain-query` is for one"
	refused = "none: the designer refuses it"
)

func TestEveryRuleOfTheirsHasAnAnswer(t *testing.T) {
	require.Len(t, theirRules["azimutt"], 27)
	require.GreaterOrEqual(t, len(theirRules["drawdb"]), 20)
	for _, line := range strings.Split(document(), "\n") {
		assert.False(t, strings.HasSuffix(line, "|  |") && strings.HasPrefix(line, "| azimutt"), line)
		assert.False(t, strings.HasSuffix(line, "|  |") && strings.HasPrefix(line, "| drawdb"), line)
	}
	for tool, rules := range theirRules {
		for _, r := range lint.Rules() {
			for _, peer := range strings.Split(r.Peers, "; ") {
				name, list, _ := strings.Cut(peer, " ")
				for _, one := range strings.Split(list, ", ") {
					if name == tool {
						assert.Contains(t, rules, one, "rule %s names a rule that %s has not", r.ID, tool)
					}
				}
			}
		}
	}
}
