package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// columnText writes a column as CREATE TABLE and ADD take it, with its
// default.
func columnText(c designer.Column) string {
	if c.IsComputed {
		return computedText(c)
	}
	words := []string{quote(c.Name), typeText(c)}
	add := func(when bool, text string) {
		if when {
			words = append(words, text)
		}
	}
	o := c.Options
	if o[OptionColumnSet] != "" {
		return strings.Join(append(words, "COLUMN_SET FOR ALL_SPARSE_COLUMNS"), " ")
	}
	add(c.Collation != "", "COLLATE "+c.Collation)
	add(o[OptionSparse] != "", "SPARSE")
	add(o[OptionMasked] != "", maskText(c))
	if c.IsIdentity {
		words = append(words, identityText(c))
		add(o[OptionNotForReplication] != "", "NOT FOR REPLICATION")
	}
	if g := o[OptionGenerated]; g != "" {
		words = append(words, "GENERATED ALWAYS AS "+strings.ToUpper(g))
		add(o[OptionHidden] != "", "HIDDEN")
	}
	words = append(words, nullability(c.IsNullable))
	add(o[OptionRowGUID] != "", "ROWGUIDCOL")
	add(c.DefaultValue != "", defaultText(c))
	return strings.Join(words, " ")
}

// identityText writes what a column counts from and by; where that is not known
// it is left to the server, and the caller says so.
func identityText(c designer.Column) string {
	switch o := c.Options[OptionIdentity]; o {
	case "":
		return fmt.Sprintf("IDENTITY(%d,%d)", c.IdentitySeed, c.IdentityIncrement)
	case identityUnknown:
		return "IDENTITY"
	default:
		return "IDENTITY(" + o + ")"
	}
}

func maskText(c designer.Column) string {
	return "MASKED WITH (FUNCTION = '" + strings.ReplaceAll(c.Options[OptionMasked], "'", "''") + "')"
}

func computedText(c designer.Column) string {
	text := quote(c.Name) + " AS " + wrap(c.ComputedFormula)
	if c.ComputedPersisted {
		text += " PERSISTED"
		if !c.IsNullable {
			text += " NOT NULL"
		}
	}
	return text
}

// wrap puts an expression into parentheses.
func wrap(expression string) string { return "(" + unwrap(expression) + ")" }

func defaultText(c designer.Column) string {
	return constraintName(c.Options[OptionDefaultName]) + "DEFAULT " + wrap(c.DefaultValue)
}

// constraintName writes the beginning of a constraint; one without a name
// gets one from the server.
func constraintName(name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + quote(name) + " "
}
