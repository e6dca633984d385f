package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// columnsOf names columns of t, which all have to be there.
func columnsOf(t *designer.Table, ids []designer.ID) []string {
	names := make([]string, 0, len(ids))
	for _, id := range ids {
		names = append(names, columnByID(t, id).Name)
	}
	return names
}

// columnByID returns a column of t, the zero value if there is none.
func columnByID(t *designer.Table, id designer.ID) designer.Column {
	for _, c := range t.Columns {
		if c.ID == id {
			return c
		}
	}
	return designer.Column{}
}

// named begins a constraint.
func named(name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + ident(name) + " "
}

func (w *writer) primaryKey(t *designer.Table) string {
	k := t.PrimaryKey
	text := named(k.Name) + "PRIMARY KEY (" + idents(columnsOf(t, k.Columns)) + ")"
	if include := k.Options[OptionInclude]; include != "" {
		text += " INCLUDE (" + clause(include) + ")"
	}
	return text + constraintStorage(k.Options) + deferrable(k.Options[OptionDeferrable])
}

// constraint writes a unique or exclusion constraint.
func (w *writer) constraint(t *designer.Table, x designer.Index) string {
	text := named(x.Name)
	if operators := x.Options[OptionExclude]; operators != "" {
		text += "EXCLUDE USING " + ident(methodOf(x)) + " (" + w.excluded(t, x, strings.Fields(operators)) + ")"
	} else {
		text += "UNIQUE "
		if x.Options[OptionNullsNotDistinct] != "" {
			text += "NULLS NOT DISTINCT "
		}
		text += "(" + w.keys(t, x) + ")"
	}
	text += included(t, x) + constraintStorage(x.Options)
	if x.Where != "" {
		text += " WHERE (" + x.Where + ")"
	}
	return text + deferrable(x.Options[OptionDeferrable])
}

// isConstraint reports whether an index is there for a constraint.
func isConstraint(x designer.Index) bool { return x.Constraint || x.Options[OptionExclude] != "" }

func methodOf(x designer.Index) string {
	if x.Method == "" {
		return "btree"
	}
	return x.Method
}

func (w *writer) excluded(t *designer.Table, x designer.Index, operators []string) string {
	var parts []string
	for i, k := range x.Parts {
		operator := "="
		if i < len(operators) {
			operator = operators[i]
		}
		if slices.ContainsFunc(scan(operator), sqltext.Token.IsName) { // with its schema
			operator = "OPERATOR(" + operator + ")"
		}
		parts = append(parts, w.key(t, k)+" WITH "+clause(operator))
	}
	return strings.Join(parts, ", ")
}

func (w *writer) keys(t *designer.Table, x designer.Index) string {
	parts := make([]string, len(x.Parts))
	for i, k := range x.Parts {
		parts[i] = w.key(t, k)
	}
	return strings.Join(parts, ", ")
}

func (w *writer) key(t *designer.Table, k designer.IndexKey) string {
	text := "(" + k.Expression + ")"
	if k.Column != "" {
		text = ident(columnByID(t, k.Column).Name)
	}
	if k.Collation != "" {
		text += " COLLATE " + w.collation(k.Collation)
	}
	if k.OpClass != "" {
		text += " " + clause(k.OpClass)
	}
	if k.Descending {
		text += " DESC"
	}
	if k.Nulls != "" {
		text += " NULLS " + strings.ToUpper(clause(k.Nulls))
	}
	return text
}

func included(t *designer.Table, x designer.Index) string {
	if len(x.Include) == 0 {
		return ""
	}
	return " INCLUDE (" + idents(columnsOf(t, x.Include)) + ")"
}

func constraintStorage(o map[string]string) string {
	text := ""
	if with := o[OptionWith]; with != "" {
		text += " WITH (" + clause(with) + ")"
	}
	if space := o[OptionTablespace]; space != "" {
		text += " USING INDEX TABLESPACE " + ident(space)
	}
	return text
}

func deferrable(d string) string {
	switch designer.Deferral(d) {
	case designer.DeferrableInitEnd:
		return " DEFERRABLE INITIALLY DEFERRED"
	case designer.DeferrableInitNow:
		return " DEFERRABLE"
	}
	return ""
}

// createIndex writes an index that no constraint brings.
func (w *writer) createIndex(t *designer.Table, x designer.Index) string {
	text := "CREATE INDEX "
	if x.Unique {
		text = "CREATE UNIQUE INDEX "
	}
	if x.Name != "" {
		text += ident(x.Name) + " "
	}
	text += "ON " + w.table(t)
	if x.Method != "" {
		text += " USING " + ident(x.Method)
	}
	text += " (" + w.keys(t, x) + ")" + included(t, x)
	if x.Options[OptionNullsNotDistinct] != "" {
		text += " NULLS NOT DISTINCT"
	}
	if with := x.Options[OptionWith]; with != "" {
		text += " WITH (" + clause(with) + ")"
	}
	if space := x.Options[OptionTablespace]; space != "" {
		text += " TABLESPACE " + ident(space)
	}
	if x.Where != "" {
		text += " WHERE (" + x.Where + ")"
	}
	return text
}

func (w *writer) check(k designer.Check) string {
	text := named(k.Name) + "CHECK (" + k.Expression + ")"
	if k.Options[OptionNoInherit] != "" {
		text += " NO INHERIT"
	}
	return text + unchecked(k.Options)
}

func unchecked(o map[string]string) string {
	switch {
	case o[OptionNotEnforced] != "":
		return " NOT ENFORCED"
	case o[OptionNotValid] != "":
		return " NOT VALID"
	}
	return ""
}

func (w *writer) foreignKey(t *designer.Table, k designer.ForeignKey) string {
	from := make([]designer.ID, len(k.Mappings))
	to := make([]designer.ID, len(k.Mappings))
	for i, m := range k.Mappings {
		from[i], to[i] = m.Column, m.RefColumn
	}
	text := named(k.Name) + "FOREIGN KEY (" + idents(columnsOf(t, from)) + ") REFERENCES "
	if d := k.Dangling; d != nil {
		text += qualified(d.Schema, d.Table) + " (" + idents(d.Columns) + ")"
	} else {
		target := w.s.ByID(k.RefTable)
		text += w.table(target) + " (" + idents(columnsOf(target, to)) + ")"
	}
	if match := k.Options[OptionMatch]; match != "" {
		text += " MATCH " + strings.ToUpper(clause(match))
	}
	if k.OnDelete != designer.NoAction {
		text += " ON DELETE " + actionText(k.OnDelete) + setColumns(t, k)
	}
	if k.OnUpdate != designer.NoAction {
		text += " ON UPDATE " + actionText(k.OnUpdate)
	}
	return text + deferrable(string(k.Deferrable)) + unchecked(k.Options)
}

func actionText(a designer.Action) string {
	return strings.ToUpper(strings.ReplaceAll(string(a), "_", " "))
}

// setColumns names the columns that are set where not all are.
func setColumns(t *designer.Table, k designer.ForeignKey) string {
	if k.OnDelete != designer.SetNull && k.OnDelete != designer.SetDefault {
		return ""
	}
	var ids []designer.ID
	for _, position := range strings.Split(k.Options[OptionSetColumns], ",") {
		if n, err := strconv.Atoi(position); err == nil && n >= 1 && n <= len(k.Mappings) {
			ids = append(ids, k.Mappings[n-1].Column)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return " (" + idents(columnsOf(t, ids)) + ")"
}

// What is added to a table that is there already. The reverse of each is its
// drop.

func dropConstraint(w *writer, t *designer.Table, name string) string {
	if name == "" {
		return ""
	}
	return "ALTER TABLE " + w.table(t) + " DROP CONSTRAINT " + ident(name)
}

func (b *steps) addPrimaryKey(w *writer, t *designer.Table) {
	k := t.PrimaryKey
	b.add(t, "add the primary key of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" ADD "+w.primaryKey(t),
		dropConstraint(w, t, k.Name), designer.RiskMayFail, designer.RiskBlocksWrites)
	b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
	b.keySettings(w, t, k.Name, k.Options)
}

// addIndex makes an index, or the constraint on it.
func (b *steps) addIndex(w *writer, t *designer.Table, x designer.Index) {
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

func (b *steps) addCheck(w *writer, t *designer.Table, k designer.Check) {
	b.add(t, "add check "+k.Name+" of "+qualifiedPlain(t.Schema, t.Name), "ALTER TABLE "+w.table(t)+" ADD "+w.check(k),
		dropConstraint(w, t, k.Name), validating(k.Options)...)
	b.comment(t, constraintTarget(w, t, k.Name), k.Options[OptionComment])
}

func (b *steps) addForeignKey(w *writer, t *designer.Table, k designer.ForeignKey) {
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
