package mssql

import (
	"strings"

	"github.com/berth-dev/berth/designer"
)

// settings are what SQL Server demands of a session that touches computed
// columns, filtered indexes or indexed views, and that an error ends the
// transaction. It is a plan's first step: tools differ in what they set.
const settings = `SET XACT_ABORT, QUOTED_IDENTIFIER, ANSI_NULLS, ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON
SET NUMERIC_ROUNDABORT OFF`

// steps collects the steps of a plan.
type steps struct {
	list  []designer.Step
	notes []string
	// before returns a table as it is named before the plan. nil: as given.
	before func(*designer.Table) *designer.Table
}

// add appends a step that concerns the tables.
func (s *steps) add(step designer.Step, tables ...*designer.Table) {
	for _, t := range tables {
		if s.before != nil {
			t = s.before(t)
		}
		step.Tables = append(step.Tables, designer.TableName{Schema: t.Schema, Name: t.Name})
	}
	s.list = append(s.list, step)
}

// addBatches appends what may be several batches, a step each; only the last
// is taken back.
func (s *steps) addBatches(text, comment, reverse string) {
	batches := Batches(text)
	for i, b := range batches {
		step := designer.Step{Statement: b, Comment: comment}
		if i == len(batches)-1 {
			step.Reverse = reverse
		}
		s.add(step)
	}
}

// note appends a sentence, once.
func (s *steps) note(text string) {
	for _, n := range s.notes {
		if n == text {
			return
		}
	}
	s.notes = append(s.notes, text)
}

// plan is the whole, with the settings before it where it does anything.
func (s *steps) plan() designer.Plan {
	p := designer.Plan{Dialect: "mssql", Transactional: true, Separator: "GO", Notes: s.notes}
	if len(s.list) > 0 {
		first := designer.Step{Statement: settings, Comment: "Set what SQL Server needs set"}
		p.Steps = append([]designer.Step{first}, s.list...)
	}
	return p
}

// commentText writes an extended property: the new text, "" for none; was
// as it is. column is "" for the table's own.
func commentText(t *designer.Table, column, was, text string) string {
	args := []string{"@name = N'MS_Description'"}
	proc := "sp_addextendedproperty"
	switch {
	case text == "":
		proc = "sp_dropextendedproperty"
	case was != "":
		proc = "sp_updateextendedproperty"
	}
	if text != "" {
		args = append(args, "@value = "+literal(text))
	}
	args = append(args, "@level0type = N'SCHEMA', @level0name = "+literal(t.Schema),
		"@level1type = N'TABLE', @level1name = "+literal(t.Name))
	if column != "" {
		args = append(args, "@level2type = N'COLUMN', @level2name = "+literal(column))
	}
	return "EXEC sys." + proc + " " + strings.Join(args, ", ")
}

// setComment is the step that changes a comment.
func (s *steps) setComment(t *designer.Table, column, was, text string) {
	what := tableLabel(t)
	if column != "" {
		what += "." + column
	}
	verb := "Comment on "
	if text == "" {
		verb = "Remove the comment of "
	}
	s.add(designer.Step{Statement: commentText(t, column, was, text), Comment: verb + what,
		Reverse: commentText(t, column, text, was)}, t)
}

// addTable creates t, without indexes, foreign keys and comments.
func addTable(s *steps, schema *designer.Schema, t *designer.Table) {
	v := newTableState(schema, t)
	s.add(designer.Step{Statement: createTable(schema.DefineTable(t)), Comment: "Create table " + v.label(),
		Reverse: "DROP TABLE " + v.on()}, t)
}

// addKeys makes the indexes of t, and the checks that CREATE TABLE does not
// make as they are.
func addKeys(s *steps, schema *designer.Schema, t *designer.Table) {
	v := newTableState(schema, t)
	for _, x := range indexOrder(t.Indexes) {
		if !x.Constraint {
			addIndex(s, v, x)
		}
	}
	for i := range t.Checks {
		if k := &t.Checks[i]; !inForce(k.Options) {
			addCheck(s, v, k)
		}
	}
}

// indexOrder puts clustered indexes first, as others refer to their keys, and
// secondary XML indexes last.
func indexOrder(list []designer.Index) []*designer.Index {
	var first, middle, last []*designer.Index
	for i := range list {
		switch x := &list[i]; {
		case x.Options[OptionClustered] == "true":
			first = append(first, x)
		case x.Options[OptionPrimaryXML] != "":
			last = append(last, x)
		default:
			middle = append(middle, x)
		}
	}
	return append(append(first, middle...), last...)
}

func addIndex(s *steps, v *tableState, x *designer.Index) {
	d := v.index(x)
	if x.Method == MethodSpatial {
		s.note("Spatial index " + x.Name + " of table " + v.label() + " is made with the server's own grid.")
	}
	s.add(designer.Step{Statement: createIndex(v.on(), d), Comment: "Create index " + x.Name + " on " + v.label(),
		Reverse: dropIndex(v.on(), x.Name), Risks: indexRisks(x)}, v.table)
	if x.Options[OptionDisabled] != "" {
		s.add(designer.Step{Statement: disableIndex(v.on(), d), Comment: "Disable index " + x.Name + " of " + v.label(),
			Reverse: "ALTER INDEX " + quote(x.Name) + " ON " + v.on() + " REBUILD"}, v.table)
	}
}

func indexRisks(x *designer.Index) []designer.Risk {
	risks := []designer.Risk{designer.RiskBlocksWrites}
	if x.Options[OptionClustered] == "true" {
		risks = append(risks, designer.RiskRewritesTable)
	}
	if x.Unique {
		risks = append(risks, designer.RiskMayFail)
	}
	return risks
}

func dropIndex(on, name string) string { return "DROP INDEX " + quote(name) + " ON " + on }

func addCheck(s *steps, v *tableState, k *designer.Check) {
	s.constraint(v, constraintRef{kind: "check", name: k.Name, find: findCheck(k.Expression)},
		checkText(v.check(k)), k.Options)
}

// addForeignKeys makes the foreign keys of t.
func addForeignKeys(s *steps, schema *designer.Schema, t *designer.Table) {
	v := newTableState(schema, t)
	for i := range t.ForeignKeys {
		addForeignKey(s, v, &t.ForeignKeys[i])
	}
}

func addForeignKey(s *steps, v *tableState, k *designer.ForeignKey) {
	d, ok := v.foreignKey(k)
	if !ok {
		s.note("A foreign key of table " + v.label() + " refers to a table that does not exist: it is left out.")
		return
	}
	s.constraint(v, constraintRef{kind: "foreign key", name: k.Name, find: findForeignKey(d)}, foreignKeyText(d), k.Options)
}

// addComments writes the comments of t and its columns.
func addComments(s *steps, t *designer.Table) {
	if t.Comment != "" {
		s.setComment(t, "", "", t.Comment)
	}
	for _, c := range t.Columns {
		if c.Comment != "" {
			s.setComment(t, c.Name, "", c.Comment)
		}
	}
}
