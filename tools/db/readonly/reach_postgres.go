package readonly

import (
	"bytes"
	"context"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// PostgresReach follows a query through everything that it can run: the
// functions it names, those in its views, row security policies and in the
// bodies of functions, and what casts, operators, domains and types run
// without being named. Every one is looked up on the server and judged by
// what the server says of it. It reads catalogues only, so nothing of the
// query is planned before its names are judged: planning runs functions.
type PostgresReach struct {
	ctx     context.Context
	server  Catalogue
	pending []reachedText
	names   map[postgresName]bool // looked up already
	tables  map[string]bool
	judged  map[uint32]bool // functions by oid
	unnamed []*operatorPostgres
	bytes   int // of texts
}

// reachedText is SQL that a query runs.
type reachedText struct {
	tokens []sqltext.Token
	via    string // how it was reached, for people; "" is the query itself
	// anySchema: what path its names are looked up by is not known, so every
	// schema counts.
	anySchema bool
	// planned: the server's plan, in which its own views are their tables.
	planned bool
}

// postgresName is a name that may be a function.
type postgresName struct {
	schema string // "": by search path; anywhere: any
	name   string
	called bool // followed by a parenthesis; else an attribute, which may be a function of a row
}

const anywhere = "*"

// maxReached bounds the text that one query may reach.
const maxReached = 4 << 20

// NewPostgresReach is for one query. It asks server under ctx.
func NewPostgresReach(ctx context.Context, server Catalogue) *PostgresReach {
	return &PostgresReach{ctx: ctx, server: server, names: map[postgresName]bool{}, tables: map[string]bool{}, judged: map[uint32]bool{}}
}

// Query judges a query's text and all it reaches. A [*Refusal] says no.
func (r *PostgresReach) Query(q *PostgresQuery) error {
	r.pending = append(r.pending, reachedText{tokens: q.tokens})
	if err := r.ambient(); err != nil {
		return err
	}
	return r.settle()
}

// Plan judges the server's own plan of the query, which names what the text
// only implies. Long values that the server computed while planning do not
// count.
func (r *PostgresReach) Plan(text string) error {
	var tokens []sqltext.Token
	size := 0
	for _, t := range sqltext.Significant(PostgresTokens(text)) {
		if t.Kind != sqltext.String {
			tokens = append(tokens, t)
			size += len(t.Text)
		}
	}
	if err := r.add(reachedText{tokens: tokens, planned: true}, size); err != nil {
		return err
	}
	return r.settle()
}

// add takes a further text; size is its length.
func (r *PostgresReach) add(t reachedText, size int) error {
	if r.bytes += size; r.bytes > maxReached {
		return Refuse("function", "the query reaches more views and functions than can be checked")
	}
	r.pending = append(r.pending, t)
	return nil
}

// settle judges texts until none is left.
func (r *PostgresReach) settle() error {
	for len(r.pending) > 0 {
		t := r.pending[0]
		r.pending = r.pending[1:]
		names, tables := r.unseen(t)
		if err := secretPostgres(tables); err != nil && !t.planned {
			return err
		}
		if err := r.operators(t.tokens); err != nil {
			return err
		}
		if err := r.functions(t, names); err != nil {
			return err
		}
		if err := r.relations(t, tables); err != nil {
			return err
		}
	}
	return nil
}

// unseen returns the names in t that were not looked up yet: those that may
// be functions, and all, any of which may be a table.
func (r *PostgresReach) unseen(t reachedText) (names []postgresName, tables []string) {
	for i, token := range t.tokens {
		if !token.IsName() {
			continue
		}
		n := postgresName{called: i+1 < len(t.tokens) && t.tokens[i+1].Is("(")}
		dotted := i > 0 && t.tokens[i-1].Is(".")
		if t.anySchema {
			n.schema = anywhere
		}
		if n.called && dotted && i > 1 && t.tokens[i-2].IsName() {
			n.schema = t.tokens[i-2].Name
		}
		for _, n.name = range spellings(token) {
			if (n.called || dotted) && !r.names[n] {
				r.names[n] = true
				names = append(names, n)
			}
			key := n.name
			if t.anySchema {
				key = anywhere + key
			}
			if !r.tables[key] {
				r.tables[key] = true
				tables = append(tables, n.name)
			}
		}
	}
	return names, tables
}

// spellings are the names that a token may be for the server: in a database
// of one byte a character it folds letters beyond ASCII too.
func spellings(t sqltext.Token) []string {
	if folded := strings.ToLower(t.Name); t.Kind == sqltext.Word && folded != t.Name {
		return []string{t.Name, folded}
	}
	return []string{t.Name}
}

// functions judges the functions that names may mean. Only those that need
// judging are asked for: the server's own that are not volatile compute.
func (r *PostgresReach) functions(t reachedText, names []postgresName) error {
	if len(names) == 0 {
		return nil
	}
	schemas, list, called := make([]string, len(names)), make([]string, len(names)), make([]string, len(names))
	for i, n := range names {
		schemas[i], list[i], called[i] = n.schema, n.name, "f"
		if n.called {
			called[i] = "t"
		}
	}
	find := `SELECT DISTINCT p.oid FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::bool[])) AS w(schema, name, called)
JOIN pg_catalog.pg_proc p ON p.proname = w.name JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE ` + judgedPostgres + `
AND CASE w.schema WHEN '*' THEN true WHEN '' THEN n.nspname = ANY(pg_catalog.current_schemas(true)) ELSE n.nspname = w.schema END
AND (w.called OR p.pronargs > 0 AND p.pronargs - p.pronargdefaults <= 1
  AND (SELECT a.typtype IN ('c', 'd', 'p') AND a.typname <> 'internal' FROM pg_catalog.pg_type a WHERE a.oid = p.proargtypes[0]))`
	return r.judge(t.via, false, `SELECT f.oid FROM (`+find+`) f`, TextArray(schemas), TextArray(list), TextArray(called))
}

// PlanStep refuses a line of a plan whose step writes or locks.
func PlanStep(line []byte) *Refusal {
	line = bytes.TrimLeft(line, " ->")
	for _, step := range []string{"Insert on ", "Update on ", "Delete on ", "Merge on ", "LockRows"} {
		if bytes.HasPrefix(line, []byte(step)) {
			return Refuse("reads only", "run-query reads only, and the server's plan of the query has a step that does more: %s",
				replytext.Quote(string(line[:min(len(line), 80)])))
		}
	}
	return nil
}

// relations adds what the views and policies among tables run, and refuses
// foreign tables of wrappers that are not known to read only.
func (r *PostgresReach) relations(t reachedText, tables []string) error {
	if len(tables) == 0 {
		return nil
	}
	const find = `SELECT c.relkind, c.oid::pg_catalog.regclass::text,
CASE WHEN c.relkind = 'v' THEN pg_catalog.pg_get_viewdef(c.oid) END,
(SELECT pg_catalog.string_agg(pg_catalog.pg_get_expr(p.polqual, p.polrelid), ' ') FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND c.relrowsecurity),
w.fdwname, f.ftoptions::text, s.srvoptions::text
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_foreign_table f ON f.ftrelid = c.oid
LEFT JOIN pg_catalog.pg_foreign_server s ON s.oid = f.ftserver LEFT JOIN pg_catalog.pg_foreign_data_wrapper w ON w.oid = s.srvfdw
WHERE c.relname = ANY($1::text[]) AND c.oid >= 16384 AND (c.relkind IN ('v', 'f') OR c.relrowsecurity)
AND ($2::bool OR pg_catalog.pg_table_is_visible(c.oid) OR n.nspname = ANY($1::text[]))`
	any := "f"
	if t.anySchema {
		any = "t"
	}
	rows, err := ask(r.ctx, r.server, Question{find, 7, []string{TextArray(tables), any}})
	if err != nil {
		return err
	}
	for _, row := range rows {
		kind, name := row[0], row[1]
		if kind == "f" {
			if refusal := judgeForeign(name, row[4], row[5]); refusal != nil {
				return refusal
			}
		}
		for what, text := range map[string]string{"the view ": row[2], "a row security policy of ": row[3]} {
			via := reached(what+name, t.via)
			if err := r.add(reachedText{tokens: sqltext.Significant(PostgresTokens(text)), via: via}, len(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// judgeForeign refuses what a foreign table of name may do beyond reading: what
// another server is sent runs there, in a transaction of its own.
func judgeForeign(name, wrapper, options string) *Refusal {
	switch {
	case wrapper == "file_fdw" && strings.Contains(options, "program="):
		return Refuse("foreign table", "%s runs a program when it is read", replytext.Shown(name))
	case wrapper != "file_fdw":
		return Refuse("foreign table", "%s belongs to the wrapper %s, which is not known to read only", replytext.Shown(name), replytext.Quote(wrapper))
	}
	return nil
}

func reached(what, via string) string {
	if via == "" {
		return what
	}
	return what + ", " + via
}

// TextArray writes PostgreSQL's text form of an array.
func TextArray(values []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`)
	}
	b.WriteByte('}')
	return b.String()
}
