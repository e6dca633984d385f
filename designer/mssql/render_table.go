package mssql

import (
	"maps"
	"slices"
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

// accepted is a table as the server takes it, and what of t it refuses, each with
// the page that says so. A design may say more than a server: it was read from a
// file, or made for another one.
func accepted(t *designer.Table) (next *designer.Table, problems []string) {
	next = new(designer.Table)
	*next = *t
	problem := func(text string) { problems = append(problems, text) }
	sparse := slices.ContainsFunc(t.Columns, func(c designer.Column) bool { return c.Options[OptionSparse] != "" })
	if sparse && t.Options[OptionCompression] != "" { // "Use sparse columns"
		problem("a table with sparse columns cannot be compressed")
		next.Options = maps.Clone(t.Options)
		delete(next.Options, OptionCompression)
	}
	if !hasClusteredKey(t) {
		next.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(x designer.Index) bool {
			is := x.Method == MethodXML || x.Method == MethodSpatial // "CREATE XML INDEX", "CREATE SPATIAL INDEX"
			if is {
				problem("index " + x.Name + " is of " + x.Method + ", which needs a clustered primary key")
			}
			return is
		})
	}
	next.ForeignKeys = slices.Clone(t.ForeignKeys)
	cascading := map[designer.ID]string{}
	for i := range next.ForeignKeys {
		k := &next.ForeignKeys[i]
		if why := refusedAction(t, k, cascading[k.RefTable]); why != "" {
			problem(why)
			k.OnDelete, k.OnUpdate = designer.NoAction, designer.NoAction
		}
		if k.OnDelete != designer.NoAction || k.OnUpdate != designer.NoAction {
			cascading[k.RefTable] = foreignKeyLabel(k)
		}
	}
	return next, problems
}

// refusedAction says why the server takes no action of a foreign key: errors 1761
// and 1762, and 1785 beside other, a key with actions to the same table.
func refusedAction(t *designer.Table, k *designer.ForeignKey, other string) string {
	acts := k.OnDelete != designer.NoAction || k.OnUpdate != designer.NoAction
	if acts && other != "" {
		return foreignKeyLabel(k) + " has an action as " + other + " has, to the same table"
	}
	for _, m := range k.Mappings {
		i := slices.IndexFunc(t.Columns, func(c designer.Column) bool { return c.ID == m.Column })
		if i < 0 || t.Columns[i].IsNullable {
			continue
		}
		c := t.Columns[i]
		switch {
		case k.OnDelete == designer.SetNull || k.OnUpdate == designer.SetNull:
			return foreignKeyLabel(k) + " would set column " + c.Name + " to NULL, which is NOT NULL"
		case (k.OnDelete == designer.SetDefault || k.OnUpdate == designer.SetDefault) && c.DefaultValue == "":
			return foreignKeyLabel(k) + " would set column " + c.Name + " to its default, and it has none and is NOT NULL"
		}
	}
	return ""
}

func foreignKeyLabel(k *designer.ForeignKey) string {
	if k.Name == "" {
		return "an unnamed foreign key"
	}
	return "foreign key " + k.Name
}

// hasClusteredKey reports whether the primary key of a table is clustered.
func hasClusteredKey(t *designer.Table) bool {
	k := t.PrimaryKey
	return k != nil && k.Options[OptionClustered] != "false" && !slices.ContainsFunc(t.Indexes, func(x designer.Index) bool {
		return x.Options[OptionClustered] == "true"
	})
}
