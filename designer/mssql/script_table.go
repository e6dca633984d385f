package mssql

import "github.com/berth-dev/berth/designer"

// addTable creates t, without indexes, foreign keys and comments.
func addTable(s *steps, schema *designer.Schema, t *designer.Table) {
	v := newSide(schema, t)
	s.add(designer.Step{Statement: createTable(schema.DefineTable(t)), Comment: "Create table " + v.label(),
		Reverse: "DROP TABLE " + v.on()}, t)
}

// addKeys makes the indexes of t, and the checks that CREATE TABLE does not
// make as they are.
func addKeys(s *steps, schema *designer.Schema, t *designer.Table) {
	v := newSide(schema, t)
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

func addIndex(s *steps, v *side, x *designer.Index) {
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

func addCheck(s *steps, v *side, k *designer.Check) {
	s.constraint(v, constraintRef{kind: "check", name: k.Name, find: findCheck(k.Expression)},
		checkText(v.check(k)), k.Options)
}

// addForeignKeys makes the foreign keys of t.
func addForeignKeys(s *steps, schema *designer.Schema, t *designer.Table) {
	v := newSide(schema, t)
	for i := range t.ForeignKeys {
		addForeignKey(s, v, &t.ForeignKeys[i])
	}
}

func addForeignKey(s *steps, v *side, k *designer.ForeignKey) {
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
