package rows

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/tools/files/search"
)

// lookups returns the texts that the index is asked for: every row with a hit has
// one of them. nil: the index cannot find all rows, and why says so for the
// caller. Fold means letters of either case.
func (sh *shape) lookups(q search.Query) (texts []string, fold bool, why string) {
	switch {
	case sh.dialect == dialectPostgres && sh.isBytes():
		return nil, false, "the content is bytea, which no index finds text in: the rows were scanned"
	case !sh.trigrams:
		return nil, false, "the table has no trigram index (berth files init shows how to make one): the rows were scanned"
	case !q.CaseSensitive && !sh.foldsASCII:
		return nil, false, "the table's collation has other pairs of letters: the rows were scanned"
	}
	for _, needle := range q.Needles() {
		variants := sh.variants(needle)
		if variants == nil {
			texts = nil
			break
		}
		texts, fold = append(texts, variants...), fold || needle.Fold
	}
	if texts == nil || len(texts) > maxTexts {
		what := "characters"
		if sh.dialect == dialectPostgres {
			what = "letters or digits"
		}
		return nil, false, "the index finds three " + what + " in a row and more, of A to Z unless case_sensitive: the rows were scanned"
	}
	return texts, fold, ""
}

// narrowed returns the condition for rows that have one of the texts, or may,
// with its arguments, which follow n others.
func (sh *shape) narrowed(texts []string, fold bool, n int) (where string, args []any) {
	var list []string
	for _, text := range texts {
		condition, arg := sh.has(text, fold)
		args = append(args, arg)
		list = append(list, strings.ReplaceAll(condition, "$n", fmt.Sprintf("$%d", n+len(args))))
	}
	where = strings.Join(list, " OR ")
	if sh.dialect == dialectPostgres { // apart, so that no other index is used in place of this one
		path := sh.column(sh.opts.Columns.Path)
		return path + " IN (SELECT " + path + " FROM " + sh.table + " WHERE " + where + " OFFSET 0)", args
	}
	return "(" + where + ")", args
}

// maxTexts bounds what is looked up in the index for one query.
const maxTexts = 32

// has returns the condition for rows whose content has a text, $n, or may.
func (sh *shape) has(text string, fold bool) (condition string, arg any) {
	c := sh.column(sh.opts.Columns.Content)
	if sh.dialect == dialectPostgres {
		like := " LIKE $n"
		if fold {
			like = " ILIKE $n"
		}
		return c + like, "%" + likeEscaped(text) + "%"
	}
	index := sh.trigramTable()
	return "rowid IN (SELECT rowid FROM " + index + " WHERE " + index + " MATCH $n)", trigramsOf(text)
}

// maxTrigrams bounds those of one text.
const maxTrigrams = 24

// trigramsOf returns a text's trigrams as FTS5 looks them up: rows have all of
// them.
func trigramsOf(text string) string {
	runes := []rune(text)
	var list []string
	for i := 0; i+3 <= len(runes) && len(list) < maxTrigrams; i++ {
		list = append(list, `"`+strings.ReplaceAll(string(runes[i:i+3]), `"`, `""`)+`"`)
	}
	return strings.Join(list, " AND ")
}

// variants returns texts of which a content with the needle has one, in the
// letters of the index; nil: the index cannot look for it.
func (sh *shape) variants(n search.Needle) []string {
	text := n.Text
	if strings.ContainsRune(text, 0) {
		return nil
	}
	if n.Fold {
		text = sh.window(text)
	}
	if !sh.usable(text) {
		return nil
	}
	if !n.Fold {
		return []string{text}
	}
	list := []string{""}
	for _, r := range strings.ToLower(text) {
		other, twice := foldedOutside[r]
		for i, have := range list {
			if twice {
				list = append(list, have+string(other))
			}
			list[i] = have + string(r)
		}
	}
	return list
}

// foldedOutside are the letters outside of ASCII that the search takes for one
// in it, which neither ILIKE nor FTS5 does: the long s and the Kelvin sign.
var foldedOutside = map[rune]rune{'s': 'ſ', 'k': 'K'}

// maxTwice bounds the letters of foldedOutside in a text: each one doubles the
// variants.
const maxTwice = 3

// window returns the longest part of a text that the index folds as the search
// does.
func (sh *shape) window(text string) string {
	best := ""
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		from, twice := 0, 0
		for to := range len(part) {
			if _, ok := foldedOutside[rune(part[to]|0x20)]; ok {
				twice++
			}
			for twice > maxTwice {
				if _, ok := foldedOutside[rune(part[from]|0x20)]; ok {
					twice--
				}
				from++
			}
			if window := part[from : to+1]; len(window) > len(best) && sh.usable(window) {
				best = window
			}
		}
	}
	return best
}

// usable reports whether the index finds a text: pg_trgm knows words alone, FTS5
// all characters.
func (sh *shape) usable(text string) bool {
	run, longest := 0, 0
	for _, r := range text {
		if run++; sh.dialect == dialectPostgres && !isWord(r) {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest >= 3
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
