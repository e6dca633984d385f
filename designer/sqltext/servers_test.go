package sqltext_test

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/engine/enginetest"
	"github.com/berth-dev/berth/designer/sqltext"
)

var update = flag.Bool("update", false, "rewrite the expected tokens")

// inputs are expressions over the columns below, whole and broken, that
// servers and hand-written readers split differently.
var inputs = []string{
	"a", "A", `"a"`, "`a`", "[a]", `"A"`, "a.b", "t.a", `t."a"`, "t . a", "a+b", "a-b", "a--b", "a-- b\n+b", "a- -b", "a+-b", "a*-b", "a/b", "a/*b*/", "a/*b/*x*/b*/", "/*!50000 a*/+b", "/*+ a */b", "/*M! a*/", "a#b\n", "a #b\n", "a/**/+b",
	"a@b", "a@>b", "a$b", "$a", "$1", "@a", "@@a", "a+@b", ":a", "?", "#a", "a ? b",
	"tags@>ARRAY[a]", "data#>>'{kind}'", "data->>'kind'", "data->'kind'", "data#>'{kind}'", "data ? 'kind'", "data?'kind'", "data@?'$.kind'", "tags[a]", "tags[a:b]", "tags[1:n]", "tags||a", "a::text", "a::x", "x::int+n",
	"a=x'41'", "a=X'4'", "a=b'1'", "a=N'x'", "a=n'x'", "kind=E'x'", `kind=E'\'x'`, `kind='\'||x`, `kind=E'\\'||x`, "kind=E'a'\n'\\''", "kind='a'\n'x'", "kind='a' 'x'", "kind=U&'\\0061'", `U&"\0061"`, `U&"!0061" UESCAPE '!'`, `u&"a"`,
	"kind=_utf8mb4'x'", "kind=_utf8 'x'", "_utf8+a", "_x", "kind=$$x$$", "kind=$x$a$x$", "kind=$x$a$X$", "kind='it''s x'", `kind="x"`, `kind="it""s"`, "kind=`x`", "kind='x", `kind="x`, "/*x", "/* a */ b",
	"1a", "t.1a", "`t`.1a", "t.1", "a+t.1a+.5", "t .1a", "t. 1a", "1 a", "a1", "1e", "1e5", "1e+5", "1.5", "1.", ".5", "a+.5", "1.a", "0x41", "0x", "0xa", "0b1", "0b1+b", "1_000", "1..2", "5e5a", "1x", "1e5x",
	"a<>b", "a!=b", "a<=>b", "a<=b", "a=b", "a==b", "a||b", "a&&b", "a|b", "a^b", "a~b", "~a", "!a", "a<<b", "a>>b", "a%b", "a:=b", "a !< b", "a=-1", "a@-1", "a<-1", "a<+b", "a*+b", "a!=-b", "@ a", "|/a",
	"abs(a)", "a (b)", "CAST(a AS char)", "CAST(a AS x)", "kind COLLATE x", "CASE WHEN a>b THEN x ELSE n END", "CASE a WHEN'x'THEN'y'END", "a IN(b,x)", "kind LIKE'x'", "kind LIKE 'x' ESCAPE 'n'", "a IS NOT NULL AND b", "NULL", `\N`, "a\u00a0+b", "größe", "a\vb", "a;b", "(a", "a)", "", "a\\b", "€", "{x}", "$5", "$5.1+a", "[a]]b]", "`a``b`", `"a""b"`, `"a"b`, `'a'b`, `'x'::text||kind`, "DATE'2020-01-01'", "date '2020-01-01'", "a. b", "1<a", "x.x", "e'x'", "n", "e", "u", "u&a", "n'n'", "x''",
	"kind=x'4a'||kind", "kind='\\\\'||x", "kind='a\\'||x", "a=.5e1", "a=1.e2", "a=0b12", "a=0X4", "a=0x4", "0b1", "a+0b1+b", "t.0b12", "a=0o17", "a=0x4g", "a=1__0", "a=1_", "a=5.", "a=5.e", "a/**/b", "a --x\n+b", "a --\n+b", "a#>b", "a<@b", "a&&&b", "a<>-b", "a=+b", "a>=-b",
	"a!=~b", "tags@>tags", "data->>0", "data@>'{}'", "data#-'{kind}'", "kind~'x'", "kind!~*'x'", "kind||$q$a b$q$", "kind=$1$", "kind=@'x'", "kind=@`x`", "a=@@global.x", "a=@x:=b", "a BETWEEN b AND x", "a NOT IN(n)", "NOT a", "a DIV b", "a MOD b",
	"kind REGEXP'x'", "kind GLOB 'x*'", "a XOR b", "(a,b)=(x,n)", "EXISTS(SELECT a)", "kind='x''y'", "kind='x'' y'||x", "t.\"b\"", "`t`.`b`", "[t].[b]", "\"t\".x", "ａ", "a\u200b", "a\tb", "a\fb", "\ufeffa", "a\u3000+b", "CURRENT_DATE", "N'x'||kind", "B'01'", "X'0'", "x'zz'",
}

const columnNames = "a b x n e u tags data kind 1a 0b12 0X4"

// toldOf says how a dialect splits a text, and how strictly where that differs.
func toldOf(r sqltext.Rules, text string) string {
	line := told(r.Tokens(text))
	if exact := told(strict(r).Tokens(text)); exact != line {
		line += "   strictly " + exact
	}
	return line
}

func TestInputsAreSplitAsTheFileSays(t *testing.T) {
	require.Greater(t, len(inputs), 200)
	var b strings.Builder
	for _, text := range inputs {
		fmt.Fprintf(&b, "%q\n", text)
		for _, name := range []string{"postgres", "mysql", "sqlite", "tsql"} {
			fmt.Fprintf(&b, "\t%-8s  %s\n", name, strings.ReplaceAll(toldOf(dialects()[name], text), "\n", "↵"))
			requireWhole(t, name, text, dialects()[name].Tokens(text))
		}
	}
	file := filepath.Join("testdata", "split.txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), b.String())
}

// uses lists the columns that the tokens of an expression name.
func uses(r sqltext.Rules, text string, same func(a, b string) bool) []string {
	var used []string
	all := r.Significant(text)
	at := func(i int) sqltext.Token {
		if i < 0 || i >= len(all) {
			return sqltext.Token{}
		}
		return all[i]
	}
	for i, t := range all {
		before, after := at(i-1), at(i+1)
		isType := t.Kind == sqltext.Word && (before.Is("::") || before.Is("AS") || before.Is("COLLATE"))
		if !t.IsName() || after.Is(".") || t.Kind == sqltext.Word && after.Is("(") || isType {
			continue
		}
		for _, c := range strings.Fields(columnNames) {
			if same(c, t.Name) && !slices.Contains(used, c) {
				used = append(used, c)
			}
		}
	}
	slices.Sort(used)
	return used
}

func exactly(a, b string) bool { return a == b }

// agree asks a server about every input: what it takes has no illegal token,
// and uses the columns that the tokens name.
func agree(t *testing.T, r sqltext.Rules, same func(a, b string) bool, least int, ask func(text string) (columns []string, taken error)) {
	t.Helper()
	taken := 0
	for _, text := range inputs {
		columns, refused := ask(text)
		if refused != nil {
			continue
		}
		taken++
		slices.Sort(columns)
		for _, tok := range r.Tokens(text) {
			assert.NotEqual(t, sqltext.Illegal, tok.Kind, "%q: the server takes %q", text, tok.Text)
		}
		assert.Equal(t, columns, uses(r, text, same), "%q", text)
	}
	assert.GreaterOrEqual(t, taken, least, "too few inputs were taken to say anything")
	t.Logf("%d of %d inputs are taken", taken, len(inputs))
}

func TestPostgreSQLUsesTheColumnsThatTheTokensName(t *testing.T) {
	db := enginetest.PostgresDB(t)
	db.SetMaxOpenConns(1)
	must(t, db, "CREATE TABLE t (a int, b int, x int, n int, e int, u int, tags int[], data jsonb, kind text, \"1a\" int, \"0b12\" int, \"0X4\" int)")
	agree(t, sqltext.PostgreSQL(), exactly, 100, func(text string) ([]string, error) {
		if _, err := db.Exec("CREATE VIEW v AS SELECT (\n" + text + "\n) AS r FROM t"); err != nil {
			return nil, err
		}
		defer must(t, db, "DROP VIEW v")
		return list(t, db, `SELECT DISTINCT a.attname FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refobjsubid > 0
			JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE r.ev_class = 'v'::regclass`), nil
	})
}

var viewColumn = regexp.MustCompile("`t`\\.`((?:[^`]|``)+)`")

func TestMySQLUsesTheColumnsThatTheTokensName(t *testing.T) {
	db := enginetest.MySQLDB(t)
	db.SetMaxOpenConns(1)
	must(t, db, "CREATE TABLE t (a int, b int, x int, n int, e int, u int, tags varchar(40), data longtext, kind varchar(40), 1a int, 0b12 int, 0X4 int)")
	r := sqltext.MySQL()
	r.ReadPrograms = true // the server does
	agree(t, r, strings.EqualFold, 100, func(text string) ([]string, error) {
		if _, err := db.Exec("CREATE OR REPLACE VIEW v AS SELECT (\n" + text + "\n) AS r FROM t"); err != nil {
			return nil, err
		}
		var ignored, definition string
		require.NoError(t, db.QueryRow("SHOW CREATE VIEW v").Scan(&ignored, &definition, &ignored, &ignored))
		var columns []string
		for _, m := range viewColumn.FindAllStringSubmatch(definition, -1) {
			if !slices.Contains(columns, m[1]) {
				columns = append(columns, m[1])
			}
		}
		return columns, nil
	})
}

// SQLite says which columns a check uses by writing their new names into it.
func TestSQLiteUsesTheColumnsThatTheTokensName(t *testing.T) {
	db := enginetest.SQLiteDB(t)
	db.SetMaxOpenConns(1)
	agree(t, sqltext.SQLite(), strings.EqualFold, 90, func(text string) (columns []string, refused error) {
		for _, c := range strings.Fields(columnNames) {
			tx, err := db.Begin()
			require.NoError(t, err)
			if _, refused = tx.Exec("CREATE TABLE t ([" + strings.Join(strings.Fields(columnNames), "], [") + "], CHECK (\n" + text + "\n))"); refused == nil {
				_, refused = tx.Exec("ALTER TABLE t RENAME COLUMN [" + c + "] TO renamed_here")
			}
			definition := ""
			if refused == nil {
				require.NoError(t, tx.QueryRow("SELECT sql FROM sqlite_schema WHERE name = 't'").Scan(&definition))
			}
			require.NoError(t, tx.Rollback())
			if refused != nil {
				return nil, refused
			}
			if _, check, _ := strings.Cut(definition, "CHECK"); strings.Contains(check, "renamed_here") {
				columns = append(columns, c)
			}
		}
		return columns, nil
	})
}

func must(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	_, err := db.Exec(statement)
	require.NoError(t, err)
}

func list(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.Query(query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		all = append(all, s)
	}
	require.NoError(t, rows.Err())
	return all
}
