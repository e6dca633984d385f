package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func nameRules() []Rule {
	return []Rule{
		{ID: rule.ReservedName, Severity: Info, table: reservedName,
			Says: "a table or column is called as a reserved word", Why: "it has to be quoted in every statement"},
		{ID: rule.UnsafeName, Severity: Warning, table: unsafeName,
			Says: "a name has spaces or signs, or begins with a digit", Why: "it has to be quoted in every statement, and some tools fail on it"},
		{ID: rule.MixedCaseName, Severity: Info, Dialects: []string{"postgres"}, table: mixedCaseName,
			Says: "names of a table or of its columns have capitals", Why: "PostgreSQL reads a name without quotes in small letters: they need quotes for ever"},
		{ID: rule.CaseOnlyNames, Severity: Warning, Dialects: noSQLite, table: caseOnlyNames,
			Says: "two tables, or two columns of one, differ in case only", Why: "the next person takes one for the other",
			Peers: "drawdb duplicate_table_by_name, duplicate_fields"},
		{ID: rule.InconsistentTableNames, Severity: Info, design: tableStyles,
			Says: "a table's name is written in another way than most", Why: "names are guessed while one writes a query",
			Peers: "azimutt entity-name-inconsistent"},
		{ID: rule.InconsistentColumnNames, Severity: Info, design: columnStyles,
			Says: "columns are written in another way than most of the design", Why: "names are guessed while one writes a query",
			Peers: "azimutt attribute-name-inconsistent"},
		{ID: rule.MixedPlural, Severity: Info, Off: true, design: mixedPlural,
			Says: "a table's name is a plural where most are not, or the reverse", Why: "names are guessed while one writes a query"},
	}
}

// eachName calls fn for the name of a table and those of its columns.
func eachName(t *designer.Table, fn func(what, name string, about subject)) {
	fn("Table", t.Name, subject{})
	for _, c := range t.Columns {
		fn("Column", c.Name, column(c))
	}
}

func reservedName(p *pass, t *designer.Table) {
	eachName(t, func(what, name string, about subject) {
		if !p.d.Reserved[strings.ToUpper(name)] && !p.d.Reserved[strings.ToLower(name)] {
			return
		}
		if about.column == "" {
			p.say(t, about, "Table %s is called as a reserved word", p.nameOf(t))
			return
		}
		p.say(t, about, "Column %s of %s is called as a reserved word", clip.Name(name), p.nameOf(t))
	})
}

// plainName is a name that no dialect quotes for its characters. Letters of any script are
// taken by all four.
var plainName = lazyregexp.New(`^[\pL_][\pL\pN_$]*$`)

func unsafeName(p *pass, t *designer.Table) {
	eachName(t, func(what, name string, about subject) {
		if plainName().MatchString(name) {
			return
		}
		if about.column == "" {
			p.say(t, about, "Table %s needs quotes", clip.Quote(name))
			return
		}
		p.say(t, about, "Column %s of %s needs quotes", clip.Quote(name), p.nameOf(t))
	})
}

// mixedCaseName says once of a table that it, and how many of its columns, have
// capitals.
func mixedCaseName(p *pass, t *designer.Table) {
	capitals := func(name string) bool { return strings.ToLower(name) != name }
	var columns []string
	for _, c := range t.Columns {
		if capitals(c.Name) {
			columns = append(columns, c.Name)
		}
	}
	switch {
	case capitals(t.Name) && len(columns) > 0:
		p.say(t, subject{}, "Table %s and its columns %s have capitals: they need quotes", p.nameOf(t), listed(columns))
	case capitals(t.Name):
		p.say(t, subject{}, "Table %s has capitals in its name: it needs quotes", p.nameOf(t))
	case len(columns) > 0:
		p.say(t, subject{column: firstOf(columns)}, "Columns %s of %s have capitals: they need quotes", listed(columns), p.nameOf(t))
	}
}

func caseOnlyNames(p *pass, t *designer.Table) {
	for _, o := range p.s.Named(designer.TableName{Schema: t.Schema, Name: t.Name}) {
		if o.Name < t.Name {
			p.say(t, subject{}, "Tables %s and %s differ in case only", p.nameOf(o), p.nameOf(t))
		}
	}
	seen := map[string]string{}
	for _, c := range t.Columns {
		key := designer.Fold(c.Name)
		if first, twice := seen[key]; twice {
			p.say(t, column(c), "Columns %s and %s of %s differ in case only", clip.Name(first), clip.Name(c.Name), p.nameOf(t))
			continue
		}
		seen[key] = c.Name
	}
}

// style is a way of writing names of several words. A name may be of more than
// one: "name" is snake_case and camelCase.
type style uint8

const (
	snake style = 1 << iota
	camel
	pascal
	screaming
)

var styles = []struct {
	is   style
	name string
	like func() *regexp.Regexp
}{
	{snake, "snake_case", lazyregexp.New(`^_*[\p{Ll}\p{Lo}\d]+(_+[\p{Ll}\p{Lo}\d]+)*_*$`)},
	{camel, "camelCase", lazyregexp.New(`^_*\p{Ll}[\pL\d]*$`)},
	{pascal, "PascalCase", lazyregexp.New(`^\p{Lu}[\pL\d]*$`)},
	{screaming, "SCREAMING_CASE", lazyregexp.New(`^\p{Lu}[\p{Lu}\d]*(_+[\p{Lu}\d]+)*$`)},
}

func styleOf(name string) (s style) {
	for _, st := range styles {
		if st.like().MatchString(name) {
			s |= st.is
		}
	}
	return s
}

// mostly finds the style that at least nine of ten names have. ok is false
// where there is none, or there are too few names to speak of a custom.
func mostly(names []string) (is style, called string, ok bool) {
	const few = 5
	if len(names) < few {
		return 0, "", false
	}
	best := 0
	for _, st := range styles {
		n := 0
		for _, name := range names {
			if styleOf(name)&st.is != 0 {
				n++
			}
		}
		if n > best {
			best, is, called = n, st.is, st.name
		}
	}
	return is, called, best*10 >= len(names)*9
}

func tableStyles(p *pass) {
	names := make([]string, len(p.tables))
	for i, t := range p.tables {
		names[i] = t.Name
	}
	is, called, ok := mostly(names)
	for _, t := range p.tables {
		if ok && p.wants(t) && styleOf(t.Name)&is == 0 && plainName().MatchString(t.Name) {
			p.say(t, subject{}, "Table %s is not in %s, as the others are", p.nameOf(t), called)
		}
	}
}

func columnStyles(p *pass) {
	var names []string
	for _, t := range p.tables {
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
	}
	is, called, ok := mostly(names)
	if !ok {
		return
	}
	for _, t := range p.tables {
		var odd []string
		for _, c := range t.Columns {
			if styleOf(c.Name)&is == 0 && plainName().MatchString(c.Name) {
				odd = append(odd, c.Name)
			}
		}
		if len(odd) > 0 && p.wants(t) {
			p.say(t, subject{column: firstOf(odd)}, "Columns %s of %s are not in %s, as the others are", listed(odd), p.nameOf(t), called)
		}
	}
}

// mixedPlural goes by the ending of a name's last word.
func mixedPlural(p *pass) {
	plural := func(t *designer.Table) bool {
		words := wordsOf(t.Name)
		return len(words) > 0 && singular(words[len(words)-1]) != words[len(words)-1]
	}
	n := 0
	for _, t := range p.tables {
		if plural(t) {
			n++
		}
	}
	most, word := n*2 > len(p.tables), "no plural"
	if !most {
		n, word = len(p.tables)-n, "a plural"
	}
	if len(p.tables) < 5 || n*5 < len(p.tables)*4 {
		return
	}
	for _, t := range slices.DeleteFunc(slices.Clone(p.tables), func(t *designer.Table) bool { return plural(t) == most }) {
		if p.wants(t) {
			p.say(t, subject{}, "The name of table %s is %s, unlike most", p.nameOf(t), word)
		}
	}
}
