package readonly

import (
	"context"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// MSSQLReach follows a query through everything that it can run: the
// functions it names, those in its views, computed columns and security
// policies, and in the bodies of functions. What only computes is known by
// name; the rest is looked up on the server.
type MSSQLReach struct {
	server  Catalog
	memory  *MSSQLCache
	words   MSSQLWords
	pending []sourceMSSQL
	seen    map[string]bool
	bytes   int
}

// NewMSSQLReach is for one query. What it learns of the server is kept in
// memory; nil: nothing is kept.
func NewMSSQLReach(server Catalog, words MSSQLWords, memory *MSSQLCache) *MSSQLReach {
	if memory == nil {
		memory = &MSSQLCache{}
	}
	return &MSSQLReach{server: server, memory: memory, words: words, seen: map[string]bool{}}
}

// mssqlObject is an object of the database.
type mssqlObject struct {
	name string
	kind string // sys.objects.type, or one of the kinds below
	text string // its definition; of a synonym what it stands for; "": not told
}

// The kinds that are not sys.objects' own: of one table there may be several.
const (
	mssqlComputed  = "computed"  // a computed column of the table
	mssqlPredicate = "predicate" // a security policy of the table
	mssqlExternal  = "external"  // the table is kept elsewhere
)

// sourceMSSQL is SQL that a query runs.
type sourceMSSQL struct {
	tokens  []sqltext.Token
	columns []bool          // of each token, whether a name there is a column's
	tables  map[string]bool // see tablesNamed
	via     string          // how it was reached, for people; "" is the query itself
}

func (w MSSQLWords) source(tokens []sqltext.Token, via string) sourceMSSQL {
	columns := w.columns(tokens)
	return sourceMSSQL{tokens, columns, tablesNamed(tokens, columns), via}
}

// Query judges a query's text and all it reaches. A [*Refusal] says no.
func (r *MSSQLReach) Query(ctx context.Context, q *MSSQLQuery) error {
	r.pending = []sourceMSSQL{r.words.source(q.tokens, "")}
	for len(r.pending) > 0 {
		if err := r.round(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *MSSQLReach) add(text, via string) error {
	if r.bytes += len(text); r.bytes > maxReached {
		return Refuse("function", "the query reaches more views and functions than can be checked")
	}
	r.pending = append(r.pending, r.words.source(sqltext.Significant(TSQLTokens(text)), via))
	return nil
}

// round judges the texts that are pending: what stands in them, where their
// names lead, and what is called in them. The texts that the answers hold are
// the next round's.
func (r *MSSQLReach) round(ctx context.Context) error {
	texts := r.pending
	r.pending = nil
	var names []string
	var firsts []firstPart
	vias := map[string]string{} // of the first text that has a name
	for _, t := range texts {
		if refusal := r.outside(t); refusal != nil {
			return refusal
		}
		firsts = append(firsts, r.firstParts(t)...)
		for _, token := range t.tokens {
			name := strings.ToLower(token.Name)
			if refusal := secretMSSQL(name); token.IsName() && refusal != nil {
				return refusal
			}
			if _, known := vias[name]; token.IsName() && !known {
				names, vias[name] = append(names, name), t.via
			}
		}
	}
	objects, databases, err := r.look(ctx, names, firsts)
	if err != nil {
		return err
	}
	for _, f := range firsts {
		if own, is := databases[strings.ToLower(f.name)]; is && !own || !is && f.database {
			return Refuse("other database", "%s is another database, where what is read cannot be checked; ask through a connection to it", replytext.Quote(f.name))
		}
	}
	found := map[string]bool{}
	for _, o := range objects {
		found[strings.ToLower(o.name)] = true
		if err := r.object(o, vias[strings.ToLower(o.name)]); err != nil {
			return err
		}
	}
	for _, t := range texts {
		if err := r.calls(t, found); err != nil {
			return err
		}
	}
	return nil
}

// outside refuses what leads out of the server, in a query's own text or in
// that of a view or function.
func (r *MSSQLReach) outside(t sourceMSSQL) *Refusal {
	for i, token := range t.tokens {
		for _, word := range []string{"OPENROWSET", "OPENQUERY", "OPENDATASOURCE", "OPENXML", "EXEC", "EXECUTE", "WAITFOR"} {
			if token.Is(word) {
				return refuseMSSQL(word, t.via, "what it does cannot be checked")
			}
		}
		if token.Kind == sqltext.Illegal {
			return Refuse("legal text", "%s cannot be read", replytext.Shown(replytext.Cut(t.via, 200)))
		}
		if token.Is(".") && nameless(t.tokens, i, r.words) {
			return Refuse("other database", "%s: a name that begins with a point can lead to another database; write it without", replytext.Shown(partsAt(t.tokens, i)))
		}
	}
	for i, token := range t.tokens {
		if token.IsName() && (i == 0 || !t.tokens[i-1].Is(".")) && r.words.linked(t, i) {
			return Refuse("other server", "%s: a name of four parts leads to another server, where what is read cannot be checked", replytext.Shown(partsAt(t.tokens, i)))
		}
	}
	return nil
}

// partsAt writes the name at i with all its parts.
func partsAt(tokens []sqltext.Token, i int) (text string) {
	for _, t := range tokens[i:nameEnd(tokens, i)] {
		text += t.Text
	}
	return text
}

// nameEnd is the index behind the name at i with all its parts.
func nameEnd(tokens []sqltext.Token, i int) int {
	for i++; i < len(tokens) && (tokens[i].Is(".") || tokens[i].IsName() && tokens[i-1].Is(".")); {
		i++
	}
	return i
}

// nameless reports whether the point at i begins a name: T-SQL lets parts be
// left out in front and keep their points, so that .other.dbo.t is a table of
// another database.
func nameless(tokens []sqltext.Token, i int, words MSSQLWords) bool {
	if i == 0 {
		return true
	}
	before := sqltext.Token{}
	if i > 1 {
		before = tokens[i-2]
	}
	switch t := tokens[i-1]; {
	case t.Kind == sqltext.Word && !before.Is("."):
		upper := strings.ToUpper(t.Text)
		return words.reserved[upper] || words.other[upper] || t.Is("APPLY") && (before.Is("CROSS") || before.Is("OUTER")) || t.Is("CHANGES") && before.Is("(")
	case t.Is("."): // of whose row the first is judged
		return false
	default:
		return !t.IsName() && t.Kind != sqltext.Parameter && !t.Is(")")
	}
}

// firstPart is the first part of a name of three or four.
type firstPart struct {
	name string
	// database says that it is a database's, because a table or a function
	// stands there: a server need not list a database that it lets the login
	// into. Otherwise it may be a column's schema or table.
	database bool
}

// firstParts are those of the names of a text that may lead to another
// database, but for its catalogue.
func (r *MSSQLReach) firstParts(t sourceMSSQL) (firsts []firstPart) {
	for i, token := range t.tokens {
		if !token.IsName() || i > 0 && t.tokens[i-1].Is(".") || i+2 >= len(t.tokens) || !t.tokens[i+1].Is(".") {
			continue
		}
		schema, empty := t.tokens[i+2], t.tokens[i+2].Is(".")
		if !empty && (i+3 >= len(t.tokens) || !t.tokens[i+3].Is(".")) {
			continue // two parts
		}
		if strings.EqualFold(schema.Name, "sys") || strings.EqualFold(schema.Name, "information_schema") {
			continue
		}
		end := nameEnd(t.tokens, i)
		calls := callsMSSQL(t.tokens, end)
		method := calls && r.words.method(t.tokens[end-1].Name) // of a column, as far as can be seen
		firsts = append(firsts, firstPart{token.Name, !method && (calls || !t.columns[i])})
	}
	return firsts
}

// object judges an object that a text may mean.
func (r *MSSQLReach) object(o mssqlObject, via string) error {
	key := o.kind + "\x00" + strings.ToLower(o.name) + "\x00" + o.text
	if r.seen[key] {
		return nil
	}
	r.seen[key] = true
	switch o.kind {
	case "V":
		// Where the login may not read it, the view can do what its owner may.
		return r.add(o.text, reached("the view "+o.name, via))
	case mssqlComputed:
		return r.add(o.text, reached("a computed column of "+o.name, via))
	case mssqlPredicate:
		return r.add(o.text, reached("a security policy of "+o.name, via))
	case mssqlExternal:
		return Refuse("foreign table", "%s is kept on another server", replytext.Shown(o.name))
	case "SN":
		return r.add("SELECT * FROM "+o.text, reached("the synonym "+o.name, via))
	case "FN", "IF", "TF":
		if o.text == "" {
			return refuseMSSQL(o.name, via, "this login may not read what it does")
		}
		return r.add(o.text, reached("the function "+o.name, via))
	case "FS", "FT", "AF", "X", "PC":
		return refuseMSSQL(o.name, via, "what it does cannot be checked: it is not written in T-SQL")
	}
	return nil
}

// calls refuses what is called in t and neither computes only nor was found
// in the database.
func (r *MSSQLReach) calls(t sourceMSSQL, found map[string]bool) error {
	for i, token := range t.tokens {
		if !token.IsName() || i+1 == len(t.tokens) || !t.tokens[i+1].Is("(") || found[strings.ToLower(token.Name)] {
			continue
		}
		upper := strings.ToUpper(token.Name)
		word := token.Kind == sqltext.Word
		switch {
		case i > 1 && t.tokens[i-1].Is(".") && strings.EqualFold(t.tokens[i-2].Name, "sys"):
			if r.words.sys[upper] {
				continue
			}
		case i > 0 && (t.tokens[i-1].Is(".") || t.tokens[i-1].Is("::")):
			if r.words.method(token.Name) {
				continue
			}
		case upper == "LOGINPROPERTY" && !tellsNoPassword(t.tokens[i+1:]):
			return holdsPasswords("LOGINPROPERTY")
		case r.words.computes[upper], hinted(t.tokens, i), word && (r.words.keywords[upper] || r.words.reserved[upper] || r.words.other[upper]), namesColumns(t.tokens, i):
			continue
		}
		return refuseMSSQL(token.Name, t.via, "it is not a function that is known to compute only, nor one of the database")
	}
	return nil
}

// tellsNoPassword reports whether the arguments of LOGINPROPERTY, which begin
// with the parenthesis, ask for a property that is written out and is not a
// password's hash.
func tellsNoPassword(tokens []sqltext.Token) bool {
	for i, t := range tokens {
		if t.Is(",") {
			return i+2 < len(tokens) && tokens[i+1].Kind == sqltext.String && tokens[i+2].Is(")") && !strings.Contains(strings.ToLower(tokens[i+1].Text), "passwordhash")
		}
	}
	return false
}

// hintsMSSQL are the hints that stand in parentheses behind a table, without
// WITH, and lock no more than reading does.
var hintsMSSQL = []string{"NOLOCK", "READUNCOMMITTED", "READCOMMITTED", "READCOMMITTEDLOCK", "READPAST", "NOWAIT", "NOEXPAND"}

// hinted reports whether the name at i, which a parenthesis follows, is that
// of a table, or its alias, with a hint.
func hinted(tokens []sqltext.Token, i int) bool {
	if i+3 >= len(tokens) || !tokens[i+3].Is(")") || !slices.ContainsFunc(hintsMSSQL, tokens[i+2].Is) {
		return false
	}
	behind := func(i int) (begin int) { // the name that ends at i
		for i > 1 && tokens[i-1].Is(".") && tokens[i-2].IsName() {
			i -= 2
		}
		return i - 1
	}
	before := behind(i)
	if before > 0 && tokens[before].Is("AS") {
		before--
	}
	if before > 0 && tokens[before].IsName() && !tokens[before].Is("FROM") && !tokens[before].Is("JOIN") {
		before = behind(before)
	}
	return before >= 0 && (tokens[before].Is("FROM") || tokens[before].Is("JOIN"))
}

func refuseMSSQL(name, via, why string) *Refusal { return refuseMySQL(name, via, why) }
