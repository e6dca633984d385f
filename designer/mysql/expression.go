package mysql

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// scan splits SQL text as the server does in its ordinary mode. What stands
// within a comment that the server runs, such as /*!40101 … */, is code.
func scan(text string) []sqltext.Token {
	rules := sqltext.MySQL()
	rules.ReadPrograms = true
	return rules.Tokens(text)
}

// isBlank reports whether a token is no code: white space, a comment, or a
// mark at either end of a comment that runs. So is a comment that does not
// end.
func isBlank(t sqltext.Token) bool {
	switch t.Kind {
	case sqltext.Space, sqltext.Comment, sqltext.Program:
		return true
	}
	return t.Unclosed && strings.HasPrefix(t.Text, "/*")
}

// code returns the tokens that are not blank.
func code(tokens []sqltext.Token) []sqltext.Token {
	var out []sqltext.Token
	for _, t := range tokens {
		if !isBlank(t) {
			out = append(out, t)
		}
	}
	return out
}

// textOf joins tokens.
func textOf(tokens []sqltext.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.Text)
	}
	return b.String()
}

// expression gives SQL text of the catalogue the form it has in a design:
// without the name of the database, without parentheses around the whole, and
// from MySQL without the escapes and character sets it puts before strings.
func (c *catalog) expression(text string) string {
	if !c.maria {
		text = plainStrings(strings.NewReplacer(`\'`, "'", `\\`, `\`).Replace(text))
	}
	return bare(c.unqualified(text))
}

// plainStrings leaves out the character set that MySQL writes before each
// string, as _utf8mb4'x'.
func plainStrings(text string) string {
	var b strings.Builder
	tokens := scan(text)
	for i, t := range tokens {
		introduces := t.Kind == sqltext.Word && strings.HasPrefix(t.Text, "_") && i+1 < len(tokens) && tokens[i+1].Kind == sqltext.String
		if !introduces {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// bare leaves out the parentheses that enclose the whole text.
func bare(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	tokens := scan(text)
	pairs := closings(tokens)
	first, last := 0, len(tokens)-1
	for first < last && pairs[first] == last {
		first, last = first+1, last-1
		for first < last && isBlank(tokens[first]) {
			first++
		}
		for first < last && isBlank(tokens[last]) {
			last--
		}
	}
	return strings.TrimSpace(textOf(tokens[first : last+1]))
}

// closings maps each opening parenthesis to the one that closes it.
func closings(tokens []sqltext.Token) map[int]int {
	pairs := map[int]int{}
	var open []int
	for i, t := range tokens {
		switch {
		case t.Is("("):
			open = append(open, i)
		case t.Is(")") && len(open) > 0:
			pairs[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return pairs
}

// enclosed reports whether one pair of parentheses holds all of the text.
func enclosed(text string) bool { return bare(text) != strings.TrimSpace(text) }

// unqualified leaves the name of the database out where it stands before the
// name of a table, or of one of its routines. Before a column it may be the
// alias of a table, and stays.
func (c *catalog) unqualified(text string) string {
	own := quoteName(c.database)
	if !strings.Contains(text, own) {
		return text
	}
	tokens := scan(text)
	at := func(i int) sqltext.Token {
		if i < 0 || i >= len(tokens) {
			return sqltext.Token{}
		}
		return tokens[i]
	}
	var b strings.Builder
	for i := 0; i < len(tokens); i++ {
		starts := tokens[i].Text == own && at(i+1).Is(".") && !at(i-1).Is(".")
		if starts && (at(i+3).Is(".") || at(i+3).Is("(") || c.carried[at(i+2).Name]) {
			i++ // the point as well
			continue
		}
		b.WriteString(tokens[i].Text)
	}
	return b.String()
}

// defaultOf gives a column's default value the form it has in a design, ""
// for none: an SQL expression, a string in quotes.
func (c *catalog) defaultOf(r columnRow, dataType string) string {
	switch {
	case !r.def.Valid:
		return ""
	case c.maria && strings.EqualFold(r.def.String, "NULL"):
		return ""
	case c.maria:
		return c.expression(r.def.String)
	case strings.Contains(strings.ToUpper(r.extra), "DEFAULT_GENERATED"):
		return timestamps(c.expression(r.def.String))
	}
	info, known := typeNamed(dataType)
	number := known && (info.Precision != designer.Range{} || info.Identity || info.Name == "boolean" || info.Name == "year")
	if number || strings.HasPrefix(r.def.String, "0x") {
		return r.def.String
	}
	return quoteString(r.def.String)
}

// timestamps writes the current time the way MariaDB does.
func timestamps(text string) string {
	upper := strings.ToUpper(text)
	switch {
	case upper == "CURRENT_TIMESTAMP":
		return "current_timestamp()"
	case strings.HasPrefix(upper, "CURRENT_TIMESTAMP("):
		return strings.ToLower(text)
	}
	return text
}

// mentions reports whether SQL text holds the name.
func mentions(text, name string) bool {
	for _, t := range scan(text) {
		if t.IsName() && strings.EqualFold(t.Name, name) {
			return true
		}
	}
	return false
}

// renamedIn writes new names into SQL text, as the server does. A word before
// a parenthesis is a function.
func renamedIn(text string, names map[string]string) string {
	tokens := scan(text)
	var b strings.Builder
	for i, t := range tokens {
		to, renamed := names[designer.Fold(t.Name)]
		called := i+1 < len(tokens) && tokens[i+1].Is("(")
		switch {
		case renamed && t.Kind == sqltext.Quoted, renamed && t.Kind == sqltext.Word && !called:
			b.WriteString(quoteName(to))
		default:
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// rowColumns writes other names for the columns behind NEW and OLD.
func rowColumns(text string, name func(string) string) string {
	tokens := scan(text)
	var b strings.Builder
	for i, t := range tokens {
		behind := i >= 2 && tokens[i-1].Is(".") && (tokens[i-2].Is("NEW") || tokens[i-2].Is("OLD"))
		if to := t.Name; behind && to != "" && name(to) != to {
			b.WriteString(quoteName(name(to)))
			continue
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// withCharsets puts the character sets of what SHOW CREATE says before the
// strings of a text of the catalogue, which is the end of that, but for the
// check option of a view.
func (c *catalog) withCharsets(text string, shown shownText) string {
	if !strings.Contains(shown.text, "_") {
		return text
	}
	all, whole := scan(text), code(scan(c.unqualified(shown.text)))
	var at []int // of the code in all
	for i, t := range all {
		if !isBlank(t) {
			at = append(at, i)
		}
	}
	for start := range whole {
		charsets, fits := introducers(whole[start:], all, at)
		if !fits {
			continue
		}
		for i, by := range charsets {
			literal, ok := withCharset(by[0], by[1], shown.client)
			if !ok {
				return text
			}
			all[i].Text = literal
			if i > 0 && len(all[i-1].Text) > 1 && strings.TrimSpace(all[i-1].Text) == "" { // the blank behind the character set was left
				all[i-1].Text = all[i-1].Text[:len(all[i-1].Text)-1]
			}
		}
		return textOf(all)
	}
	return text
}

// introducers returns, for each of the tokens of a text that has a character
// set in the whole, that and the token there. fits reports whether the whole
// says the same otherwise.
func introducers(whole, all []sqltext.Token, at []int) (found map[int][2]sqltext.Token, fits bool) {
	found = map[int][2]sqltext.Token{}
	for _, i := range at {
		if len(whole) > 1 && isIntroducer(whole[0]) && all[i].Text != whole[0].Text {
			found[i] = [2]sqltext.Token{whole[0], whole[1]}
			whole = whole[1:]
		}
		if len(whole) == 0 || whole[0].Kind != all[i].Kind || whole[0].Kind != sqltext.String && whole[0].Text != all[i].Text {
			return nil, false
		}
		whole = whole[1:]
	}
	return found, len(whole) == 0 || whole[0].Is("WITH")
}

func isIntroducer(t sqltext.Token) bool {
	return t.Kind == sqltext.Word && t.Name == "" && strings.HasPrefix(t.Text, "_")
}

// withCharset writes a string with its character set. The bytes of one that is
// not ASCII stand in the text as they are, where that came from a client of
// UTF-8, and so they are written as digits.
func withCharset(charset, literal sqltext.Token, client string) (text string, ok bool) {
	space := ""
	if literal.Text[0] != '\'' && literal.Text[0] != '"' {
		space = " "
	}
	ascii := !strings.ContainsFunc(literal.Text, func(r rune) bool { return r >= utf8.RuneSelf })
	utf := strings.HasPrefix(charset.Text, "_utf8") && utf8.ValidString(literal.Text)
	switch {
	case ascii || utf:
		return charset.Text + space + literal.Text, true
	case !strings.HasPrefix(client, "utf8") || space != "" || strings.ContainsAny(literal.Text[1:len(literal.Text)-1], `\'"`):
		return "", false
	}
	return charset.Text + " X'" + strings.ToUpper(hex.EncodeToString([]byte(literal.Text[1:len(literal.Text)-1]))) + "'", true
}

// writtenParameters returns what is between the parentheses of a CREATE
// PROCEDURE or CREATE FUNCTION, "" where nothing is.
func writtenParameters(text string) string {
	tokens := scan(text)
	from, depth := -1, 0
	for i, t := range tokens {
		switch {
		case t.Is("("):
			if depth++; from < 0 {
				from = i + 1
			}
		case t.Is(")"):
			if depth--; depth == 0 {
				return textOf(tokens[from:i])
			}
		}
	}
	return ""
}
