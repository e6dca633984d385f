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
	server  Catalogue
	words   MSSQLWords
	pending []reachedMSSQL
	seen    map[string]bool
	bytes   int
}

// NewMSSQLReach is for one query.
func NewMSSQLReach(server Catalogue, words MSSQLWords) *MSSQLReach {
	return &MSSQLReach{server: server, words: words, seen: map[string]bool{}}
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

// reachedMSSQL is SQL that a query runs.
type reachedMSSQL struct {
	tokens []sqltext.Token
	via    string // how it was reached, for people; "" is the query itself
}

// Query judges a query's text and all it reaches. A [*Refusal] says no.
func (r *MSSQLReach) Query(ctx context.Context, q *MSSQLQuery) error {
	r.pending = []reachedMSSQL{{tokens: q.tokens}}
	for len(r.pending) > 0 {
		t := r.pending[0]
		r.pending = r.pending[1:]
		if err := r.text(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (r *MSSQLReach) add(text, via string) error {
	if r.bytes += len(text); r.bytes > maxReached {
		return Refuse("function", "the query reaches more views and functions than can be checked")
	}
	r.pending = append(r.pending, reachedMSSQL{sqltext.Significant(TSQLTokens(text)), via})
	return nil
}

// text judges one text: what stands in it, where its names lead, and what is
// called in it.
func (r *MSSQLReach) text(ctx context.Context, t reachedMSSQL) error {
	if refusal := outside(t); refusal != nil {
		return refusal
	}
	if err := r.databases(ctx, t); err != nil {
		return err
	}
	var names []string
	for _, token := range t.tokens {
		if token.IsName() && !slices.Contains(names, strings.ToLower(token.Name)) {
			names = append(names, strings.ToLower(token.Name))
		}
	}
	objects, err := r.objects(ctx, names)
	if err != nil {
		return err
	}
	found := map[string]bool{}
	for _, o := range objects {
		found[strings.ToLower(o.name)] = true
		if err := r.object(o, t.via); err != nil {
			return err
		}
	}
	return r.calls(t, found)
}

// outside refuses what leads out of the server, in a query's own text or in
// that of a view or function.
func outside(t reachedMSSQL) *Refusal {
	for i, token := range t.tokens {
		for _, word := range []string{"OPENROWSET", "OPENQUERY", "OPENDATASOURCE", "OPENXML", "EXEC", "EXECUTE", "WAITFOR"} {
			if token.Is(word) {
				return refuseMSSQL(word, t.via, "what it does cannot be checked")
			}
		}
		if token.Kind == sqltext.Illegal {
			return Refuse("legal text", "%s cannot be read", replytext.Shown(replytext.Cut(t.via, 200)))
		}
		if token.IsName() && (i == 0 || !t.tokens[i-1].Is(".")) && linked(t.tokens, i) {
			return Refuse("other server", "%s: a name of four parts leads to another server, where what is read cannot be checked", replytext.Shown(partsAt(t.tokens, i)))
		}
	}
	return nil
}

// partsAt writes the name at i with all its parts.
func partsAt(tokens []sqltext.Token, i int) string {
	text := tokens[i].Text
	for i++; i < len(tokens) && (tokens[i].Is(".") || tokens[i].IsName() && tokens[i-1].Is(".")); i++ {
		text += tokens[i].Text
	}
	return text
}

// databases refuses names of three parts that lead to another database, but
// for its catalogue.
func (r *MSSQLReach) databases(ctx context.Context, t reachedMSSQL) error {
	var names []string
	for i, token := range t.tokens {
		if !token.IsName() || i > 0 && t.tokens[i-1].Is(".") || i+2 >= len(t.tokens) || !t.tokens[i+1].Is(".") {
			continue
		}
		schema, empty := t.tokens[i+2], t.tokens[i+2].Is(".")
		if !empty && (i+3 >= len(t.tokens) || !t.tokens[i+3].Is(".")) {
			continue // two parts
		}
		if !strings.EqualFold(schema.Name, "sys") && !strings.EqualFold(schema.Name, "information_schema") {
			names = append(names, strings.ToLower(token.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	others, err := r.otherDatabases(ctx, names)
	if err == nil && len(others) > 0 {
		return Refuse("other database", "%s is another database, where what is read cannot be checked; ask through a connection to it", replytext.Quote(others[0]))
	}
	return err
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
func (r *MSSQLReach) calls(t reachedMSSQL, found map[string]bool) error {
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
		case r.words.computes[upper], word && (r.words.keywords[upper] || r.words.reserved[upper] || r.words.other[upper]), namesColumns(t.tokens, i):
			continue
		}
		return refuseMSSQL(token.Name, t.via, "it is not a function that is known to compute only, nor one of the database")
	}
	return nil
}

func refuseMSSQL(name, via, why string) *Refusal { return refuseMySQL(name, via, why) }
