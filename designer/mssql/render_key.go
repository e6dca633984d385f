package mssql

import (
	"fmt"
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

// clusterText returns how an index is kept; where spell is false only what is
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

// constraintRef describes which constraint of a table is meant: by its name or,
// where the server made that up, by a query for it.
type constraintRef struct {
	kind string // in words
	name string // "": unnamed
	find string // condition on the catalogue, see the find functions
}

// label names the constraint in a comment.
func (r constraintRef) label() string {
	if r.name == "" {
		return "an unnamed " + r.kind
	}
	return r.kind + " " + r.name
}

// alter writes an ALTER TABLE that ends in the constraint's name.
func (r constraintRef) alter(on, verb string) string {
	if r.name != "" {
		return "ALTER TABLE " + on + " " + verb + " " + quote(r.name)
	}
	return "DECLARE @name sysname = (" + r.query(on) + ");\n" +
		"IF @name IS NULL THROW 50000, N'the " + r.kind + " is not there', 1;\n" +
		"DECLARE @statement nvarchar(max) = " + literal("ALTER TABLE "+on+" "+verb+" ") + " + QUOTENAME(@name);\n" +
		"EXEC (@statement)"
}

// query finds the name of an unnamed constraint; there may be more that are
// alike, and any will do.
func (r constraintRef) query(on string) string {
	return fmt.Sprintf("SELECT TOP (1) k.name FROM %s AND k.parent_object_id = OBJECT_ID(%s)", r.find, literal(on))
}

func (r constraintRef) drop(on string) string { return r.alter(on, "DROP CONSTRAINT") }

// The conditions that find unnamed constraints.
const (
	findPrimaryKey = "sys.key_constraints k WHERE k.type = 'PK'"
	systemNamed    = "k.is_system_named = 1"
)

func findDefault(column string) string {
	return "sys.default_constraints k WHERE COL_NAME(k.parent_object_id, k.parent_column_id) = " + literal(column)
}

// findCheck looks for the text that the server put into parentheses.
func findCheck(expression string) string {
	text := unwrap(expression)
	return "sys.check_constraints k WHERE " + systemNamed + " AND k.definition IN (" +
		literal("("+text+")") + ", " + literal("(("+text+"))") + ", " + literal(text) + ")"
}

func findUnique(x designer.IndexDefinition) string {
	var b strings.Builder
	b.WriteString("sys.key_constraints k WHERE k.type = 'UQ' AND " + systemNamed)
	const from = "SELECT %s FROM sys.index_columns c WHERE c.object_id = k.parent_object_id AND c.index_id = k.unique_index_id AND c.key_ordinal"
	fmt.Fprintf(&b, " AND ("+from+" > 0) = %d", "COUNT(*)", len(x.Parts))
	for i, p := range x.Parts {
		fmt.Fprintf(&b, " AND ("+from+" = %d) = %s", "COL_NAME(c.object_id, c.column_id)", i+1, literal(p.Column))
	}
	return b.String()
}

func findForeignKey(k designer.ForeignKeyDefinition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sys.foreign_keys k WHERE %s AND k.referenced_object_id = OBJECT_ID(%s)", systemNamed,
		literal(qualified(k.ReferencedTable.Schema, k.ReferencedTable.Name)))
	const from = "SELECT COUNT(*) FROM sys.foreign_key_columns c WHERE c.constraint_object_id = k.object_id"
	fmt.Fprintf(&b, " AND ("+from+") = %d", len(k.Mappings))
	for _, m := range k.Mappings {
		fmt.Fprintf(&b, " AND EXISTS ("+strings.Replace(from, "COUNT(*)", "1", 1)+
			" AND COL_NAME(c.parent_object_id, c.parent_column_id) = %s AND COL_NAME(c.referenced_object_id, c.referenced_column_id) = %s)",
			literal(m.Column), literal(m.ReferencedColumn))
	}
	return b.String()
}

// constraint is the step that adds a check or foreign key, and the one that
// takes it out of force where it is not.
func (s *steps) constraint(v *tableState, r constraintRef, text string, o map[string]string) {
	risks := []designer.Risk{designer.RiskBlocksWrites}
	if inForce(o) {
		risks = append(risks, designer.RiskMayFail)
	}
	label := r.kind
	if r.name != "" {
		label += " " + r.name
	}
	s.add(designer.Step{Statement: addConstraint(v.on(), text, o), Comment: "Add " + label + " to " + v.label(),
		Reverse: r.drop(v.on()), Risks: risks}, v.table)
	if o[OptionDisabled] != "" {
		s.add(designer.Step{Statement: r.alter(v.on(), "NOCHECK CONSTRAINT"), Comment: "Disable " + label + " of " + v.label(),
			Reverse: r.alter(v.on(), "CHECK CONSTRAINT")}, v.table)
	}
}
