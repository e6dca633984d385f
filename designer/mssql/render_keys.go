package mssql

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

func primaryKeyText(k designer.KeyDefinition) string {
	descending := strings.Split(k.Options[OptionDescending], ",")
	keys := make([]string, len(k.Columns))
	for i, c := range k.Columns {
		keys[i] = quote(c)
		if slices.Contains(descending, strconv.Itoa(i+1)) {
			keys[i] += " DESC"
		}
	}
	// Whether it is clustered is left to the server where the design does not
	// say: another index of the table may be the clustered one.
	text := constraintName(k.Name) + "PRIMARY KEY"
	if k.Options[OptionClustered] == "false" {
		text += " NONCLUSTERED"
	}
	return text + " (" + strings.Join(keys, ", ") + ")" + indexOptionText(k.Options)
}

func uniqueText(x designer.IndexDefinition) string {
	return constraintName(x.Name) + "UNIQUE" + clusterText(x.Options, true) + " " + keyList(x) + indexOptionText(x.Options)
}

// beside returns a primary key as it has to be written for a table with the
// indexes: where one of them is clustered the key cannot be.
func beside(k designer.KeyDefinition, indexes []designer.IndexDefinition) designer.KeyDefinition {
	for _, x := range indexes {
		if x.Options[OptionClustered] == "true" {
			k.Options = maps.Clone(k.Options)
			k.Options = with(k.Options, OptionClustered, "false")
		}
	}
	return k
}

// clusterText says how an index is kept; where spell is false only what is
// not the rule.
func clusterText(o map[string]string, spell bool) string {
	switch {
	case o[OptionClustered] == "true":
		return " CLUSTERED"
	case spell:
		return " NONCLUSTERED"
	}
	return ""
}

func unique(is bool) string {
	if is {
		return " UNIQUE"
	}
	return ""
}

// keyList writes the keys of an index.
func keyList(x designer.IndexDefinition) string {
	keys := make([]string, len(x.Parts))
	for i, p := range x.Parts {
		keys[i] = quote(p.Column)
		if p.Descending {
			keys[i] += " DESC"
		}
	}
	return "(" + strings.Join(keys, ", ") + ")"
}

func nameList(list []string) string {
	quoted := make([]string, len(list))
	for i, n := range list {
		quoted[i] = quote(n)
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}

func indexOptionText(o map[string]string) string {
	var words []string
	if o[OptionPadIndex] != "" {
		words = append(words, "PAD_INDEX = ON")
	}
	if f := o[OptionFillFactor]; f != "" {
		words = append(words, "FILLFACTOR = "+f)
	}
	if o[OptionIgnoreDup] != "" {
		words = append(words, "IGNORE_DUP_KEY = ON")
	}
	if c := o[OptionCompression]; c != "" {
		words = append(words, "DATA_COMPRESSION = "+strings.ToUpper(c))
	}
	if len(words) == 0 {
		return ""
	}
	return " WITH (" + strings.Join(words, ", ") + ")"
}

// createIndex writes an index on a table or view, which is quoted.
func createIndex(on string, x designer.IndexDefinition) string {
	name := quote(x.Name) + " ON " + on
	text := ""
	switch x.Method {
	case MethodColumnstore:
		text = "CREATE" + clusterText(x.Options, true) + " COLUMNSTORE INDEX " + name
		if len(x.Parts) > 0 {
			text += " " + keyList(x)
		}
	case MethodXML:
		text = "CREATE PRIMARY XML INDEX " + name + " " + keyList(x)
		if p := x.Options[OptionPrimaryXML]; p != "" {
			text = "CREATE XML INDEX " + name + " " + keyList(x) + " USING XML INDEX " + quote(p) +
				" FOR " + strings.ToUpper(x.Options[OptionSecondaryXML])
		}
	case MethodSpatial:
		text = "CREATE SPATIAL INDEX " + name + " " + keyList(x)
	default:
		text = "CREATE" + unique(x.Unique) + clusterText(x.Options, true) + " INDEX " + name + " " + keyList(x)
	}
	if len(x.Include) > 0 {
		text += " INCLUDE " + nameList(x.Include)
	}
	if x.Where != "" {
		text += " WHERE " + wrap(x.Where)
	}
	return text + indexOptionText(x.Options)
}

// disableIndex follows the making of an index that is not kept up.
func disableIndex(on string, x designer.IndexDefinition) string {
	return "ALTER INDEX " + quote(x.Name) + " ON " + on + " DISABLE"
}

func checkText(k designer.CheckDefinition) string {
	return constraintName(k.Name) + "CHECK" + replication(k.Options) + " " + wrap(k.Expression)
}

func replication(o map[string]string) string {
	if o[OptionNotForReplication] == "" {
		return ""
	}
	return " NOT FOR REPLICATION"
}

func foreignKeyText(k designer.ForeignKeyDefinition) string {
	from, to := make([]string, len(k.Mappings)), make([]string, len(k.Mappings))
	for i, m := range k.Mappings {
		from[i], to[i] = m.Column, m.ReferencedColumn
	}
	text := constraintName(k.Name) + "FOREIGN KEY " + nameList(from) + " REFERENCES " +
		qualified(k.ReferencedTable.Schema, k.ReferencedTable.Name) + " " + nameList(to)
	text += actionText(" ON DELETE ", k.OnDelete) + actionText(" ON UPDATE ", k.OnUpdate)
	return text + replication(k.Options)
}

func actionText(event string, a designer.Action) string {
	switch a {
	case designer.Cascade:
		return event + "CASCADE"
	case designer.SetNull:
		return event + "SET NULL"
	case designer.SetDefault:
		return event + "SET DEFAULT"
	}
	return ""
}

// addConstraint adds a check or foreign key; the rows that are there are
// looked at only where they were before.
func addConstraint(on, text string, o map[string]string) string {
	check := ""
	if !inForce(o) {
		check = "WITH NOCHECK "
	}
	return "ALTER TABLE " + on + " " + check + "ADD " + text
}
