package mssql

import (
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
		if r := t.Options[OptionRetention]; r != "" {
			h += ", HISTORY_RETENTION_PERIOD = " + r
		}
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
