package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// createTable writes a table with its primary key, unique constraints and
// checks. Indexes and foreign keys are statements of their own; so are checks
// that are not in force as CREATE TABLE would have them.
func createTable(t designer.TableDefinition) string {
	lines := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		lines = append(lines, columnText(c))
	}
	if from, to := period(t); from != "" && to != "" {
		lines = append(lines, "PERIOD FOR SYSTEM_TIME ("+quote(from)+", "+quote(to)+")")
	}
	lines = append(lines, constraintTexts(t)...)
	return "CREATE TABLE " + qualified(t.Schema, t.Name) + " (\n    " + strings.Join(lines, ",\n    ") + "\n)" + tableSuffix(t)
}

// createTableType writes a table type, whose parts have no names.
func createTableType(t designer.TableDefinition) string {
	var lines []string
	for _, c := range t.Columns {
		delete(c.Options, OptionDefaultName)
		lines = append(lines, columnText(c))
	}
	if t.PrimaryKey != nil {
		t.PrimaryKey.Name = ""
	}
	for i := range t.Checks {
		t.Checks[i].Name = ""
	}
	for i := range t.Indexes {
		if t.Indexes[i].Constraint {
			t.Indexes[i].Name = ""
		}
	}
	lines = append(lines, constraintTexts(t)...)
	for _, x := range t.Indexes {
		if !x.Constraint {
			lines = append(lines, "INDEX "+quote(x.Name)+unique(x.Unique)+clusterText(x.Options, false)+" "+keyList(x))
		}
	}
	return "CREATE TYPE " + qualified(t.Schema, t.Name) + " AS TABLE (\n    " + strings.Join(lines, ",\n    ") + "\n)"
}

func constraintTexts(t designer.TableDefinition) []string {
	var lines []string
	if t.PrimaryKey != nil {
		lines = append(lines, primaryKeyText(beside(*t.PrimaryKey, t.Indexes)))
	}
	for _, x := range t.Indexes {
		if x.Constraint {
			lines = append(lines, uniqueText(x))
		}
	}
	for _, k := range t.Checks {
		if inForce(k.Options) {
			lines = append(lines, checkText(k))
		}
	}
	return lines
}

// inForce reports whether a constraint holds for all rows, as one does that is
// simply added.
func inForce(o map[string]string) bool {
	return o[OptionDisabled] == "" && o[OptionNotTrusted] == ""
}

// period returns the columns of a table's period, "" if it has none.
func period(t designer.TableDefinition) (from, to string) {
	for _, c := range t.Columns {
		switch c.Options[OptionGenerated] {
		case "row start":
			from = c.Name
		case "row end":
			to = c.Name
		}
	}
	return from, to
}

func tableSuffix(t designer.TableDefinition) string {
	var options []string
	if h := t.Options[OptionVersioning]; h != "" {
		options = append(options, "SYSTEM_VERSIONING = ON (HISTORY_TABLE = "+h+")")
	}
	if c := t.Options[OptionCompression]; c != "" {
		options = append(options, "DATA_COMPRESSION = "+strings.ToUpper(c))
	}
	if len(options) == 0 {
		return ""
	}
	return " WITH (" + strings.Join(options, ", ") + ")"
}

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
	add(o[OptionMasked] != "", "MASKED WITH (FUNCTION = '"+strings.ReplaceAll(o[OptionMasked], "'", "''")+"')")
	if c.IsIdentity {
		words = append(words, fmt.Sprintf("IDENTITY(%d,%d)", c.IdentitySeed, c.IdentityIncrement))
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
