package lint

import (
	"strings"
	"unicode"

	"github.com/berth-dev/berth/designer"
)

// facts are what rules ask of the whole design, worked out once.
type facts struct {
	byWord map[string][]*designer.Table // tables with a key of one column, by their names' words
	used   *bool                        // a table has been read often; nil: not looked at yet
}

// inUse reports whether the database has been in use since the server counts.
func (f *facts) inUse(p *pass) bool {
	if f.used == nil {
		used := false
		for _, c := range p.opts.Statistics.Tables {
			used = used || c.Reads >= busy
		}
		f.used = &used
	}
	return *f.used
}

// referred finds the table that a column's name says it refers to: customer_id
// or CustomerId, where a table customer or customers has a key of one column of
// the same type. Columns in a foreign key or a polymorphic pair are left out, and so are names that
// several tables answer to.
func (f *facts) referred(p *pass, t *designer.Table, c designer.Column) (*designer.Table, designer.Column) {
	if f.byWord == nil {
		f.index(p)
	}
	words := wordsOf(c.Name)
	if n := len(words); n < 2 || words[n-1] != "id" || inForeignKey(t, c.ID) || t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1 && inKey(t, c.ID) {
		return nil, designer.Column{}
	}
	stem := words[:len(words)-1]
	for _, o := range t.Columns { // item_type beside item_id
		if w := wordsOf(o.Name); len(w) == len(words) && w[len(w)-1] == "type" && strings.Join(w[:len(w)-1], " ") == strings.Join(stem, " ") {
			return nil, designer.Column{}
		}
	}
	var found *designer.Table
	for _, to := range f.byWord[strings.Join(stem, " ")] {
		key := to.ColumnByID(to.PrimaryKey.Columns[0])
		if to.ID == t.ID || to.Schema != t.Schema || p.differ(c, *key) || p.differ(*key, c) {
			continue
		}
		if found != nil {
			return nil, designer.Column{}
		}
		found = to
	}
	if found == nil {
		return nil, designer.Column{}
	}
	return found, *found.ColumnByID(found.PrimaryKey.Columns[0])
}

func (f *facts) index(p *pass) {
	f.byWord = map[string][]*designer.Table{}
	for _, t := range p.tables {
		if t.PrimaryKey == nil || len(t.PrimaryKey.Columns) != 1 {
			continue
		}
		words := wordsOf(t.Name)
		if len(words) == 0 {
			continue
		}
		last := len(words) - 1
		f.byWord[strings.Join(words, " ")] = append(f.byWord[strings.Join(words, " ")], t)
		if one := singular(words[last]); one != words[last] {
			words[last] = one
			f.byWord[strings.Join(words, " ")] = append(f.byWord[strings.Join(words, " ")], t)
		}
	}
}

func inForeignKey(t *designer.Table, id designer.ID) bool {
	for _, k := range t.ForeignKeys {
		for _, m := range k.Mappings {
			if m.Column == id {
				return true
			}
		}
	}
	return false
}

// wordsOf takes a name apart: order_line, OrderLine and ORDER_LINE are the
// words order and line.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// unchanging are words that end as plurals do, and are one thing or both.
var unchanging = words("alias atlas bias canvas gas lens means news series species trans")

// singular is one of what an English plural means, as far as its ending says.
func singular(word string) string {
	switch {
	case unchanging[word]:
		return word
	case strings.HasSuffix(word, "es") && unchanging[word[:len(word)-2]]: // aliases
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return word[:len(word)-1]
	}
	return word
}
