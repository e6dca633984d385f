package readonly

import (
	"bytes"
	"context"
	"slices"
	"strconv"
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
//
// Texts are judged in rounds: what a round's texts name is asked at once, and
// the bodies that the answers hold are the next round's texts.
type PostgresReach struct {
	server            Catalog
	memory            *PostgresCache
	known             *knownPostgres // of memory, when the query began
	steady            bool
	pending           []sourcePostgres
	names             map[postgresName]bool // looked up already
	tables            map[string]bool
	judged            map[judgedFunction]bool
	related           map[string]bool // relations by oid
	operators         []*operatorPostgres
	operatorFunctions map[string][]postgresFunction // by the number of their operator
	bytes             int                           // of texts
}

// sourcePostgres is SQL that a query runs.
type sourcePostgres struct {
	tokens []sqltext.Token
	via    string // how it was reached, for people; "" is the query itself
	kind   textKind
	own    string // of a function's text: its oid, which it names itself
}

// textKind is where a text comes from, which decides what its names may be.
type textKind int

const (
	queryText   textKind = iota
	viewText             // written by the server, in which a function is always followed by its arguments
	bodyText             // of a function: written by somebody, its search path is not known
	domainText           // as viewText; its functions run where no query names them
	planText             // as viewText, in which the server's own views are their tables
	plannedText          // as domainText, of what the planner simplifies
)

// anySchema reports whether it is not known by what path the names of a text
// are looked up, so that every schema counts.
func (k textKind) anySchema() bool { return k == bodyText || k == domainText || k == plannedText }

// run is how the functions that a text calls come to run.
func (k textKind) run() runPostgres {
	switch k {
	case domainText:
		return ambient
	case plannedText:
		return planned
	}
	return called
}

// byServer reports whether the server wrote the text.
func (k textKind) byServer() bool { return k != queryText && k != bodyText }

// postgresName is a name that may be a function.
type postgresName struct {
	schema string // "": by search path; anywhere: any
	name   string
	called bool // followed by a parenthesis; else an attribute, which may be a function of a row
}

const anywhere = "*"

// maxReached bounds the text that one query may reach.
const maxReached = 4 << 20

// NewPostgresReach is for one query of a database whose memory is given.
func NewPostgresReach(server Catalog, memory *PostgresCache) *PostgresReach {
	known, steady := memory.current()
	return &PostgresReach{server: server, memory: memory, known: known, steady: steady, names: map[postgresName]bool{}, tables: map[string]bool{}, judged: map[judgedFunction]bool{}, related: map[string]bool{}}
}

// Query judges a query's text and all it reaches. A [*Refusal] says no.
func (r *PostgresReach) Query(ctx context.Context, q *PostgresQuery) error {
	r.pending = append(r.pending, sourcePostgres{tokens: q.tokens})
	ambient := &ambientState{}
	if err := r.round(ctx, ambient); err != nil {
		return err
	}
	if err := r.settle(ctx); err != nil {
		return err
	}
	r.memory.keep(ambient)
	return nil
}

// Plan judges the server's own plan of the query, which names what the text
// only implies. Long values that the server computed while planning do not
// count.
func (r *PostgresReach) Plan(ctx context.Context, text string) error {
	var tokens []sqltext.Token
	size := 0
	for _, t := range sqltext.Significant(PostgresTokens(text)) {
		if t.Kind != sqltext.String {
			tokens = append(tokens, t)
			size += len(t.Text)
		}
	}
	if err := r.add(sourcePostgres{tokens: tokens, kind: planText}, size); err != nil {
		return err
	}
	return r.settle(ctx)
}

// add takes a further text; size is its length.
func (r *PostgresReach) add(t sourcePostgres, size int) error {
	if r.bytes += size; r.bytes > maxReached {
		return Refuse("function", "the query reaches more views and functions than can be checked")
	}
	r.pending = append(r.pending, t)
	return nil
}

// settle judges texts until none is left.
func (r *PostgresReach) settle(ctx context.Context) error {
	for len(r.pending) > 0 {
		if err := r.round(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// round judges the texts that are pending, and what no query names where
// ambient is given.
func (r *PostgresReach) round(ctx context.Context, ambient *ambientState) error {
	texts := r.pending
	r.pending = nil
	functions, relations := &nameList{}, &nameList{}
	for i, t := range texts {
		if err := r.unseen(i, t, functions, relations); err != nil {
			return err
		}
	}
	var questions []CatalogQuery
	if ambient != nil {
		questions = append(questions, r.question())
	}
	if len(functions.names) > 0 {
		questions = append(questions, CatalogQuery{functionsPostgres, functionColumns + 1, functions.args(true)})
	}
	if len(relations.names) > 0 {
		questions = append(questions, r.memory.relations(relations))
	}
	if len(questions) == 0 {
		return r.operatorsIn(texts)
	}
	answers, err := r.server.Ask(ctx, questions...)
	if err != nil {
		return err
	}
	if ambient != nil {
		if err := r.ambient(ctx, ambient, questions[0], answers[0]); err != nil {
			return err
		}
		answers = answers[1:]
	}
	if err := r.operatorsIn(texts); err != nil {
		return err
	}
	if len(functions.names) > 0 {
		if err := r.functions(texts, answers[0]); err != nil {
			return err
		}
		answers = answers[1:]
	}
	if len(relations.names) > 0 {
		return r.relationsNamed(ctx, texts, relations, questions[len(questions)-1], answers[0])
	}
	return nil
}

// nameList are names with the numbers of the texts that have them.
type nameList struct{ texts, schemas, names, flags []string }

func (l *nameList) add(text int, schema, name string, flag bool) {
	l.texts, l.schemas, l.names = append(l.texts, strconv.Itoa(text)), append(l.schemas, schema), append(l.names, name)
	l.flags = append(l.flags, map[bool]string{true: "t", false: "f"}[flag])
}

func (l *nameList) args(schemas bool) []string {
	if !schemas {
		return []string{TextArray(l.texts), TextArray(l.names), TextArray(l.flags)}
	}
	return []string{TextArray(l.texts), TextArray(l.schemas), TextArray(l.names), TextArray(l.flags)}
}

// unseen adds the names in t, the text of that number, that were not looked up
// yet: those that may be functions, and those that may be tables.
func (r *PostgresReach) unseen(number int, t sourcePostgres, functions, relations *nameList) error {
	foreign := t.kind != planText || slices.ContainsFunc(t.tokens, func(t sqltext.Token) bool { return t.Is("Foreign") || t.Is("Custom") })
	for i, token := range t.tokens {
		dotted := i > 0 && t.tokens[i-1].Is(".")
		if !token.IsName() || token.Kind == sqltext.Word && !dotted && reservedPostgres(token.Name) {
			continue
		}
		n := postgresName{called: i+1 < len(t.tokens) && t.tokens[i+1].Is("(")}
		if t.kind.anySchema() {
			n.schema = anywhere
		}
		if n.called && dotted && i > 1 && t.tokens[i-2].IsName() {
			n.schema = t.tokens[i-2].Name
		}
		table := t.mayBeTable(i, foreign)
		for _, n.name = range spellings(token) {
			if (n.called || dotted && !t.kind.byServer()) && r.first(n) {
				functions.add(number, n.schema, n.name, n.called)
			}
			if err := secretPostgres(n.name); err != nil && t.kind != planText && t.kind != domainText && t.kind != plannedText {
				return err
			}
			if !table {
				continue
			}
			key := n.name
			if t.kind.anySchema() {
				key = anywhere + key
			}
			if !r.tables[key] {
				r.tables[key] = true
				relations.add(number, "", n.name, t.kind.anySchema())
			}
		}
	}
	return nil
}

// mayBeTable reports whether the name at i may be that of a table. In a query
// one stands behind FROM, JOIN, a comma, a parenthesis and their like, or
// behind its schema there. A plan names one behind the word on, with its
// schema; what a foreign scan reads it lists in other ways.
func (t sourcePostgres) mayBeTable(i int, foreign bool) bool {
	dotted := i > 0 && t.tokens[i-1].Is(".")
	switch t.kind {
	case domainText, plannedText:
		return false
	case planText:
		return dotted && (foreign || i > 2 && t.tokens[i-3].Is("on"))
	case bodyText:
		return true
	}
	for i > 1 && t.tokens[i-1].Is(".") {
		i -= 2
	}
	return i == 0 || slices.ContainsFunc([]string{"FROM", "JOIN", ",", "(", "ONLY", "TABLE"}, t.tokens[i-1].Is)
}

// first reports whether n was not looked up yet, by itself or in any schema.
func (r *PostgresReach) first(n postgresName) bool {
	if r.names[n] || r.names[postgresName{anywhere, n.name, true}] && n.called {
		return false
	}
	r.names[n] = true
	return true
}

// reservedPostgres reports whether a word may stand before a parenthesis and
// be neither a function nor a table, unless it is quoted or a point is before
// it. Plans are full of these.
func reservedPostgres(word string) bool {
	switch word {
	case "all", "and", "any", "array", "as", "asc", "case", "cast", "check", "collate", "desc", "distinct", "else", "end", "except", "false", "for", "from", "group",
		"having", "in", "intersect", "lateral", "limit", "not", "null", "offset", "on", "only", "or", "order", "select", "some", "table", "then", "to", "true",
		"union", "using", "when", "where", "window", "with":
		return true
	}
	return false
}

// spellings are the names that a token may be for the server: in a database
// of one byte a character it folds letters beyond ASCII too.
func spellings(t sqltext.Token) []string {
	if folded := strings.ToLower(t.Name); t.Kind == sqltext.Word && folded != t.Name {
		return []string{t.Name, folded}
	}
	return []string{t.Name}
}

// textOf returns the text whose number the server answered with.
func textOf(texts []sourcePostgres, number string) sourcePostgres {
	if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(texts) {
		return texts[i]
	}
	return sourcePostgres{via: "another text"} // the server names what was not asked for
}

// functions judges the functions that the names in texts may mean.
func (r *PostgresReach) functions(texts []sourcePostgres, rows [][]string) error {
	for _, row := range rows {
		t := textOf(texts, row[0])
		if row[1] == t.own {
			continue // it is being judged
		}
		if err := r.function(newPostgresFunction(row[1:]), t.via, t.kind.run()); err != nil {
			return err
		}
	}
	return nil
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
