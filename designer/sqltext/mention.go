package sqltext

import (
	"strings"
	"unicode"
)

// maxNested bounds how deep strings within strings are read.
const maxNested = 3

// Mentions are the names in a text, each with the line, from 1, on which it
// comes first. Case does not count.
type Mentions struct {
	any  map[string]int
	bare map[string]int    // not behind a point
	of   map[[2]string]int // behind a qualifier and a point
}

// Line returns the line of a name, wherever it stands; 0: it is not named.
func (m Mentions) Line(name string) int { return m.any[strings.ToLower(name)] }

// Table returns the line of a name that can be a table's of that schema: it
// stands alone, or behind the schema.
func (m Mentions) Table(schema, name string) int {
	bare, of := m.bare[strings.ToLower(name)], m.of[[2]string{strings.ToLower(schema), strings.ToLower(name)}]
	if bare == 0 || of != 0 && of < bare {
		return of
	}
	return bare
}

// Mentioned lists what a text names: names and keywords, and those within
// strings, which a routine may run as a statement or a server take as the
// argument of a trigger.
//
// It is for texts that a server keeps as they were written. A name is not
// resolved: what is listed may be another thing of the same name.
func (r Rules) Mentioned(text string) Mentions {
	m := Mentions{map[string]int{}, map[string]int{}, map[[2]string]int{}}
	r.mention(m, text, 1, maxNested)
	return m
}

func (r Rules) mention(m Mentions, text string, line, depth int) {
	qualifier, point := "", false // what stands before
	for _, t := range r.Tokens(text) {
		name := strings.ToLower(t.Name)
		switch {
		case t.Kind == String && depth > 0:
			r.mention(m, t.Contents(), line, depth-1)
		case name != "":
			first(m.any, name, line)
			if point {
				first(m.of, [2]string{qualifier, name}, line)
			} else {
				first(m.bare, name, line)
			}
		case t.Kind == Illegal:
			for _, word := range strings.FieldsFunc(t.Text, noWord) {
				first(m.any, strings.ToLower(word), line)
				first(m.bare, strings.ToLower(word), line)
			}
		}
		if point = t.Is("."); !point {
			qualifier = name
		}
		line += strings.Count(t.Text, "\n")
	}
}

func first[K comparable](lines map[K]int, key K, line int) {
	if lines[key] == 0 {
		lines[key] = line
	}
}

// Contents returns what stands between the quotes of a String, doubled ones as
// one. Escapes stay as they are written.
func (t Token) Contents() string {
	if strings.HasPrefix(t.Text, "$") {
		mark := strings.IndexByte(t.Text[1:], '$') + 2
		return strings.TrimSuffix(t.Text[mark:], t.Text[:mark])
	}
	at := strings.IndexAny(t.Text, `'"`)
	if t.Kind != String || at < 0 {
		return t.Text
	}
	quote := t.Text[at : at+1]
	return strings.ReplaceAll(strings.TrimSuffix(t.Text[at+1:], quote), quote+quote, quote)
}

func noWord(c rune) bool {
	return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}
