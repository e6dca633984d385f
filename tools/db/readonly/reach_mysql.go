package readonly

import (
	"context"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// MySQLReach follows a query through everything that it can run: the
// functions it names, those in its views and in the bodies of stored
// functions. What only computes is known by name; stored functions are looked
// up on the server; anything else is refused.
type MySQLReach struct {
	server   Catalog
	database string
	words    MySQLWords
	memory   *MySQLMemory
	pending  []sourceMySQL
	seen     map[string]bool
	bytes    int
}

// sourceMySQL is SQL that a query runs.
type sourceMySQL struct {
	tokens   []sqltext.Token
	via      string // how it was reached, for people; "" is the query itself
	database string // that its names are looked up in
	own      bool   // it came with the server
}

// NewMySQLReach is for one query in a session that uses the named database; ""
// is none. memory is that of the login.
func NewMySQLReach(server Catalog, database string, words MySQLWords, memory *MySQLMemory) *MySQLReach {
	return &MySQLReach{server: server, database: database, words: words, memory: memory, seen: map[string]bool{}}
}

// Query judges a query's text and all it reaches. A [*Refusal] says no.
func (r *MySQLReach) Query(ctx context.Context, q *MySQLQuery) error {
	r.pending = []sourceMySQL{{tokens: q.tokens, database: r.database}}
	for len(r.pending) > 0 {
		if err := r.round(ctx); err != nil {
			return err
		}
	}
	return nil
}

// round judges the texts that are pending: what they name is asked at once,
// and the bodies that the answer holds are the next round's texts.
func (r *MySQLReach) round(ctx context.Context) error {
	texts := r.pending
	r.pending = nil
	var called []callMySQL
	var tables []tableMySQL
	for _, t := range texts {
		called = append(called, r.called(t)...)
		more, err := r.tableNames(t)
		if err != nil {
			return err
		}
		tables = append(tables, more...)
	}
	answer, err := r.look(ctx, called, tables)
	if err != nil {
		return err
	}
	if err := r.functions(ctx, called, answer); err != nil {
		return err
	}
	return r.tables(tables, answer)
}

// add takes a further text; size is its length.
func (r *MySQLReach) add(t sourceMySQL, size int) error {
	if r.bytes += size; r.bytes > maxReached {
		return Refuse("function", "the query reaches more views and functions than can be checked")
	}
	r.pending = append(r.pending, t)
	return nil
}

// mysqlName is a name with the database it is looked up in.
type mysqlName struct{ database, name string }

// key is the same for every spelling: functions have no case.
func (n mysqlName) key() string { return strings.ToLower(n.exact()) }

// exact differs in case too: two tables may.
func (n mysqlName) exact() string { return n.database + "\x00" + n.name }

// functions judges every function that is called. Even names that are known
// are looked up: on a server that does not have the function yet, somebody may
// have made one of that name. A variable of a function by the name of one of
// the server's would be meant instead, but not everywhere in the function.
func (r *MySQLReach) functions(ctx context.Context, called []callMySQL, answer *answerMySQL) error {
	var sets []string
	setters := map[string]callMySQL{}
	for _, c := range called {
		found, ok := answer.routines[c.key()]
		switch {
		case ok:
			names, err := r.routine(c.mysqlName, found, c.via)
			if err != nil {
				return err
			}
			for _, name := range names {
				if _, known := setters[strings.ToLower(name)]; !known {
					setters[strings.ToLower(name)] = c
					sets = append(sets, name)
				}
			}
		case !c.known:
			return refuseMySQL(c.name, c.via, "it is not a function that is known to compute only, nor one of the database")
		}
	}
	variable, err := r.variable(ctx, sets)
	if err != nil || variable == "" {
		return err
	}
	setter := setters[strings.ToLower(variable)]
	return refuseMySQL(setter.name, setter.via, "it sets the variable "+replytext.Shown(replytext.Cut(variable, 64))+" of the server")
}

// callMySQL is a name that a parenthesis follows.
type callMySQL struct {
	mysqlName
	known bool   // it only computes, or it is a keyword
	own   bool   // it is the server's and only computes, whatever functions somebody made
	via   string // of the text that has it
}

// tableMySQL is a name that may be a table's.
type tableMySQL struct {
	mysqlName
	via string // of the text that has it
}

// called lists the names in t that may be functions and were not judged yet.
func (r *MySQLReach) called(t sourceMySQL) []callMySQL {
	var names []callMySQL
	for i, token := range t.tokens {
		if !token.IsName() || i+1 == len(t.tokens) || !t.tokens[i+1].Is("(") {
			continue
		}
		c := callMySQL{mysqlName: mysqlName{t.database, token.Name}, via: t.via}
		upper := strings.ToUpper(token.Name)
		if i > 1 && t.tokens[i-1].Is(".") && t.tokens[i-2].IsName() {
			c.database = t.tokens[i-2].Name
		} else {
			if token.Kind == sqltext.Word && r.words.reserved[upper] || namesColumns(t.tokens, i) {
				continue
			}
			c.own = token.Kind == sqltext.Word && r.words.own[upper] && t.tokens[i+1].Pos == token.End()
			c.known = r.words.compute(token.Name) || token.Kind == sqltext.Word && r.words.keywords[upper] ||
				upper == "LAST_INSERT_ID" && i+2 < len(t.tokens) && t.tokens[i+2].Is(")") // with an argument it sets
		}
		if !c.own && !r.seen[c.key()] {
			r.seen[c.key()] = true
			names = append(names, c)
		}
	}
	return names
}

// namesColumns reports whether the name at i, which a parenthesis follows, is
// that of a table with its columns' names: of a common table before AS (, or
// of a derived one behind AS or a closing parenthesis. No call may stand
// there.
func namesColumns(tokens []sqltext.Token, i int) bool {
	end := i + 2
	for end < len(tokens) && (tokens[end].IsName() || tokens[end].Is(",")) {
		end++
	}
	if end == len(tokens) || !tokens[end].Is(")") {
		return false
	}
	common := end+2 < len(tokens) && tokens[end+1].Is("AS") && tokens[end+2].Is("(")
	derived := i > 0 && (tokens[i-1].Is("AS") || tokens[i-1].Is(")") && !afterTop(tokens, i-1))
	return common || derived
}

// afterTop reports whether the parenthesis that closes at i is that of TOP (n),
// behind which SQL Server has the first column.
func afterTop(tokens []sqltext.Token, i int) bool {
	for depth := 0; i >= 0; i-- {
		switch {
		case tokens[i].Is(")"):
			depth++
		case tokens[i].Is("("):
			if depth--; depth == 0 {
				return i > 0 && tokens[i-1].Is("TOP")
			}
		}
	}
	return false
}

// ownAccountsMySQL define what the servers bring in the schema sys.
var ownAccountsMySQL = []string{"mariadb.sys@localhost", "mysql.sys@localhost"}

// ownMySQL reports whether an object of a database came with the server: what
// that reads of other sessions is what it is there to tell.
func ownMySQL(database, definer string) bool {
	return strings.EqualFold(database, "sys") && slices.Contains(ownAccountsMySQL, definer)
}

// routine judges a stored function, and returns the names that its body
// assigns to.
func (r *MySQLReach) routine(name mysqlName, f routineMySQL, via string) (sets []string, err error) {
	tokens := sqltext.Significant(MySQLModeTokens(f.body, f.mode))
	own := ownMySQL(name.database, f.definer) && r.words.sys[strings.ToUpper(name.name)]
	switch {
	case f.kind != "FUNCTION":
		return nil, refuseMySQL(name.name, via, "it belongs to a package, and what that does cannot be checked")
	case own && f.body == "":
		return nil, nil
	case f.access == "MODIFIES SQL DATA":
		return nil, refuseMySQL(name.name, via, "it is declared to modify data")
	case f.body == "":
		return nil, refuseMySQL(name.name, via, "this login may not read what it does")
	}
	if word := doesMore(tokens); word != "" {
		return nil, refuseMySQL(name.name, via, "it has "+word)
	}
	for _, t := range setTargets(tokens) {
		sets = append(sets, t.names()...)
	}
	return sets, r.add(sourceMySQL{tokens, reached("the function "+name.name, via), name.database, own}, len(f.body))
}

// elsewhere are storage engines that read by running something elsewhere.
var elsewhere = []string{"CASSANDRA", "CONNECT", "FEDERATED", "SPHINX", "SPIDER"}

// tables adds what views among tables select, and refuses tables whose reading
// runs something on another server.
func (r *MySQLReach) tables(tables []tableMySQL, answer *answerMySQL) error {
	vias := map[mysqlName]string{}
	for _, t := range tables {
		vias[t.mysqlName] = t.via
	}
	for _, row := range answer.tables {
		name := mysqlName{row[0], row[1]}
		if engine := strings.ToUpper(row[3]); slices.Contains(elsewhere, engine) {
			return Refuse("foreign table", "%s is kept by the engine %s, which runs statements elsewhere", replytext.Shown(name.name), engine)
		}
		if row[2] == "VIEW" {
			if err := r.view(name, answer.views[name], vias[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// view adds what a view selects. Where the login may not read that, the view
// can call what its definer may, which no transaction stops.
func (r *MySQLReach) view(name mysqlName, v viewMySQL, via string) error {
	if v.text == "" {
		return Refuse("function", "%s is not read: this login may not read what it selects; GRANT SHOW VIEW lets it", replytext.Shown(replytext.Cut(reached("the view "+name.name, via), 200)))
	}
	return r.add(sourceMySQL{sqltext.Significant(MySQLTokens(v.text)), reached("the view "+name.name, via), name.database, ownMySQL(name.database, v.definer)}, len(v.text))
}

// ownSchemas are the server's, in which nobody can make anything.
var ownSchemas = []string{"information_schema", "performance_schema"}

// tableNames are the names in t that may be tables: behind FROM, JOIN, a
// comma or a parenthesis, but for those where only columns stand. Tables of
// secrets are refused wherever they are named.
func (r *MySQLReach) tableNames(t sourceMySQL) (names []tableMySQL, err error) {
	var at clauseMySQL
	for i, token := range t.tokens {
		at.pass(t.tokens, i)
		if !token.IsName() {
			continue
		}
		name, before := mysqlName{t.database, token.Name}, i-1
		if i > 1 && t.tokens[i-1].Is(".") {
			name.database, before = t.tokens[i-2].Name, i-3
		}
		if err := secretMySQL(name); err != nil && !t.own {
			return nil, err
		}
		key := "table " + name.exact()
		if i+1 < len(t.tokens) && t.tokens[i+1].Is(".") { // it says where the next name is
			continue
		}
		if before < 0 || r.seen[key] || slices.Contains(ownSchemas, strings.ToLower(name.database)) ||
			!slices.ContainsFunc(beforeTable, t.tokens[before].Is) || at.columns() && (t.tokens[before].Is(",") || t.tokens[before].Is("(")) {
			continue
		}
		r.seen[key] = true
		names = append(names, tableMySQL{name, t.via})
	}
	return names, nil
}

func refuseMySQL(name, via, why string) *Refusal {
	if via != "" {
		return Refuse("function", "%s is not run, and %s would run it: %s", replytext.Shown(replytext.Cut(name, 200)), replytext.Shown(replytext.Cut(via, 200)), why)
	}
	return Refuse("function", "%s is not run: %s", replytext.Shown(replytext.Cut(name, 200)), why)
}
