package designer

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SQL text in a model (checks, formulas, conditions, index expressions) is
// kept as written. It is read here only as far as needed to find the
// identifiers in it: quoted and bare, outside of strings and comments.

// tokenKind says what a token of SQL text is.
type tokenKind int

const (
	tokenOther      tokenKind = iota // operators, numbers, white space, comments
	tokenIdentifier                  // bare or quoted
	tokenString
	tokenBroken // an unterminated string, identifier or comment, up to the end
)

// sqlToken is a piece of SQL text. The tokens of a text, put together, are
// the text.
type sqlToken struct {
	kind tokenKind
	text string
	name string // of an identifier, without its quotes
	open byte   // the quote an identifier opens with; 0: bare
}

// closing maps the opening quote of an identifier to its closing one.
var closing = map[byte]byte{'"': '"', '[': ']', '`': '`'}

// quotes returns the opening characters that quote identifiers.
func (d *Dialect) quotes() string {
	if d.IdentifierQuotes == "" {
		return "\"[`"
	}
	return d.IdentifierQuotes
}

// scan takes SQL text apart.
func (d *Dialect) scan(text string) []sqlToken {
	var tokens []sqlToken
	for len(text) > 0 {
		t := d.next(text)
		tokens = append(tokens, t)
		text = text[len(t.text):]
	}
	return tokens
}

func (d *Dialect) next(text string) sqlToken {
	c := text[0]
	switch {
	case strings.HasPrefix(text, "--"), c == '#' && d.HashComments:
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			return sqlToken{kind: tokenBroken, text: text} // would swallow what follows the expression
		}
		return sqlToken{text: text[:end+1]}
	case strings.HasPrefix(text, "/*"):
		end := strings.Index(text[2:], "*/")
		if end < 0 {
			return sqlToken{kind: tokenBroken, text: text}
		}
		return sqlToken{text: text[:end+4]}
	case c == '\'' || c == '"' && !strings.Contains(d.quotes(), `"`):
		return d.quoted(text, c, tokenString)
	case strings.IndexByte(d.quotes(), c) >= 0:
		return d.quoted(text, closing[c], tokenIdentifier)
	}
	r, size := utf8.DecodeRuneInString(text)
	if isIdentifierStart(r) {
		return d.bare(text, d.wordEnd(text, isIdentifierPart))
	}
	if '0' <= c && c <= '9' {
		end := d.wordEnd(text, func(r rune) bool { return isIdentifierPart(r) || r == '.' })
		return sqlToken{text: text[:end]}
	}
	return sqlToken{text: text[:size]}
}

// wordEnd returns where the characters that a word may have end, or a
// comment within them begins.
func (d *Dialect) wordEnd(text string, part func(rune) bool) int {
	end := strings.IndexFunc(text, func(r rune) bool { return !part(r) || r == '#' && d.HashComments })
	if end < 0 {
		return len(text)
	}
	return end
}

// bare is the identifier in text[:end], or a string where that is its prefix
// (N'…', E'…').
func (d *Dialect) bare(text string, end int) sqlToken {
	if end < len(text) && text[end] == '\'' {
		s := d.quoted(text[end:], '\'', tokenString)
		return sqlToken{kind: s.kind, text: text[:end+len(s.text)]}
	}
	return sqlToken{kind: tokenIdentifier, text: text[:end], name: text[:end]}
}

// quoted reads up to the closing character, which is doubled within.
func (d *Dialect) quoted(text string, end byte, kind tokenKind) sqlToken {
	var name strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && kind == tokenString && d.BackslashEscapes && i+1 < len(text):
			i++
		case text[i] == end && i+1 < len(text) && text[i+1] == end:
			name.WriteByte(end)
			i++
		case text[i] == end:
			return sqlToken{kind: kind, text: text[:i+1], name: name.String(), open: text[0]}
		default:
			name.WriteByte(text[i])
		}
	}
	return sqlToken{kind: tokenBroken, text: text}
}

func isIdentifierStart(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf || unicode.IsLetter(r)
}

func isIdentifierPart(r rune) bool {
	return isIdentifierStart(r) || '0' <= r && r <= '9' || r == '$' || r == '#' || r == '@'
}

// rename says which identifiers of SQL text change.
type rename struct {
	from, to string
	table    bool // the table's name where it qualifies a column; else a column's
}

func tableRename(from, to string) rename  { return rename{from: from, to: to, table: true} }
func columnRename(from, to string) rename { return rename{from: from, to: to} }

// renameIn carries a new name into all SQL text of a draft.
func (d *Dialect) renameIn(t *Table, r rename) {
	for i := range t.Columns {
		c := &t.Columns[i]
		c.ComputedFormula = d.renamed(c.ComputedFormula, r)
		if d.DefaultsUseColumns {
			c.DefaultValue = d.renamed(c.DefaultValue, r)
		}
		for _, key := range d.ColumnTexts {
			if text, has := c.Options[key]; has {
				c.Options[key] = d.renamed(text, r) // a draft's own map
			}
		}
	}
	for i := range t.Checks {
		t.Checks[i].Expression = d.renamed(t.Checks[i].Expression, r)
	}
	for i := range t.Indexes {
		t.Indexes[i].Where = d.renamed(t.Indexes[i].Where, r)
		for j := range t.Indexes[i].Parts {
			t.Indexes[i].Parts[j].Expression = d.renamed(t.Indexes[i].Parts[j].Expression, r)
		}
	}
}

func (d *Dialect) renamed(text string, r rename) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	tokens := d.scan(text)
	for i, t := range tokens {
		if d.means(r, tokens, i) {
			out.WriteString(d.spell(r.to, t.open))
		} else {
			out.WriteString(t.text)
		}
	}
	return out.String()
}

// means tells whether token i is the name that changes. A qualifying table is
// followed by a point. A column is not, nor, where it is bare, by a
// parenthesis, which makes it a function; and a bare word is none where it is
// reserved or the name of a type or a collation.
func (d *Dialect) means(r rename, tokens []sqlToken, i int) bool {
	t := tokens[i]
	if t.kind != tokenIdentifier || !strings.EqualFold(t.name, r.from) {
		return false
	}
	after := neighbour(slices.All(tokens[i+1:]))
	if r.table || after == "." {
		return r.table && after == "."
	}
	if t.open != 0 {
		return true
	}
	return after != "(" && !d.reserved(t.name) && !namesType(tokens[:i])
}

// namesType tells whether what follows the tokens is a type, as in CAST(a AS
// date) and a::date, or a collation.
func namesType(tokens []sqlToken) bool {
	switch strings.ToUpper(neighbour(slices.Backward(tokens))) {
	case "AS", "COLLATE", ":":
		return true
	}
	return false
}

// neighbour returns the first token that is neither white space nor a
// comment, "" if there is none.
func neighbour(tokens iter.Seq2[int, sqlToken]) string {
	for _, t := range tokens {
		comment := strings.HasPrefix(t.text, "--") || strings.HasPrefix(t.text, "/*")
		if text := strings.TrimSpace(t.text); text != "" && !comment {
			return text
		}
	}
	return ""
}

// spell writes a name as an identifier: quoted as the one it replaces was, or
// where it cannot stand bare.
func (d *Dialect) spell(name string, open byte) string {
	if open == 0 && d.plain(name) {
		return name
	}
	if open == 0 {
		open = d.quotes()[0]
	}
	end := string(closing[open])
	return string(open) + strings.ReplaceAll(name, end, end+end) + end
}

// plain tells whether a name is an identifier without quotes.
func (d *Dialect) plain(name string) bool {
	for i, r := range name {
		if i == 0 && !isIdentifierStart(r) || !isIdentifierPart(r) {
			return false
		}
	}
	return name != "" && !d.reserved(name)
}

func (d *Dialect) reserved(name string) bool {
	return d.Reserved[strings.ToUpper(name)] || d.Reserved[strings.ToLower(name)]
}

// mentions tells whether SQL text uses a column of this name.
func (d *Dialect) mentions(text, column string) bool {
	if text == "" {
		return false
	}
	tokens := d.scan(text)
	for i := range tokens {
		if d.means(columnRename(column, column), tokens, i) {
			return true
		}
	}
	return false
}
