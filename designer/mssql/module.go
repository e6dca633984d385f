package mssql

import (
	"strings"
	"sync"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// module is a view, routine or trigger: what may use others of its kind.
type module struct {
	kind, schema, name, text string
	options                  map[string]string
	known                    []designer.Dependency // what the catalogue says it uses; nil: nothing

	// The text is read where something asks for what it may name: a batch of
	// edits is planned each time, and few texts have to do with it.
	searched sqltext.NameFilter
	uses     func() map[string]bool // folded names in it
	mentions func() sqltext.Mentions
	bound    func() bool
}

func newModule(kind, schema, name, text string) module {
	return module{kind: kind, schema: schema, name: name, text: text,
		searched: sqltext.NewNameFilter(text),
		uses:     sync.OnceValue(func() map[string]bool { return identifiers(text) }),
		mentions: sync.OnceValue(func() sqltext.Mentions { return sqltext.TSQL().Mentioned(text) }),
		bound:    sync.OnceValue(func() bool { return schemaBound(text) }),
	}
}

// names reports whether the module's text has the name in it.
func (m *module) names(name string) bool {
	return m.searched.MayContain(name) && m.uses()[designer.Fold(name)]
}

// line returns the line of the module's text that names something first, a
// string in it too, which may be run as a statement; 0: none does.
func (m *module) line(name string) int {
	if !m.searched.MayContain(name) {
		return 0
	}
	return m.mentions().Line(name)
}

// isBound reports whether the text binds the module to what it uses, so that
// the server refuses to change that.
func (m *module) isBound() bool { return m.searched.MayContain("SCHEMABINDING") && m.bound() }

// modules lists functions, views and procedures, in this order.
func modules(s *designer.Schema) []module {
	var functions, views, procedures []module
	for _, o := range s.Objects() {
		if o.Kind != designer.ObjectRoutine {
			continue
		}
		m := newModule(routineKind(o.Definition), o.Schema, o.Name, o.Definition)
		m.known, m.options = o.Uses, o.Options
		switch m.kind {
		case "function":
			functions = append(functions, m)
		default:
			procedures = append(procedures, m)
		}
	}
	for _, v := range s.Views() {
		m := newModule("view", v.Schema, v.Name, v.Definition)
		m.known, m.options = v.Uses, v.Options
		views = append(views, m)
	}
	return append(append(functions, views...), procedures...)
}

// routineKind is the word for what a text of one or more batches makes.
func routineKind(text string) string {
	for _, b := range Batches(text) {
		tokens := scan(b)
		h, ok := findHeader(tokens)
		if !ok {
			continue
		}
		for _, t := range tokens[:h.name.from] {
			if t.Is("FUNCTION") {
				return "function"
			}
		}
		return "procedure"
	}
	return "routine"
}

// rename writes the names that a CREATE statement of a view, routine or
// trigger gives the object and, of a trigger, its table, where the text says
// others: sp_rename leaves the text as it was. table is nil for what has
// none.
func rename(text string, object objectName, table *objectName) string {
	tokens := scan(text)
	h, ok := findHeader(tokens)
	if !ok {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(tokens); i++ {
		switch {
		case i == h.name.from && !object.same(h.name.parts):
			out.WriteString(object.String())
			i = h.name.to - 1
		case table != nil && i == h.table.from && h.table.to > i && !table.same(h.table.parts):
			out.WriteString(table.String())
			i = h.table.to - 1
		default:
			out.WriteString(tokens[i].Text)
		}
	}
	return out.String()
}

// header describes where in a CREATE statement the names stand.
type header struct{ name, table nameSpan }

// nameSpan is a name of several parts, by its tokens.
type nameSpan struct {
	from, to int
	parts    []string
}

func findHeader(tokens []sqltext.Token) (header, bool) {
	var h header
	i := 0
	keyword := func(words ...string) bool {
		i = skip(tokens, i)
		for _, w := range words {
			if i < len(tokens) && tokens[i].Is(w) {
				i++
				return true
			}
		}
		return false
	}
	if !keyword("CREATE", "ALTER") {
		return h, false
	}
	if keyword("OR") && !keyword("ALTER") {
		return h, false
	}
	if !keyword("VIEW", "PROC", "PROCEDURE", "FUNCTION", "TRIGGER") {
		return h, false
	}
	h.name = spanAt(tokens, i)
	i = h.name.to
	if keyword("ON") {
		h.table = spanAt(tokens, i)
	}
	return h, len(h.name.parts) > 0
}

// skip returns the index of the first token from i on that says something.
func skip(tokens []sqltext.Token, i int) int {
	for i < len(tokens) && (tokens[i].Kind == sqltext.Space || tokens[i].Kind == sqltext.Comment) {
		i++
	}
	return i
}

func spanAt(tokens []sqltext.Token, i int) nameSpan {
	i = skip(tokens, i)
	s := nameSpan{from: i, to: i}
	for i < len(tokens) && tokens[i].IsName() {
		s.parts = append(s.parts, tokens[i].Name)
		s.to = i + 1
		dot := skip(tokens, s.to)
		if dot >= len(tokens) || !tokens[dot].Is(".") {
			break
		}
		i = skip(tokens, dot+1)
	}
	return s
}

// schemaBound reports whether the text of a view or function binds it to what
// it uses, so that the server refuses to change that.
func schemaBound(text string) bool {
	tokens := significant(scan(text))
	for _, t := range tokens {
		if t.Is("SCHEMABINDING") {
			return true
		}
	}
	return false
}

// renameBatches is [rename] for a text of several batches, where the one
// after the header's may disable the trigger by its names.
func renameBatches(text string, object objectName, table *objectName) string {
	batches := Batches(text)
	for i, b := range batches {
		tokens := significant(scan(b))
		if rest, is := strings.CutPrefix(b, triggerOrder); is && table != nil {
			_, rest, _ = strings.Cut(rest, ", @order = ")
			batches[i] = triggerOrder + literal(object.String()) + ", @order = " + rest
			continue
		}
		if len(tokens) > 1 && tokens[0].Is("DISABLE") && tokens[1].Is("TRIGGER") && table != nil {
			batches[i] = "DISABLE TRIGGER " + object.String() + " ON " + table.String()
			continue
		}
		batches[i] = rename(b, object, table)
	}
	return strings.Join(batches, batchEnd)
}
