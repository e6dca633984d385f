package postgres

import "github.com/berth-dev/berth/designer"

// What is added to a table that is there already. The reverse of each is its
// drop.

func dropConstraint(w *writer, t *designer.Table, name string) string {
	if name == "" {
		return ""
	}
	return "ALTER TABLE " + w.table(t) + " DROP CONSTRAINT " + ident(name)
}

func (b *builder) addPrimaryKey(w *writer, t *designer.Table) {
	k := t.PrimaryKey
	b.add(t, "add the primary key of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" ADD "+w.primaryKey(t),
		dropConstraint(w, t, k.Name), designer.RiskMayFail, designer.RiskBlocksWrites)
	b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
	b.replicaIdentity(w, t, k.Name, k.Options)
}

// addIndex makes an index, or the constraint on it.
func (b *builder) addIndex(w *writer, t *designer.Table, x designer.Index) {
	risks := []designer.Risk{designer.RiskBlocksWrites}
	if x.Unique || isConstraint(x) {
		risks = append(risks, designer.RiskMayFail)
	}
	if isConstraint(x) {
		b.add(t, "add constraint "+x.Name+" of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" ADD "+w.constraint(t, x),
			dropConstraint(w, t, x.Name), risks...)
		return
	}
	reverse := ""
	if x.Name != "" {
		reverse = "DROP INDEX " + qualified(t.Schema, x.Name)
	}
	b.add(t, "create index "+x.Name+" on "+qualifiedPlain(t.Schema, t.Name), w.createIndex(t, x), reverse, risks...)
}

func (b *builder) addCheck(w *writer, t *designer.Table, k designer.Check) {
	b.add(t, "add check "+k.Name+" of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" ADD "+w.check(k),
		dropConstraint(w, t, k.Name), validating(k.Options)...)
	b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
}

func (b *builder) addForeignKey(w *writer, t *designer.Table, k designer.ForeignKey) {
	b.add(t, "add foreign key "+k.Name+" of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" ADD "+w.foreignKey(t, k),
		dropConstraint(w, t, k.Name), validating(k.Options)...)
	b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
}

// validating are the risks of a constraint that the rows there are have to
// keep.
func validating(o map[string]string) []designer.Risk {
	if unchecked(o) != "" {
		return nil
	}
	return []designer.Risk{designer.RiskMayFail, designer.RiskBlocksWrites}
}
