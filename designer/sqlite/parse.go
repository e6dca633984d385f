package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
)

// parser reads the CREATE statements that SQLite keeps in sqlite_schema. It
// takes the statements SQLite's own grammar takes (parse.y, 3.53) and keeps
// expressions and types as they are written. Expressions are only delimited,
// never understood.
type parser struct {
	sql    string
	tokens []sqltext.Token // without spaces and comments
	pos    int
}

func newParser(sql string) *parser {
	return &parser{sql: sql, tokens: sqltext.SQLite().Significant(sql)}
}

var errSyntax = errors.New("not a CREATE statement as SQLite stores it")

func (p *parser) fail(want string) error {
	if t, ok := p.peek(); ok {
		return fmt.Errorf("%w: %s expected at byte %d", errSyntax, want, t.Pos)
	}
	return fmt.Errorf("%w: %s expected at the end", errSyntax, want)
}

func (p *parser) peek() (sqltext.Token, bool) {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos], true
	}
	return sqltext.Token{}, false
}

// at reports whether the next tokens are these words or operators.
func (p *parser) at(words ...string) bool {
	if p.pos+len(words) > len(p.tokens) {
		return false
	}
	for i, w := range words {
		if !p.tokens[p.pos+i].Is(w) {
			return false
		}
	}
	return true
}

// accept skips the words if they come next.
func (p *parser) accept(words ...string) bool {
	if !p.at(words...) {
		return false
	}
	p.pos += len(words)
	return true
}

func (p *parser) expect(words ...string) error {
	if !p.accept(words...) {
		return p.fail(strings.Join(words, " "))
	}
	return nil
}

// name reads one name: any word that is not reserved, or quoted in any of the
// four ways.
func (p *parser) name() (string, error) {
	t, ok := p.peek()
	if !ok || !isNameToken(t) {
		return "", p.fail("a name")
	}
	p.pos++
	return t.Name, nil
}

func isNameToken(t sqltext.Token) bool {
	switch t.Kind {
	case sqltext.Quoted:
		return true
	case sqltext.String:
		return t.Text[0] == '\'' // no blob
	case sqltext.Word:
		return !reserved[strings.ToUpper(t.Text)] || joinWords[strings.ToUpper(t.Text)]
	}
	return false
}

// end checks that nothing is left but a semicolon.
func (p *parser) end() error {
	p.accept(";")
	if p.pos < len(p.tokens) {
		return p.fail("the end")
	}
	return nil
}

// parens skips a parenthesised text and returns what is within, trimmed.
func (p *parser) parens() (string, error) {
	if err := p.expect("("); err != nil {
		return "", err
	}
	start := p.tokens[p.pos-1].End()
	if err := p.skip(func(t sqltext.Token) bool { return t.Is(")") }); err != nil {
		return "", err
	}
	if !p.at(")") {
		return "", p.fail(")")
	}
	text := strings.TrimSpace(p.sql[start:p.tokens[p.pos].Pos])
	p.pos++
	return text, nil
}

// skip moves to the first token outside of parentheses for which stop holds,
// or to the end.
func (p *parser) skip(stop func(sqltext.Token) bool) error {
	depth := 0
	for ; p.pos < len(p.tokens); p.pos++ {
		t := p.tokens[p.pos]
		switch {
		case depth == 0 && stop(t):
			return nil
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case t.Kind == sqltext.Illegal:
			return p.fail("legal text")
		}
		if depth < 0 {
			return p.fail("an opening parenthesis before this")
		}
	}
	return nil
}

// textFrom returns the text from the token at index from up to the next one,
// trimmed.
func (p *parser) textFrom(from int) string {
	if from >= p.pos {
		return ""
	}
	return p.sql[p.tokens[from].Pos:p.tokens[p.pos-1].End()]
}

// onConflict reads an ON CONFLICT clause. It returns the resolution in lower
// case, "" for the default one.
func (p *parser) onConflict() (string, error) {
	if !p.accept("ON", "CONFLICT") {
		return "", nil
	}
	for _, word := range [...]string{"ROLLBACK", "ABORT", "FAIL", "IGNORE", "REPLACE"} {
		if p.accept(word) {
			if word == "ABORT" {
				return "", nil
			}
			return strings.ToLower(word), nil
		}
	}
	return "", p.fail("a conflict resolution")
}

// key is one entry of a primary key, unique constraint or index.
type key struct {
	text       string // the expression as written, without COLLATE and order
	column     string // text as a name, if plain
	plain      bool   // text is a single name
	collation  string
	descending bool
}

// keys reads a parenthesised list of keys; AUTOINCREMENT may end it.
func (p *parser) keys() (list []key, auto bool, err error) {
	if err := p.expect("("); err != nil {
		return nil, false, err
	}
	for {
		k, err := p.key()
		if err != nil {
			return nil, false, err
		}
		list = append(list, k)
		if p.accept(",") {
			continue
		}
		auto = p.accept("AUTOINCREMENT")
		return list, auto, p.expect(")")
	}
}

func (p *parser) key() (key, error) {
	from := p.pos
	err := p.skip(func(t sqltext.Token) bool { return t.Is(",") || t.Is(")") || t.Is("AUTOINCREMENT") })
	if err != nil {
		return key{}, err
	}
	end := p.pos
	var k key
	last := func(i int, word string) bool { return end-i > from && p.tokens[end-i].Is(word) }
	if last(2, "NULLS") && (last(1, "FIRST") || last(1, "LAST")) {
		end -= 2
	}
	if last(1, "DESC") || last(1, "ASC") {
		k.descending = last(1, "DESC")
		end--
	}
	if end-2 > from && p.tokens[end-2].Is("COLLATE") {
		k.collation = p.tokens[end-1].Name
		end -= 2
	}
	if end <= from {
		return key{}, p.fail("a key")
	}
	k.text = p.sql[p.tokens[from].Pos:p.tokens[end-1].End()]
	if end == from+1 && isNameToken(p.tokens[from]) {
		k.column, k.plain = p.tokens[from].Name, true
	}
	return k, nil
}

// indexText is what a stored CREATE INDEX says.
type indexText struct {
	name  string
	keys  []key
	where string
}

func parseIndex(sql string) (*indexText, error) {
	p := newParser(sql)
	if err := p.expect("CREATE"); err != nil {
		return nil, err
	}
	p.accept("UNIQUE")
	if err := p.expect("INDEX"); err != nil {
		return nil, err
	}
	p.accept("IF", "NOT", "EXISTS")
	x := &indexText{}
	var err error
	if x.name, err = p.name(); err != nil {
		return nil, err
	}
	if p.accept(".") {
		if x.name, err = p.name(); err != nil {
			return nil, err
		}
	}
	if err := p.expect("ON"); err != nil {
		return nil, err
	}
	if _, err := p.name(); err != nil {
		return nil, err
	}
	if x.keys, _, err = p.keys(); err != nil {
		return nil, err
	}
	if p.accept("WHERE") {
		from := p.pos
		p.pos = len(p.tokens)
		if p.pos > from && p.tokens[p.pos-1].Is(";") {
			p.pos--
		}
		x.where = strings.TrimSpace(p.textFrom(from))
	}
	return x, p.end()
}
