package mysql

import (
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// createTable renders a table with those of its foreign keys that are wanted;
// own is the schema that needs no name.
func createTable(t designer.TableDefinition, own string, wanted func(designer.ForeignKeyDefinition) bool) string {
	var lines []string
	for _, c := range t.Columns {
		lines = append(lines, columnClause(c))
	}
	if t.PrimaryKey != nil {
		lines = append(lines, primaryKeyClause(*t.PrimaryKey))
	}
	for _, x := range t.Indexes {
		lines = append(lines, indexClause(x))
	}
	for _, k := range t.ForeignKeys {
		if wanted(k) {
			lines = append(lines, foreignKeyClause(k, own))
		}
	}
	for _, k := range t.Checks {
		lines = append(lines, checkClause(k))
	}
	if p := periodClause(t); p != "" {
		lines = append(lines, p)
	}
	text := "CREATE TABLE " + quoteName(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n) " + tableOptions(t)
	if p := t.Options[OptionPartitionBy]; p != "" {
		text += "\nPARTITION BY " + p
	}
	return text
}

// periodClause names the columns that say when a row of a versioned table is
// valid, "" where the server keeps them out of sight.
func periodClause(t designer.TableDefinition) string {
	var since, until string
	for _, c := range t.Columns {
		if rowTime(c) && c.ComputedFormula == "ROW START" {
			since = c.Name
		} else if rowTime(c) {
			until = c.Name
		}
	}
	if since == "" || until == "" {
		return ""
	}
	return "PERIOD FOR SYSTEM_TIME (" + quoteNames([]string{since, until}) + ")"
}

func itoa(n int) string { return strconv.Itoa(n) }

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

func constraint(name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + quoteName(name) + " "
}
