package lint_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/ddl"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/lint/rule"
	"github.com/berth-dev/berth/e2e/schemas"
)

var readRule = flag.String("findings", "", "log each finding of this rule in the corpus (\"all\": of every rule)")

// script is a schema of the corpus: the text that makes it.
type script struct {
	name, dialect, text string
	public              bool // its text may be beyond what [ddl.Read] reads
}

// ownScripts are the schemas of this repository.
var ownScripts = map[string]string{
	"../sqlite/testdata/everything.sql": "sqlite", "../sqlite/testdata/suite/everything.sql": "sqlite", "../sqlite/testdata/suite/shop.sql": "sqlite",
	"../sqlite/testdata/dump-sqlite3.sql": "sqlite", "../../cmd/berth/demo/data/harbour.sql": "sqlite", "../../cmd/berth/demo/data/chandlery.sql": "sqlite",
	"../postgres/testdata/everything.sql": "postgres", "../postgres/testdata/suite/everything.sql": "postgres", "../postgres/testdata/suite/shop.sql": "postgres",
	"../postgres/testdata/dump-pg_dump.sql": "postgres",
	"../mysql/testdata/everything.sql":      "mysql", "../mysql/testdata/suite/everything.sql": "mysql", "../mysql/testdata/suite/shop.sql": "mysql",
	"../mysql/testdata/dump-mariadb.sql": "mysql", "../ddl/testdata/mysql8.sql": "mysql",
	"../mssql/testdata/everything.sql": "mssql", "../mssql/testdata/suite/everything.sql": "mssql", "../mssql/testdata/suite/shop.sql": "mssql",
	"../ddl/testdata/ssms.sql": "mssql",
}

// sampleScripts are below the folder that BERTH_TEST_DATA names.
var sampleScripts = map[string]string{
	"chinook/Chinook_Sqlite_AutoIncrementPKs.sql": "sqlite", "chinook/Chinook_PostgreSql_SerialPKs.sql": "postgres",
	"chinook/Chinook_MySql_AutoIncrementPKs.sql": "mysql", "chinook/Chinook_SqlServer_AutoIncrementPKs.sql": "mssql", "northwind/instnwnd.sql": "mssql",
}

// TestFindingsOnTheCorpusAreThoseThatWereRead counts what each rule finds in
// the schemas that there are, and compares it with the table of docs/lint.md:
// a change of a rule that finds more or less there is looked at. -update
// writes the counts; -findings RULE lists them, to be read. Below
// BERTH_TEST_SCHEMAS it looks for public schemas, as e2e/corpus brings them,
// and logs their counts alone.
func TestFindingsOnTheCorpusAreThoseThatWereRead(t *testing.T) {
	groups := map[string][]script{"own": ownSchemas(t), "samples": samples(t), "public": public(t)}
	counts := map[string]map[rule.ID]int{}
	for _, name := range []string{"own", "samples", "public"} {
		counts[name] = map[rule.ID]int{}
		tables := 0
		for _, one := range groups[name] {
			tables += count(t, one, counts[name])
		}
		total := 0
		for _, n := range counts[name] {
			total += n
		}
		t.Logf("%s: %d schemas, %d tables, %d findings", name, len(groups[name]), tables, total)
	}
	for _, r := range lint.Rules() {
		if !r.Counted {
			t.Logf("%-27s own %4d  samples %4d  public %5d", r.ID, counts["own"][r.ID], counts["samples"][r.ID], counts["public"][r.ID])
		}
	}
	compare(t, counts, len(groups["samples"]) > 0)
}

// count adds the findings of every rule in a schema, those that are off by
// default too, and returns how many tables it has.
func count(t *testing.T, one script, counts map[rule.ID]int) int {
	t.Helper()
	s, err := one.schema()
	if err != nil && one.public {
		t.Logf("%s %s is not read: %v", one.dialect, one.name, err)
		return 0
	}
	require.NoError(t, err, one.name)
	for _, f := range lint.Check(s, lint.Options{On: rule.All()}) {
		counts[f.Rule]++
		if *readRule == string(f.Rule) || *readRule == "all" {
			t.Logf("%s %s: %s: %s", one.dialect, one.name, f.Rule, f.Message)
		}
	}
	return len(s.Tables())
}

func (s script) schema() (*designer.Schema, error) {
	loaded, err := ddl.Read(s.text, dialects[s.dialect])
	if err != nil {
		return nil, err
	}
	return designer.Build(dialects[s.dialect], loaded.Definition, nil)
}

// ownSchemas are those of ownScripts and some that are made up.
func ownSchemas(t *testing.T) []script {
	t.Helper()
	list := scripts(t, "", ownScripts)
	for _, d := range []string{"sqlite", "postgres", "mysql"} {
		text := strings.Join(schemas.Make(schemas.Options{Dialect: d, Seed: 1, Tables: 100}), ";\n") + ";\n"
		list = append(list, script{name: "made-up", dialect: d, text: text})
	}
	return list
}

func samples(t *testing.T) []script {
	t.Helper()
	if dir := os.Getenv("BERTH_TEST_DATA"); dir != "" {
		return scripts(t, dir, sampleScripts)
	}
	return nil // sample data is extra
}

func scripts(t *testing.T, dir string, files map[string]string) (list []script) {
	t.Helper()
	for file, dialect := range files {
		list = append(list, script{name: file, dialect: dialect, text: textOf(t, filepath.Join(dir, filepath.FromSlash(file)))})
	}
	slices.SortFunc(list, func(a, b script) int { return cmp.Compare(a.name, b.name) })
	return list
}

// searchPath is how a script names the schema that its tables are in.
var searchPath = regexp.MustCompile(`SET search_path = \w+`)

// public are the .sql files and folders of them below DIALECT of BERTH_TEST_SCHEMAS.
func public(t *testing.T) (list []script) {
	t.Helper()
	dir := os.Getenv("BERTH_TEST_SCHEMAS")
	if dir == "" {
		return nil // they are brought by hand
	}
	for _, d := range dialectNames {
		found, err := filepath.Glob(filepath.Join(dir, d, "*"))
		require.NoError(t, err)
		for _, one := range found {
			files, err := filepath.Glob(filepath.Join(one, "*.sql"))
			require.NoError(t, err)
			if len(files) == 0 && strings.HasSuffix(one, ".sql") {
				files = []string{one}
			}
			var all strings.Builder
			first := ""
			for _, file := range files { // in the order of their names
				text := textOf(t, file)
				first = cmp.Or(first, searchPath.FindString(text)) // that of the database: psql loads each file in a session of its own
				all.WriteString(first + ";\n" + text + "\n")
			}
			if len(files) > 0 {
				list = append(list, script{filepath.Base(one), d, all.String(), true})
			}
		}
	}
	return list
}

func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// compare holds the counts against the table of docs/lint.md, whose first
// columns are the rule, the findings in this repository's schemas and those in
// the samples.
func compare(t *testing.T, counts map[string]map[rule.ID]int, sampled bool) {
	t.Helper()
	const begin, end = "<!-- corpus: counted by go test ./designer/lint -update -->\n", "<!-- end of the corpus -->\n"
	file := filepath.Join("..", "..", "docs", "lint.md")
	head, rest, found := strings.Cut(textOf(t, file), begin)
	require.True(t, found, "docs/lint.md has the corpus")
	body, tail, found := strings.Cut(rest, end)
	require.True(t, found)
	listed := map[rule.ID]bool{}
	var out strings.Builder
	for line := range strings.Lines(body) {
		cells := strings.Split(line, " | ")
		id := rule.ID(strings.Trim(cells[0], "|` "))
		if ruleOf(id) == nil || len(cells) < 4 {
			out.WriteString(line)
			continue
		}
		listed[id] = true
		cells[1] = strconv.Itoa(counts["own"][id])
		if sampled {
			cells[2] = strconv.Itoa(counts["samples"][id])
		}
		out.WriteString(strings.Join(cells, " | "))
	}
	for _, r := range lint.Rules() {
		n := counts["own"][r.ID] + counts["samples"][r.ID]
		assert.Equal(t, !r.Counted, listed[r.ID], fmt.Sprintf("rule %s in the table of docs/lint.md: %d findings", r.ID, n))
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(head+begin+out.String()+end+tail), 0o644))
	}
	assert.Equal(t, body, out.String(), "findings in the corpus: read the new ones (-findings RULE), then go test ./designer/lint -update")
}
