package mysql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

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

// The parts of a table by names, one by one.

func nameByID(t *designer.Table, id designer.ID) string {
	if c := columnByID(t, id); c != nil {
		return c.Name
	}
	return ""
}

func keyDefinition(t *designer.Table) designer.KeyDefinition {
	d := designer.KeyDefinition{Options: t.PrimaryKey.Options}
	for _, id := range t.PrimaryKey.Columns {
		d.Columns = append(d.Columns, nameByID(t, id))
	}
	return d
}

func indexDefinition(t *designer.Table, x designer.Index) designer.IndexDefinition {
	d := designer.IndexDefinition{Name: x.Name, Unique: x.Unique, Method: x.Method, Options: x.Options}
	for _, p := range x.Parts {
		d.Parts = append(d.Parts, designer.IndexKeyDefinition{Column: nameByID(t, p.Column), Expression: p.Expression,
			Descending: p.Descending, Length: p.Length})
	}
	return d
}

func checkDefinition(k designer.Check) designer.CheckDefinition {
	return designer.CheckDefinition{Name: k.Name, Expression: k.Expression, Options: k.Options}
}
