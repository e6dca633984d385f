package mssql

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// constraintRef says which constraint of a table is meant: by its name or,
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
func (s *steps) constraint(v *side, r constraintRef, text string, o map[string]string) {
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
