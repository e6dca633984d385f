package lint

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lazyregexp"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func valueRules() []Rule {
	return []Rule{
		{ID: rule.BadDefault, Severity: Warning, table: badDefault,
			Says: "the default of a number is a text that is none", Why: "the insert that relies on it fails, or stores the text",
			Peers: "drawdb default_doesnt_match_type"},
		{ID: rule.NullDefault, Severity: Warning, Dialects: []string{"sqlite", "postgres", "mssql"}, table: nullDefault, Edit: "the default is removed, which changes nothing but the error",
			Says: "the default of a required column is NULL", Why: "it reads as if there were one",
			Peers: "drawdb not_null_is_null"},
		{ID: rule.EnumWithoutValues, Severity: Error, Dialects: []string{"postgres"}, design: enumWithoutValues,
			Says: "an enum has no values", Why: "no row can have a column of it but with NULL",
			Peers: "drawdb no_values_for_field, enum_w_no_values, type_w_no_fields"},
		{ID: rule.UnusedType, Severity: Info, Dialects: []string{"postgres"}, design: unusedType, Edit: "the type is dropped",
			Says: "no column has an enum or domain of the database", Why: "it is left from something, or was never used"},
	}
}

// numbers are the kinds whose defaults are numbers.
var numbers = map[designer.TypeKind]bool{
	designer.KindInt8: true, designer.KindUint8: true, designer.KindInt16: true, designer.KindUint16: true, designer.KindInt24: true,
	designer.KindInt32: true, designer.KindUint32: true, designer.KindInt64: true, designer.KindUint64: true,
	designer.KindDecimal: true, designer.KindFloat32: true, designer.KindFloat64: true,
}

func badDefault(p *pass, t *designer.Table) {
	for _, c := range t.Columns {
		text, is := literal(c.DefaultValue)
		if !is || !numbers[p.kind(c)] {
			continue
		}
		if _, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil {
			p.say(t, column(c), "%s.%s is %s, and its default is the text %s", p.nameOf(t), clip.Name(c.Name), clip.Name(c.DataType), clip.Quote(text))
		}
	}
}

// literal returns the text of a default that is one string and nothing else,
// with its cast on PostgreSQL.
func literal(expression string) (text string, is bool) {
	e := strings.Trim(strings.TrimSpace(expression), "()")
	if at := strings.LastIndex(e, "'::"); at > 0 {
		e = e[:at+1]
	}
	if len(e) < 2 || e[0] != '\'' || e[len(e)-1] != '\'' || strings.Contains(strings.ReplaceAll(e[1:len(e)-1], "''", ""), "'") {
		return "", false
	}
	return strings.ReplaceAll(e[1:len(e)-1], "''", "'"), true
}

func nullDefault(p *pass, t *designer.Table) {
	for _, c := range t.Columns {
		e := strings.Trim(strings.TrimSpace(c.DefaultValue), "()")
		if at := strings.Index(e, "::"); at > 0 {
			e = e[:at]
		}
		if c.IsNullable || c.IsComputed || !strings.EqualFold(strings.TrimSpace(e), "null") {
			continue
		}
		p.say(t, column(c).with(Edit{Op: designer.SetColumn, Table: p.tableRef(t), Column: &Ref{Name: c.Name}, Set: map[string]any{"defaultValue": ""}}),
			"%s.%s may not be NULL, and that is its default", p.nameOf(t), clip.Name(c.Name))
	}
}

// noValues is how PostgreSQL's dialect writes an enum without values, which is
// a type that edits do not make.
var noValues = lazyregexp.New(`(?i)\sAS ENUM\s*\(\s*\)$`)

func enumWithoutValues(p *pass) {
	for _, o := range p.s.Catalog().Objects {
		if p.opts.Tables == nil && o.Kind == designer.ObjectType && noValues().MatchString(o.Definition) {
			p.say(nil, object(o.Name), "Type %s has no values", clip.Name(o.Name))
		}
	}
}

func unusedType(p *pass) {
	used := map[string]bool{}
	for _, t := range p.tables {
		for _, c := range t.Columns {
			name, _, _ := strings.Cut(c.DataType, "[")
			used[designer.Fold(strings.Trim(name, `"`))] = true
		}
	}
	for _, t := range p.s.NamedTypes() {
		if p.opts.Tables != nil || used[designer.Fold(t.Name)] || used[designer.Fold(t.Schema+"."+t.Name)] || len(t.Uses) > 0 {
			continue
		}
		ref := designer.TableRef{Schema: t.Schema, Name: t.Name}
		p.say(nil, object(t.Name).with(Edit{Op: designer.DropType, Type: &ref}), "No column has the type %s", clip.Name(t.Name))
	}
}
