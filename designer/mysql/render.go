package mysql

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// columnClause renders a column whole: what it leaves out, a MODIFY would
// take away.
func columnClause(c designer.Column) string {
	parts := []string{quoteName(c.Name), typeOf(c)}
	add := func(text string) { parts = append(parts, text) }
	if c.Collation != "" {
		add("COLLATE " + c.Collation)
	}
	if c.IsComputed {
		add(generatedClause(c))
	}
	switch {
	case c.IsComputed && (c.IsNullable || rowTime(c)): // MariaDB takes neither word there
	case !c.IsNullable:
		add("NOT NULL")
	case strings.EqualFold(c.DataType, "timestamp"):
		add("NULL") // without it an older server makes it NOT NULL
	}
	if c.Options[OptionSRID] != "" {
		add("SRID " + c.Options[OptionSRID])
	}
	if c.Options[OptionInvisible] != "" {
		add("INVISIBLE")
	}
	if c.DefaultValue != "" {
		add("DEFAULT " + defaultClause(c.DefaultValue))
	}
	if on := c.Options[OptionOnUpdate]; on != "" {
		add("ON UPDATE " + on)
	}
	if c.IsIdentity {
		add("AUTO_INCREMENT")
	}
	if c.Options[OptionUnversioned] != "" {
		add("WITHOUT SYSTEM VERSIONING")
	}
	if c.Comment != "" {
		add("COMMENT " + quoteString(c.Comment))
	}
	if check := c.Options[OptionCheck]; check != "" {
		add("CHECK (" + check + ")")
	}
	return strings.Join(parts, " ")
}

func generatedClause(c designer.Column) string {
	switch {
	case rowTime(c):
		return "GENERATED ALWAYS AS " + c.ComputedFormula
	case c.ComputedPersisted:
		return "GENERATED ALWAYS AS (" + c.ComputedFormula + ") STORED"
	}
	return "GENERATED ALWAYS AS (" + c.ComputedFormula + ") VIRTUAL"
}

// rowTime reports whether the column holds since or until when a row of a
// versioned table is valid.
func rowTime(c designer.Column) bool {
	return c.IsComputed && (c.ComputedFormula == "ROW START" || c.ComputedFormula == "ROW END")
}

// plainDefault is what may stand after DEFAULT without parentheses on every
// server; it is never modified.
var plainDefault = regexp.MustCompile(`(?i)^([+-]?[0-9.]+(e[+-]?[0-9]+)?|0x[0-9a-f]+|[bx]'[0-9a-f]*'|null|true|false|` +
	`(current_timestamp|now|localtime|localtimestamp)(\([0-6]?\))?)$`)

func defaultClause(text string) string {
	_, quoted := unquote(text)
	if quoted || plainDefault.MatchString(text) || enclosed(text) {
		return text
	}
	return "(" + text + ")"
}

// keyParts renders the columns of an index.
func keyParts(parts []designer.IndexKeyDefinition) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = quoteName(p.Column)
		if p.Column == "" {
			texts[i] = "(" + p.Expression + ")"
		}
		if p.Length > 0 {
			texts[i] += "(" + itoa(p.Length) + ")"
		}
		if p.Descending {
			texts[i] += " DESC"
		}
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func primaryKeyClause(k designer.KeyDefinition) string {
	lengths, order := listOption(k, OptionLengths), listOption(k, OptionOrder)
	parts := make([]designer.IndexKeyDefinition, len(k.Columns))
	for i, name := range k.Columns {
		parts[i] = designer.IndexKeyDefinition{Column: name, Length: argument(lengths, i),
			Descending: i < len(order) && order[i] == "desc"}
	}
	return "PRIMARY KEY " + keyParts(parts) + indexTail("", k.Options)
}

// listOption is an option with a value for each column of the key, nil where
// it is of another number of columns.
func listOption(k designer.KeyDefinition, key string) []string {
	if list := strings.Split(k.Options[key], ","); len(list) == len(k.Columns) {
		return list
	}
	return nil
}

// indexClause renders an index as CREATE TABLE and ADD take it.
func indexClause(x designer.IndexDefinition) string {
	kind, using := "KEY ", ""
	switch x.Method {
	case methodFullText:
		kind = "FULLTEXT KEY "
	case methodSpatial:
		kind = "SPATIAL KEY "
	default:
		using = x.Method
		if x.Unique {
			kind = "UNIQUE KEY "
		}
	}
	return kind + quoteName(x.Name) + " " + keyParts(x.Parts) + indexTail(using, x.Options)
}

func indexTail(using string, options map[string]string) string {
	text := ""
	if using != "" {
		text += " USING " + strings.ToUpper(using)
	}
	if c := options[OptionComment]; c != "" {
		text += " COMMENT " + quoteString(c)
	}
	if options[OptionIgnored] != "" {
		text += " IGNORED"
	}
	if options[OptionInvisible] != "" {
		text += " INVISIBLE"
	}
	return text
}

// foreignKeyClause renders a key; own is the schema that needs no name.
func foreignKeyClause(k designer.ForeignKeyDefinition, own string) string {
	columns, referenced := make([]string, len(k.Mappings)), make([]string, len(k.Mappings))
	for i, m := range k.Mappings {
		columns[i], referenced[i] = m.Column, m.ReferencedColumn
	}
	target := quoteName(k.ReferencedTable.Name)
	if s := k.ReferencedTable.Schema; s != "" && s != own {
		target = quoteName(s) + "." + target
	}
	return constraint(k.Name) + "FOREIGN KEY (" + quoteNames(columns) + ") REFERENCES " + target + " (" + quoteNames(referenced) + ")" +
		" ON DELETE " + actionWords(k.OnDelete) + " ON UPDATE " + actionWords(k.OnUpdate)
}

func actionWords(a designer.Action) string {
	if a == "" {
		a = designer.NoAction
	}
	return strings.ToUpper(strings.ReplaceAll(string(a), "_", " "))
}

func checkClause(k designer.CheckDefinition) string {
	text := constraint(k.Name) + "CHECK (" + k.Expression + ")"
	if k.Options[OptionNotEnforced] != "" {
		text += " NOT ENFORCED"
	}
	return text
}

func constraint(name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + quoteName(name) + " "
}

// tableOptions renders what stands behind the parentheses of CREATE TABLE,
// without partitions.
func tableOptions(t designer.TableDefinition) string {
	parts := []string{"ENGINE=" + engineOf(t)}
	if c := t.Options[OptionCollation]; c != "" {
		parts = append(parts, "COLLATE="+c)
	}
	parts = append(parts, ownOptions(t.Options)...)
	if t.Comment != "" {
		parts = append(parts, "COMMENT="+quoteString(t.Comment))
	}
	if t.Options[OptionVersioned] != "" {
		parts = append(parts, "WITH SYSTEM VERSIONING")
	}
	return strings.Join(parts, " ")
}

func engineOf(t designer.TableDefinition) string {
	if e := t.Options[OptionEngine]; e != "" {
		return e
	}
	return "InnoDB"
}

// ownOptions renders the options that a table has under their own names.
func ownOptions(options map[string]string) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(options)) {
		switch key {
		case OptionEngine, OptionCollation, OptionVersioned, OptionPartitionBy:
		default:
			out = append(out, optionName(key)+"="+options[key])
		}
	}
	return out
}

// optionName writes a table option: those of the server bare, those of an
// engine in quotes, which MariaDB takes for both where it has to.
func optionName(key string) string {
	if !sqltext.MySQL().IsPlain(key) {
		return quoteName(key)
	}
	return strings.ToUpper(key)
}
