package lint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func typeRules() []Rule {
	postgres, mysql, mssql, sqlite := []string{"postgres"}, []string{"mysql"}, []string{"mssql"}, []string{"sqlite"}
	return []Rule{
		{ID: rule.InconsistentType, Severity: Info, design: inconsistentType,
			Says: "a column has another type than the columns of its name in most other tables", Why: "values do not move, and joins convert",
			Peers: "azimutt attribute-type-inconsistent"},
		{ID: rule.FloatMoney, Severity: Warning, table: floatMoney,
			Says: "a column that is called as an amount of money is a float", Why: "a float has no exact tenth: sums drift by cents"},
		{ID: rule.MoneyType, Severity: Info, Dialects: []string{"postgres", "mssql"}, table: each(moneyType),
			Says: "a column is of the type money", Why: "PostgreSQL's goes by a setting of the server for its currency; SQL Server's rounds to four digits in the middle of a division"},
		{ID: rule.TimestampNoZone, Severity: Info, Dialects: postgres, table: together("timestamp without time zone", designer.KindTimestamp),
			Says: "a timestamp has no time zone", Why: "which moment it means depends on who reads it; timestamptz costs no byte more"},
		{ID: rule.TimestampRange, Severity: Info, Dialects: mysql, table: together("timestamp, which ends in 2038", designer.KindTimestampTZ),
			Says: "a column is of the type timestamp", Why: "it ends in 2038 (MariaDB from 11.5: 2106); datetime does not"},
		{ID: rule.TextForTime, Severity: Info, Dialects: noSQLite, table: each(textForTime),
			Says: "a column that is called as a date or a time is text", Why: "it sorts and compares as text, and takes what is no date",
			Peers: "azimutt attribute-type-bad"},
		{ID: rule.TimeWithZone, Severity: Info, Dialects: postgres, table: each(timeWithZone),
			Says: "a column is of the type timetz", Why: "a time of day without its date has no offset that means anything"},
		{ID: rule.LegacyType, Severity: Info, Dialects: mssql, table: legacyType, Edit: "the type becomes varchar(max), nvarchar(max) or varbinary(max)",
			Says: "a column is of a type that is kept for old databases", Why: "text, ntext and image are to go; varchar(max), nvarchar(max) and varbinary(max) stay"},
		{ID: rule.JSONNotJSONB, Severity: Info, Dialects: postgres, table: each(jsonNotJSONB),
			Says: "a column is json and not jsonb", Why: "it is text that is read again each time, and cannot be indexed or compared"},
		{ID: rule.PaddedChar, Severity: Info, Dialects: postgres, table: each(paddedChar),
			Says: "a column is char(n)", Why: "it is padded with blanks and no faster than text"},
		{ID: rule.SerialColumn, Severity: Info, Off: true, Dialects: postgres, table: each(serialColumn),
			Says: "a column numbers itself by serial and not as an identity", Why: "its sequence has rights and an owner of its own"},
		{ID: rule.ThreeByteText, Severity: Info, Dialects: mysql, table: threeByteText,
			Says: "text is stored in utf8 of three bytes", Why: "it has no room for emoji and many names; utf8mb4 has"},
		{ID: rule.UntypedColumn, Severity: Info, Dialects: sqlite, table: each(untyped),
			Says: "a column has no type", Why: "the number 1 and the text 1 are two values there",
			Peers: "drawdb empty_field_type"},
		{ID: rule.MisleadingType, Severity: Warning, Dialects: sqlite, table: misleading,
			Says: "a type's name makes SQLite store something else than it says", Why: "STRING is a number to it, so that 007 becomes 7; POINT and INTERVAL have INT in them"},
	}
}

// each makes a rule of a table of one of a column: a sentence where it applies,
// "" where not.
func each(find func(p *pass, c designer.Column) string) func(p *pass, t *designer.Table) {
	return func(p *pass, t *designer.Table) {
		for _, c := range t.Columns {
			if c.IsComputed {
				continue
			}
			if text := find(p, c); text != "" {
				p.say(t, column(c), "%s.%s %s", p.nameOf(t), clip.Name(c.Name), text)
			}
		}
	}
}

// together makes a rule of a table of a kind of column that tables rarely have
// only one of: one sentence for all of them.
func together(what string, kind designer.TypeKind) func(p *pass, t *designer.Table) {
	return func(p *pass, t *designer.Table) {
		var names []string
		for _, c := range t.Columns {
			if p.kind(c) == kind && !c.IsComputed {
				names = append(names, c.Name)
			}
		}
		switch len(names) {
		case 0:
		case 1:
			p.say(t, subject{column: names[0]}, "Column %s of %s is a %s", clip.Name(names[0]), p.nameOf(t), what)
		default:
			p.say(t, subject{}, "Columns %s of %s are each a %s", listed(names), p.nameOf(t), what)
		}
	}
}

// moneyWords are words of a column's name that say that it is an amount.
var moneyWords = words("price amount cost total subtotal balance salary wage fee fees tax vat discount payment revenue profit budget invoice refund deposit money")

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

func floatMoney(p *pass, t *designer.Table) {
	for _, c := range t.Columns {
		kind := p.kind(c)
		if kind != designer.KindFloat32 && kind != designer.KindFloat64 {
			continue
		}
		all := wordsOf(c.Name)
		if slices.ContainsFunc(all, func(w string) bool { return moneyWords[w] }) && !slices.ContainsFunc(all, func(w string) bool {
			return w == "rate" || w == "percent" || w == "pct" || w == "ratio" || w == "count" || w == "percentage" || w == "time" || w == "seconds" || w == "ms"
		}) {
			p.say(t, column(c), "%s.%s is %s: an amount of money in a float loses cents", p.nameOf(t), clip.Name(c.Name), clip.Name(c.DataType))
		}
	}
}

func moneyType(p *pass, c designer.Column) string {
	if p.kind(c) == designer.KindMoney {
		return "is " + clip.Name(c.DataType) + "; a decimal says its digits"
	}
	return ""
}

func textForTime(p *pass, c designer.Column) string {
	all := wordsOf(c.Name)
	if len(all) == 0 || !p.isText(c) {
		return ""
	}
	switch last := all[len(all)-1]; {
	case last == "date", last == "datetime", last == "timestamp", last == "at" && len(all) == 2 && strings.HasSuffix(all[0], "ed"):
		return "is " + clip.Name(p.d.TypeText(c)) + " and is called as a time"
	}
	return ""
}

func timeWithZone(p *pass, c designer.Column) string {
	if p.kind(c) == designer.KindTimeTZ {
		return "is a time of day with an offset"
	}
	return ""
}

// stays are the types that took the place of those kept for old databases.
var stays = map[string]string{"text": "varchar(max)", "ntext": "nvarchar(max)", "image": "varbinary(max)"}

func legacyType(p *pass, t *designer.Table) {
	for _, c := range t.Columns {
		info := p.info(c)
		if info == nil || !info.Legacy || c.IsComputed {
			continue
		}
		about := column(c)
		if to, ok := stays[info.Name]; ok {
			about = about.with(p.retype(t, c, to))
		}
		p.say(t, about, "%s.%s is %s, a type that is kept for old databases", p.nameOf(t), clip.Name(c.Name), clip.Name(info.Name))
	}
}

func jsonNotJSONB(p *pass, c designer.Column) string {
	if info := p.info(c); info != nil && info.Name == "json" {
		return "is json, not jsonb"
	}
	return ""
}

func paddedChar(p *pass, c designer.Column) string {
	if p.kind(c) == designer.KindChar && c.MaxLength != "" && c.MaxLength != "1" {
		return "is " + clip.Name(p.d.TypeText(c)) + ", padded with blanks"
	}
	return ""
}

func serialColumn(_ *pass, c designer.Column) string {
	if c.IsIdentity && c.Options["identity"] == "serial" {
		return "is a serial"
	}
	return ""
}

func threeByteText(p *pass, t *designer.Table) {
	narrow := func(collation string) bool {
		return strings.HasPrefix(collation, "utf8_") || strings.HasPrefix(collation, "utf8mb3_")
	}
	if narrow(t.Options["collation"]) {
		p.say(t, subject{}, "Text of %s is utf8 of three bytes (%s)", p.nameOf(t), clip.Name(t.Options["collation"]))
		return
	}
	var names []string
	for _, c := range t.Columns {
		if narrow(c.Collation) {
			names = append(names, c.Name)
		}
	}
	if len(names) > 0 {
		p.say(t, subject{column: firstOf(names)}, "Columns %s of %s are utf8 of three bytes", listed(names), p.nameOf(t))
	}
}

func untyped(_ *pass, c designer.Column) string {
	if c.DataType == "" {
		return "has no type"
	}
	return ""
}

func misleading(p *pass, t *designer.Table) {
	if t.Options["strict"] != "" {
		return
	}
	for _, c := range t.Columns {
		switch name := strings.ToUpper(c.DataType); {
		case strings.Contains(name, "CHAR"), strings.Contains(name, "TEXT"), strings.Contains(name, "CLOB"):
		case strings.Contains(name, "POINT"), strings.Contains(name, "INTERVAL"):
			p.say(t, column(c), "%s.%s is %s, which SQLite reads as INTEGER", p.nameOf(t), clip.Name(c.Name), clip.Name(c.DataType))
		case strings.Contains(name, "STRING"):
			p.say(t, column(c), "%s.%s is %s, which SQLite reads as NUMERIC: 007 becomes 7", p.nameOf(t), clip.Name(c.Name), clip.Name(c.DataType))
		}
	}
}

// use is a type that columns of one name have.
type use struct {
	text   string
	tables []*designer.Table
}

// inconsistentType looks at names that at least four tables have, of which
// three quarters agree: then the others are exceptions, not another custom.
// Of a column in a foreign key foreign-key-type speaks, and the own keys of
// two tables never meet, though both be called id.
func inconsistentType(p *pass) {
	keys := map[string]int{} // by name: tables of which that column is the key
	byName := map[string]map[string]*use{}
	for _, t := range p.tables {
		for _, c := range t.Columns {
			name := designer.Fold(c.Name)
			if isOwnKey(t, c.ID) {
				keys[name]++
			}
			if byName[name] == nil {
				byName[name] = map[string]*use{}
			}
			text := p.coarse(c)
			if byName[name][text] == nil {
				byName[name][text] = &use{text: text}
			}
			byName[name][text].tables = append(byName[name][text].tables, t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all := slices.SortedFunc(maps.Values(byName[name]), func(a, b *use) int {
			return cmp.Or(cmp.Compare(len(b.tables), len(a.tables)), cmp.Compare(a.text, b.text))
		})
		total := 0
		for _, u := range all {
			total += len(u.tables)
		}
		if len(all) < 2 || total < 4 || len(all[0].tables)*4 < total*3 {
			continue
		}
		p.sayOdd(name, all, keys[name] > 1)
	}
}

// isOwnKey reports whether a column alone is the primary key of its table, and
// refers to no other.
func isOwnKey(t *designer.Table, id designer.ID) bool {
	return t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1 && inKey(t, id) && !inForeignKey(t, id)
}

func (p *pass) sayOdd(name string, all []*use, keyName bool) {
	for _, odd := range all[1:] {
		for _, t := range odd.tables {
			if !p.wants(t) {
				continue
			}
			at := slices.IndexFunc(t.Columns, func(c designer.Column) bool { return designer.Fold(c.Name) == name && p.coarse(c) == odd.text })
			if id := t.Columns[at].ID; inForeignKey(t, id) || keyName && isOwnKey(t, id) {
				continue
			}
			p.say(t, column(t.Columns[at]), "%s.%s is %s; in %d other tables it is %s", p.nameOf(t), clip.Name(t.Columns[at].Name), clip.Name(odd.text),
				len(all[0].tables), clip.Name(all[0].text))
		}
	}
}

// coarse is a column's type by which columns of one name are compared: any text
// is like any other.
func (p *pass) coarse(c designer.Column) string {
	info := p.info(c)
	switch {
	case info == nil:
		return strings.ToLower(c.DataType)
	case p.isText(c):
		return "text"
	case p.d.Name == "sqlite":
		return info.Family
	}
	return info.Name
}
