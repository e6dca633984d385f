package ddl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/sqltext"
)

// Read reads a script of the dialect. Names without a schema are in the
// dialect's default schema. Errors are of type [*designer.ScriptError].
func Read(script string, d *designer.Dialect) (designer.LoadResult, error) {
	r := &reader{script: script, d: d, product: d.Name, tables: map[[2]string]int{}, aliases: map[string]string{}, sequences: map[string]bool{}}
	r.loaded.Tables = []designer.TableDefinition{}
	err := split(script, d, func(s statement) error { return r.statement(s) })
	if err != nil {
		return designer.LoadResult{}, err
	}
	r.finish()
	return r.loaded, nil
}

// The dialects, by their names.
const (
	isSQLite   = "sqlite"
	isPostgres = "postgres"
	isMySQL    = "mysql"
	isMSSQL    = "mssql"
)

// reader collects what statements say.
type reader struct {
	script  string
	d       *designer.Dialect
	product string
	loaded  designer.LoadResult
	tables  map[[2]string]int // by folded schema and name: the place in loaded.Tables
	search  string            // the schema that names without one are in, "" for the default

	aliases   map[string]string // types that stand for another, by folded name
	sequences map[string]bool   // that a column owns, by folded name of table and column

	partitions []designer.TableName // tables that were made part of another one

	at, lines int // an offset, and the line breaks before it
}

// note adds a note on what stands at pos.
func (r *reader) note(pos int, format string, args ...any) {
	r.say(fmt.Sprintf("line %d: ", r.line(pos)) + fmt.Sprintf(format, args...))
}

// maxNotes bounds the notes on one script.
const maxNotes = 1000

func (r *reader) say(note string) {
	switch n := len(r.loaded.Notes); {
	case n < maxNotes:
		r.loaded.Notes = append(r.loaded.Notes, note)
	case n == maxNotes:
		r.loaded.Notes = append(r.loaded.Notes, "there are more than these notes")
	}
}

// line returns the line of an offset. Those that are asked for mostly grow.
func (r *reader) line(pos int) int {
	if pos < r.at {
		r.at, r.lines = 0, 0
	}
	r.lines += strings.Count(r.script[r.at:pos], "\n")
	r.at = pos
	return 1 + r.lines
}

// statement reads one statement.
func (r *reader) statement(s statement) error {
	c := &cursor{tokens: s.tokens}
	switch {
	case c.take("CREATE"):
		return r.create(c, s)
	case c.take("ALTER", "TABLE"):
		r.alter(c)
	case c.is("ALTER", "SEQUENCE"):
		r.ownSequence(c)
	case c.take("DROP", "TABLE"):
		r.drop(c)
	case c.take("COMMENT", "ON"):
		r.comment(c)
	case c.take("EXEC"), c.take("EXECUTE"):
		r.execute(c)
	case c.take("SET", "search_path"):
		r.searchPath(c)
	case c.is("INSERT"), c.is("REPLACE"), c.is("UPDATE"), c.is("DELETE"), c.is("MERGE"), c.is("COPY"):
		r.loaded.Omit(strings.ToUpper(s.tokens[0].Text)+" statement", s.target(), 1)
	case c.is("GRANT"), c.is("REVOKE"), c.is("DENY"):
		r.loaded.Omit(strings.ToUpper(s.tokens[0].Text)+" statement", "", 1)
	case s.begins && !known(s.tokens[0]):
		return designer.ErrorAt(r.script, s.tokens[0].Pos, fmt.Errorf("expected a statement of SQL, found %q", clip.Text(s.tokens[0].Text, 40)))
	}
	return nil
}

// verbs begin the statements that say nothing of tables, or that no case
// above reads.
var verbs = strings.Fields(`alter analyze analyse attach backup begin bulk call checkpoint close cluster comment commit copy create dbcc deallocate
	declare delete delimiter deny describe detach disable discard do drop enable end exec execute explain fetch flush go grant handler if import insert install kill
	listen load lock merge notify open optimize pragma prepare print purge raiserror refresh reindex release rename repair replace reset
	return revert revoke rollback save savepoint security select set show source start throw truncate unlock update use vacuum values waitfor while
	with xa abort rebuild`)

func known(t sqltext.Token) bool {
	return t.Kind == sqltext.Word && slices.Contains(verbs, strings.ToLower(t.Text)) || t.Is("(")
}

// create reads a CREATE by what it makes. Objects that no design is made of
// are counted.
func (r *reader) create(c *cursor, s statement) error {
	for c.take("OR", "REPLACE") || c.take("OR", "ALTER") || c.take("GLOBAL") || c.take("LOCAL") || c.take("UNLOGGED") || c.take("FOREIGN") {
	}
	unique := false
	for {
		switch {
		case c.take("TEMP"), c.take("TEMPORARY"):
			r.loaded.Omit("temporary table", "", 1)
			return nil
		case c.take("TABLE"):
			return r.createTable(c)
		case c.take("UNIQUE"):
			unique = true
		case c.take("CLUSTERED"), c.take("NONCLUSTERED"):
		case c.is("FULLTEXT", "INDEX"), c.is("SPATIAL", "INDEX"):
			method := strings.ToLower(c.next().Text)
			c.take("INDEX")
			r.createIndex(c, designer.IndexDefinition{Method: method})
			return nil
		case c.take("INDEX"):
			r.createIndex(c, designer.IndexDefinition{Unique: unique})
			return nil
		case c.take("TYPE"):
			r.createType(c, s)
			return nil
		case c.take("DOMAIN"):
			r.createDomain(c)
			return nil
		case c.take("SCHEMA"):
			r.createSchema(c)
			return nil
		default:
			r.leaveOut(c)
			return nil
		}
	}
}

// leaveOut counts an object of a kind that is not read.
func (r *reader) leaveOut(c *cursor) {
	for ; !c.done(); c.i++ {
		kind := strings.ToLower(c.peek().Text)
		switch kind {
		case "database", "user", "role", "login", "event", "extension", "view", "trigger", "procedure", "function", "policy", "rule", "aggregate", "publication":
			c.i++
			c.ifExists()
			if kind == "procedure" || kind == "function" {
				kind = "routine"
			}
			_, name, _ := r.qualified(c)
			if !r.isLeftOut(kind, name) { // MySQL's dumps make a view twice
				r.loaded.Omit(kind, name, 1)
			}
			return
		case "sequence":
			return // which a column owns, or which nothing is made of
		}
	}
	r.loaded.Omit("CREATE statement", "", 1)
}

func (r *reader) isLeftOut(kind, name string) bool {
	return slices.ContainsFunc(r.loaded.LeftOut, func(o designer.Omission) bool {
		return o.What == kind && kind == "view" && slices.Contains(o.Names, name)
	})
}

func (r *reader) createSchema(c *cursor) {
	c.ifExists()
	if name, ok := c.name(); ok && !c.take("AUTHORIZATION") && r.schema(name) != "" {
		r.loaded.Schemas = append(r.loaded.Schemas, name)
	}
}

// drop forgets a table: a dump drops what it makes again.
func (r *reader) drop(c *cursor) {
	c.ifExists()
	for {
		schema, name, ok := r.qualified(c)
		if !ok {
			return
		}
		r.forget(schema, name)
		if !c.take(",") {
			return
		}
	}
}

// searchPath reads "SET search_path = a, b" of PostgreSQL.
func (r *reader) searchPath(c *cursor) {
	if c.take("=") || c.take("TO") {
		if t := c.next(); t.IsName() {
			r.search = r.schema(t.Name)
		} else if t.Kind == sqltext.String {
			r.search = r.schema(r.value(t))
		}
	}
}
