package mysql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// Script implements [engine.Engine]. It makes the whole of s in an empty
// database.
func (Engine) Script(s *designer.Schema) (designer.Plan, error) {
	b := &scripter{s: s, steps: newSteps(), made: map[designer.ID]bool{}, started: map[designer.ID]bool{}}
	b.objects(designer.ObjectSequence)
	for _, t := range s.Tables() {
		if len(t.Columns) == 0 {
			return designer.Plan{}, noColumns(t)
		}
		b.table(t)
	}
	b.laterKeys()
	b.ownMode()
	b.objects(designer.ObjectRoutine)
	b.views()
	b.objects(designer.ObjectTrigger)
	b.objects(designer.ObjectEvent)
	return b.Plan, nil
}

func noColumns(t *designer.Table) error {
	return &designer.PlanError{Table: designer.TableName{Schema: t.Schema, Name: t.Name},
		Message: "it has no columns yet: add one, or drop the table"}
}

// scripter collects the steps of a script.
type scripter struct {
	steps
	s             *designer.Schema
	made, started map[designer.ID]bool
	later         []lateKey
}

// lateKey is a foreign key that its table was made without.
type lateKey struct {
	table designer.TableDefinition
	key   designer.ForeignKeyDefinition
}

func (b *scripter) step(statement, comment, reverse string) {
	b.add(designer.Step{Statement: statement, Comment: comment, Reverse: reverse})
}

// table makes what t refers to before t, as far as there is an order.
func (b *scripter) table(t *designer.Table) {
	if b.started[t.ID] {
		return
	}
	b.started[t.ID] = true
	for _, k := range t.ForeignKeys {
		if target := b.s.ByID(k.RefTable); target != nil {
			b.table(target)
		}
	}
	b.made[t.ID] = true
	def := b.s.DefineTable(t)
	dangling := slices.ContainsFunc(t.ForeignKeys, func(k designer.ForeignKey) bool { return k.RefTable == "" })
	inline := func(k designer.ForeignKeyDefinition) bool {
		target, err := b.s.Table(k.ReferencedTable)
		if err != nil || b.made[target.ID] {
			return true
		}
		b.later = append(b.later, lateKey{table: def, key: k})
		return false
	}
	if dangling {
		b.step("SET SESSION foreign_key_checks = 0", "Take foreign keys to tables that do not exist", "SET SESSION foreign_key_checks = 1")
	}
	b.step(createTable(def, b.s.DefaultSchema(), inline), "Create table "+t.Name, "DROP TABLE "+quoteName(t.Name))
	if dangling {
		b.step("SET SESSION foreign_key_checks = 1", "Look at foreign keys again", "SET SESSION foreign_key_checks = 0")
	}
}

// laterKeys adds the foreign keys that close a cycle.
func (b *scripter) laterKeys() {
	for _, l := range b.later {
		b.step("ALTER TABLE "+quoteName(l.table.Name)+" ADD "+foreignKeyClause(l.key, b.s.DefaultSchema()),
			"Add foreign key "+l.key.Name+" to "+l.table.Name,
			"ALTER TABLE "+quoteName(l.table.Name)+" DROP FOREIGN KEY "+quoteName(l.key.Name))
	}
}

// views creates a view after those that it reads.
func (b *scripter) views() {
	for _, v := range inOrder(b.s.Views()) {
		b.carried("view", "VIEW", v.Name, v.Definition, "")
	}
}

// inOrder returns views so that each comes after those that it names, and
// otherwise as they were.
func inOrder(views []designer.View) []designer.View {
	byName := map[string]int{}
	for i, v := range views {
		byName[v.Name] = i
	}
	ordered := make([]designer.View, 0, len(views))
	done := make([]bool, len(views))
	var add func(i int)
	add = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		for _, t := range scan(views[i].Definition) {
			if other, is := byName[t.Name]; is && t.Name != "" {
				add(other)
			}
		}
		ordered = append(ordered, views[i])
	}
	for i := range views {
		add(i)
	}
	return ordered
}

// objects makes those of one kind, each after the one that it follows.
func (b *scripter) objects(kind designer.ObjectKind) {
	var list []designer.Object
	for _, o := range b.s.Objects() {
		if o.Kind == kind {
			list = append(list, o)
		}
	}
	made := map[string]bool{}
	for len(list) > 0 {
		rest := list[:0:0]
		for _, o := range list {
			if after := follows(o); after != "" && !made[after] {
				rest = append(rest, o)
				continue
			}
			made[o.Name] = true
			b.carried(string(o.Kind), keyword(o), o.Name, o.Definition, o.Options[OptionSQLMode])
		}
		if len(rest) == len(list) { // they follow what is not there
			for _, o := range rest {
				b.carried(string(o.Kind), keyword(o), o.Name, o.Definition, o.Options[OptionSQLMode])
			}
			return
		}
		list = rest
	}
}

// follows names the trigger that a trigger acts after, "" for none.
func follows(o designer.Object) string {
	if o.Kind != designer.ObjectTrigger {
		return ""
	}
	tokens := code(scan(o.Definition))
	for i, t := range tokens {
		if t.Is("ROW") && i+2 < len(tokens) {
			if tokens[i+1].Is("FOLLOWS") {
				return tokens[i+2].Name
			}
			return ""
		}
	}
	return ""
}

// ownMode leaves the strict mode that tables are made in: a routine, trigger
// or event keeps the mode that it was made in, and acts in it.
func (b *scripter) ownMode() {
	for _, o := range b.s.Objects() {
		if o.Kind != designer.ObjectSequence && o.Definition != "" {
			b.step("SET SESSION sql_mode = DEFAULT", "The server's own sql_mode for what acts by itself", "")
			return
		}
	}
}

// keyword is what DROP calls the object.
func keyword(o designer.Object) string {
	switch {
	case o.Kind != designer.ObjectRoutine:
		return strings.ToUpper(string(o.Kind))
	case strings.HasPrefix(o.Definition, "CREATE FUNCTION"), strings.HasPrefix(o.Definition, "CREATE AGGREGATE FUNCTION"):
		return "FUNCTION"
	}
	return "PROCEDURE"
}

// carried makes an object of its own text, under its own sql_mode.
func (b *scripter) carried(kind, word, name, definition, mode string) {
	if definition == "" {
		b.Notes = append(b.Notes, "The "+kind+" "+name+" is left out: the server did not return its text.")
		return
	}
	if mode != "" {
		b.step("SET SESSION sql_mode = "+quoteString(mode), "The sql_mode that "+kind+" "+name+" was written in", "")
	}
	b.step(definition, "Create "+kind+" "+name, "DROP "+word+" "+quoteName(name))
	if mode != "" {
		b.step("SET SESSION sql_mode = DEFAULT", "The server's own sql_mode again", "")
	}
}
