package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lazyregexp"
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
var plainDefault = lazyregexp.New(`(?i)^([+-]?[0-9.]+(e[+-]?[0-9]+)?|0x[0-9a-f]+|[bx]'[0-9a-f]*'|null|true|false|` +
	`(current_timestamp|now|localtime|localtimestamp)(\([0-6]?\))?)$`)

func defaultClause(text string) string {
	_, quoted := unquote(text)
	if quoted || plainDefault().MatchString(text) || enclosed(text) {
		return text
	}
	return "(" + text + ")"
}
