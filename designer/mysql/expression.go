package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

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
		introduces := t.kind == wordToken && strings.HasPrefix(t.text, "_") && i+1 < len(tokens) && tokens[i+1].kind == stringToken
		if !introduces {
			b.WriteString(t.text)
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
		for first < last && tokens[first].kind == spaceToken {
			first++
		}
		for first < last && tokens[last].kind == spaceToken {
			last--
		}
	}
	return strings.TrimSpace(textOf(tokens[first : last+1]))
}

// closings tells for each opening parenthesis where it is closed.
func closings(tokens []token) map[int]int {
	pairs := map[int]int{}
	var open []int
	for i, t := range tokens {
		switch {
		case t.is("("):
			open = append(open, i)
		case t.is(")") && len(open) > 0:
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
	at := func(i int) token {
		if i < 0 || i >= len(tokens) {
			return token{}
		}
		return tokens[i]
	}
	var b strings.Builder
	for i := 0; i < len(tokens); i++ {
		starts := tokens[i].text == own && at(i+1).is(".") && !at(i-1).is(".")
		if starts && (at(i+3).is(".") || at(i+3).is("(") || c.carried[at(i+2).name()]) {
			i++ // the point as well
			continue
		}
		b.WriteString(tokens[i].text)
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
