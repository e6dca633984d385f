package driver

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools/db/readonly"
)

// certainly reports whether a query is certain, whatever the state, and what
// the judges say of it then. known is what is kept where the state is known.
func certainly(t testing.TB, d *postgresDatabase, known *readonly.PostgresCache, query string) (certain bool, judged error) {
	t.Helper()
	p, refusal := readonly.ParsePostgres(query, false)
	if refusal != nil {
		return false, refusal
	}
	judged = d.guarded(t.Context(), func(s *postgresSession) error {
		c, ok := readonly.NewPostgresReach(s, known).Certain(p)
		if !ok {
			return nil
		}
		answers, err := s.Ask(t.Context(), c.Doubts)
		require.NoError(t, err, query)
		if certain = len(answers[0]) == 0; certain {
			_, err = s.judge(t.Context(), p)
		}
		return err
	})
	return certain, judged
}

// steadied opens the database at one connection, and returns what is kept when
// the state is known, which any write on the server changes.
func steadied(t testing.TB, s served) (d *postgresDatabase, known *readonly.PostgresCache) {
	t.Helper()
	d = s.connect(t).(*postgresDatabase)
	d.pool.SetMaxOpenConns(1)
	p, _ := readonly.ParsePostgres("SELECT 1", false)
	known = &readonly.PostgresCache{}
	for steady, n := false, 0; !steady; n++ {
		require.Less(t, n, 500, "somebody writes all the time")
		require.NoError(t, d.guarded(t.Context(), func(s *postgresSession) error {
			s.memory = known
			if _, steady = s.certainty(p); steady {
				return nil
			}
			_, err := s.judge(t.Context(), p)
			return err
		}))
	}
	return d, known
}

// corpusForms reads what the corpus puts together of its forms and fill-ins.
func corpusForms(t testing.TB) (all []string) {
	t.Helper()
	raw, err := os.ReadFile("../readonly/testdata/corpus/postgres.txt")
	require.NoError(t, err)
	forms, defines, in := map[string][]string{"": {"{}"}}, "", ""
	for line := range strings.Lines(strings.NewReplacer("⏎", "\v", "␍", "\r", "␀", "\x00", "﹏", "\ufeff").Replace(string(raw))) {
		line = strings.TrimSuffix(line, "\n")
		head, isHead := strings.CutPrefix(line, "[")
		head, closed := strings.CutSuffix(head, "]")
		switch {
		case line == "" || line == "#" || strings.HasPrefix(line, "# "):
		case isHead && closed && strings.HasPrefix(head, "forms "):
			defines = strings.TrimPrefix(head, "forms ")
		case isHead && closed:
			head, _, _ = strings.Cut(head, " | ")
			_, in, _ = strings.Cut(head, " in ")
			defines = ""
		case defines != "":
			forms[defines] = append(forms[defines], line)
		default:
			for _, form := range forms[in] {
				all = append(all, strings.ReplaceAll(strings.ReplaceAll(form, "{}", line), "\v", "\n"))
			}
		}
	}
	return all
}

// What is admitted without being judged is what the judges admit. The corpora
// have the attacks that the guards know.
func TestWhatIsCertainIsWhatTheJudgesAdmit(t *testing.T) {
	s, _ := postgresGuarded(t)
	s.Exec(t, script(t, "corpus/postgres.sql"))
	d, known := steadied(t, s)
	queries := append(corpus(t, "postgres.txt", s.Address.Database), corpus(t, "postgres_harmless.txt", s.Address.Database)...)
	queries = append(queries, corpusForms(t)...)
	queries = append(queries, "SELECT TREAT(1 AS pg_sleep)", "SELECT TREAT(1.0 AS random)", `SELECT "treat"(1)`, "SELECT a.* FROM pg_settings a", "TABLE pg_locks", "SELECT * FROM information_schema.tables",
		"WITH nextval(a) AS (SELECT 1) SELECT * FROM nextval", "SELECT (p).nextval FROM (SELECT 1) p", "SELECT x.random FROM (SELECT 1) x", "SELECT 1 FROM pg_class TABLESAMPLE system (1)")
	certain := 0
	for _, query := range queries {
		if ok, judged := certainly(t, d, known, query); ok {
			certain++
			var refusal *readonly.Refusal
			assert.NotErrorAs(t, judged, &refusal, query) // an error of the server is none
		}
	}
	t.Logf("%d of %d are certain", certain, len(queries))
	assert.Greater(t, certain, 100)
}

// An ordinary query is certain, and one that reaches more is not, whatever it is called.
func TestWhatIsCertain(t *testing.T) {
	s := postgresServed(t, `CREATE TABLE plain (id int PRIMARY KEY, name text, price numeric, at timestamptz); CREATE VIEW v AS SELECT 1 AS one;
		CREATE SCHEMA other; CREATE VIEW other.twice AS SELECT 1 AS one; CREATE TABLE twice (a int);
		CREATE FUNCTION other.lower(text) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1'; CREATE FUNCTION is_new(plain) RETURNS bool STABLE LANGUAGE sql AS 'SELECT true';
		CREATE TABLE secured (a int); ALTER TABLE secured ENABLE ROW LEVEL SECURITY; CREATE TABLE parent (a int); CREATE TABLE child () INHERITS (parent);
		CREATE FUNCTION half(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 / 2'; CREATE TABLE indexed (a int); CREATE INDEX ON indexed (half(a));
		CREATE TABLE checked (a int CHECK (half(a) > 0)); CREATE MATERIALIZED VIEW m AS SELECT 1 AS one; CREATE TABLE parts (a int) PARTITION BY LIST (a)`)
	d, known := steadied(t, s)
	for query, want := range map[string]bool{
		"SELECT 1 AS one": true, "VALUES (1), (2)": true, "TABLE plain": true, "SELECT count(*), sum(price), max(at) FROM public.plain": true,
		"SELECT p.name, upper(p.name), coalesce(p.price, 0)::text FROM plain p WHERE p.id IN (1, 2) AND EXISTS (SELECT 1 FROM plain) ORDER BY 1 LIMIT 3": true,
		"WITH x AS (SELECT * FROM plain) SELECT row_number() OVER (ORDER BY id), count(*) FILTER (WHERE id > 1) OVER () FROM x JOIN plain USING (id)":    true,
		`SELECT "name" FROM "plain"`: true, "SELECT * FROM pg_class": true,
		"SELECT * FROM v": false, "SELECT * FROM twice": false, "SELECT lower('a')": false, "SELECT p.is_new FROM plain p": false, "SELECT * FROM secured": false,
		"SELECT * FROM parent": false, "SELECT * FROM indexed": false, "SELECT * FROM checked": false, "SELECT * FROM m": false, "SELECT * FROM parts": false,
		"SELECT * FROM pg_stat_activity": false, "SELECT * FROM information_schema.columns": false, "SELECT random()": false, "SELECT nextval('s')": false,
		"SELECT CAST(1 AS text)": true, "SELECT TREAT(1 AS float8)": false, `SELECT U&"n!0061me" UESCAPE '!' FROM plain`: false, `SELECT U&"name" FROM plain`: false,
		`SELECT E'a'`: false, "SELECT $$a$$": false, `SELECT 1 AS "ä"`: false, "EXPLAIN SELECT 1": false, "SHOW work_mem": false,
	} {
		got, err := certainly(t, d, known, query)
		assert.NoError(t, err, query)
		assert.Equal(t, want, got, query)
	}
}
