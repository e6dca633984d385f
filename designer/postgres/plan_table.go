package postgres

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// tablePlan is what happens to a table that is there before and after.
type tablePlan struct {
	designer.TableDiff
	names   renames
	rebuilt map[designer.ID]bool // columns that are dropped and added again

	dropPrimary, addPrimary bool
	dropIndexes, addIndexes []designer.Index
	dropChecks, addChecks   []designer.Check
	dropKeys, addKeys       []designer.ForeignKey
}

// planFor returns the plan of a table, made where there is none yet.
func (p *planner) planFor(from, to *designer.Table) *tablePlan {
	tp := p.tables[from.ID]
	if tp == nil {
		tp = &tablePlan{TableDiff: designer.TableDiff{From: from, To: to}, names: renamesOf(from, to), rebuilt: map[designer.ID]bool{}}
		p.tables[from.ID] = tp
	}
	return tp
}

// checkCarried refuses changes to what a table has and a design cannot change,
// and changes that the server would make to other tables too.
func (p *planner) checkCarried(tp *tablePlan) error {
	for _, key := range []string{OptionPartitionBy, OptionInherits, OptionMethod} {
		if tp.From.Options[key] != tp.To.Options[key] {
			return errTable(tp.From, "its %s cannot change: make a new table and copy the rows", strings.ReplaceAll(key, "_", " "))
		}
	}
	if err := p.checkInheritance(tp); err != nil {
		return err
	}
	if key := tp.From.Options[OptionPartitionBy]; key != "" {
		for _, c := range tp.Columns {
			if !c.Added() && mentions(key, tp.From.Name, c.From.Name) && (c.Dropped() || c.Renamed || c.Type) {
				return errTable(tp.From, "column %s is part of its partition key: keep its name and type", c.From.Name)
			}
		}
	}
	return nil
}

// checkInheritance refuses what would change the parts that tables share by
// inheritance: the design has each of them twice.
func (p *planner) checkInheritance(tp *tablePlan) error {
	if !tp.Renamed && !tp.Moved && len(tp.Columns)+len(tp.Checks) == 0 {
		return nil
	}
	if heirs := p.heirs(tp.From); len(heirs) > 0 {
		return errTable(tp.From, "%s from it: its name, columns and checks are changed with SQL", inherit(heirs))
	}
	for _, c := range tp.Columns {
		if !c.Added() && c.From.Options[OptionInherited] != "" {
			return errTable(tp.From, "column %s is inherited: it is changed where it comes from", c.From.Name)
		}
	}
	for _, k := range tp.Checks {
		if !k.Added() && k.From.Options[OptionInherited] != "" {
			return errTable(tp.From, "check %s is inherited: it is changed where it comes from", k.From.Name)
		}
	}
	return nil
}

// heirs lists the tables that inherit from t.
func (p *planner) heirs(t *designer.Table) []*designer.Table {
	if p.byParent == nil {
		p.byParent = map[string][]*designer.Table{}
		for _, t := range p.d.From.Tables() {
			if parents := t.Options[OptionInherits]; parents != "" {
				for name := range strings.SplitSeq(parents, ", ") {
					p.byParent[name] = append(p.byParent[name], t)
				}
			}
		}
	}
	return p.byParent[p.from.table(t)]
}

// inherit says who inherits: "table a inherits", "tables a, b inherit".
func inherit(heirs []*designer.Table) string {
	var names []string
	for _, t := range heirs {
		names = append(names, qualifiedPlain(t.Schema, t.Name))
	}
	if len(names) == 1 {
		return "table " + names[0] + " inherits"
	}
	return "tables " + listed(names) + " inherit"
}

// refuseHeirs refuses to drop a table from which one that stays inherits.
func (p *planner) refuseHeirs() error {
	for _, t := range p.d.Dropped {
		stay := slices.DeleteFunc(slices.Clone(p.heirs(t)), p.dropped)
		if len(stay) > 0 {
			return errTable(t, "%s from it: drop that first", inherit(stay))
		}
	}
	return nil
}

// findRebuilt finds the columns that no ALTER COLUMN brings to what they have
// to be: those that become computed, whose formula changes, or which are
// computed from a column that is rebuilt or gets another type.
func (tp *tablePlan) findRebuilt() {
	moving := map[string]bool{} // names of before
	for _, c := range tp.Columns {
		if !c.Changed() {
			continue
		}
		becomes := c.To.IsComputed && !c.From.IsComputed
		formula := c.To.IsComputed && c.From.IsComputed && (c.From.ComputedPersisted != c.To.ComputedPersisted ||
			!tp.names.same(c.From.ComputedFormula, c.To.ComputedFormula))
		if becomes || formula {
			tp.rebuilt[c.From.ID] = true
		}
		if becomes || formula || c.Type || c.Collation {
			moving[c.From.Name] = true
		}
	}
	for name := range moving {
		for _, c := range tp.From.Columns {
			after := columnByID(tp.To, c.ID)
			if c.IsComputed && after.IsComputed && c.Name != name && mentions(c.ComputedFormula, tp.From.Name, name) {
				tp.rebuilt[c.ID] = true
			}
		}
	}
}

// usesRebuilt reports whether an expression or one of the columns is rebuilt.
func (tp *tablePlan) usesRebuilt(expressions []string, columns ...designer.ID) bool {
	for id := range tp.rebuilt {
		name := columnByID(tp.From, id).Name
		if slices.Contains(columns, id) || slices.ContainsFunc(expressions, func(e string) bool { return mentions(e, tp.From.Name, name) }) {
			return true
		}
	}
	return false
}

// withoutComment is what makes a part what it is; its comment can be changed.
func withoutComment(o map[string]string) map[string]string {
	o = maps.Clone(o)
	delete(o, OptionComment)
	return o
}

func sameOptions(a, b map[string]string) bool {
	return maps.Equal(withoutComment(a), withoutComment(b))
}

// moves reports whether one of the columns gets another type or is re-created.
func (tp *tablePlan) moves(columns []designer.ID) bool {
	if tp == nil {
		return false
	}
	return tp.usesRebuilt(nil, columns...) || slices.ContainsFunc(tp.Columns, func(c designer.ColumnDiff) bool {
		return c.Changed() && (c.Type || c.Collation) && slices.Contains(columns, c.From.ID)
	})
}

// changeSettings makes what is left: comments, options, constraints that are
// to be validated and deferrals.
func (p *planner) changeSettings() {
	for _, tp := range p.order {
		p.changeComments(tp)
		for _, c := range tp.Columns {
			if c.Changed() && !tp.rebuilt[c.From.ID] {
				p.changeColumnSettings(tp, c)
			}
		}
		for _, k := range tp.To.Checks {
			if old := find(tp.From.Checks, k.ID, checkID); old != nil && find(tp.addChecks, k.ID, checkID) == nil {
				p.validate(tp, k.Name, old.Options, k.Options)
			}
		}
		for _, k := range tp.To.ForeignKeys {
			if old := find(tp.From.ForeignKeys, k.ID, foreignKeyID); old != nil && find(tp.addKeys, k.ID, foreignKeyID) == nil {
				p.validate(tp, k.Name, old.Options, k.Options)
				p.changeDeferral(tp, *old, k)
			}
		}
		p.changeTableOptions(tp)
	}
}

// changeComments changes the comments on a table and on those of its parts
// that stay.
func (p *planner) changeComments(tp *tablePlan) {
	table := p.to.table(tp.To)
	p.recomment(tp, "TABLE "+table, tp.From.Comment, tp.To.Comment)
	for _, c := range tp.To.Columns {
		if old := columnByID(tp.From, c.ID); old.Name != "" && !tp.rebuilt[c.ID] {
			p.recomment(tp, "COLUMN "+table+"."+ident(c.Name), old.Comment, c.Comment)
		}
	}
	if a, b := tp.From.PrimaryKey, tp.To.PrimaryKey; a != nil && b != nil && !tp.addPrimary {
		p.recomment(tp, constraintTarget(p.to, tp.To, b.Name), a.Options[OptionComment], b.Options[OptionComment])
	}
	for _, x := range tp.To.Indexes {
		if old := find(tp.From.Indexes, x.ID, indexID); old != nil && find(tp.addIndexes, x.ID, indexID) == nil {
			p.recomment(tp, indexTarget(p.to, tp.To, x), old.Options[OptionComment], x.Options[OptionComment])
		}
	}
	for _, k := range tp.To.Checks {
		if old := find(tp.From.Checks, k.ID, checkID); old != nil && find(tp.addChecks, k.ID, checkID) == nil {
			p.recomment(tp, constraintTarget(p.to, tp.To, k.Name), old.Options[OptionComment], k.Options[OptionComment])
		}
	}
	for _, k := range tp.To.ForeignKeys {
		if old := find(tp.From.ForeignKeys, k.ID, foreignKeyID); old != nil && find(tp.addKeys, k.ID, foreignKeyID) == nil {
			p.recomment(tp, constraintTarget(p.to, tp.To, k.Name), old.Options[OptionComment], k.Options[OptionComment])
		}
	}
}

func (p *planner) recomment(tp *tablePlan, target, old, text string) {
	if old == text || target == "" {
		return
	}
	p.add(tp.From, "comment on "+plainTarget(target), "COMMENT ON "+target+" IS "+commentText(text), "COMMENT ON "+target+" IS "+commentText(old))
}

func commentText(text string) string {
	if text == "" {
		return "NULL"
	}
	return literal(text)
}

func (p *planner) changeColumnSettings(tp *tablePlan, c designer.ColumnDiff) {
	set := func(what, key, words string, without string, always bool) {
		old, value := c.From.Options[key], c.To.Options[key]
		if old == value && (!always || value == "") {
			return
		}
		if value == "" {
			value = without
		}
		p.add(tp.From, what+" of "+qualifiedPlain(tp.To.Schema, tp.To.Name)+"."+c.To.Name,
			"ALTER TABLE "+p.to.table(tp.To)+" ALTER COLUMN "+ident(c.To.Name)+" SET "+words+" "+clause(value), "")
	}
	if c.To.Options[OptionStorage] != "" || !c.Type { // which another type makes the ordinary
		set("storage", OptionStorage, "STORAGE", "EXTENDED", c.Type)
	}
	set("compression", OptionCompression, "COMPRESSION", "default", c.Type)
	set("statistics", OptionStatistics, "STATISTICS", "-1", false)
}

func (p *planner) validate(tp *tablePlan, name string, old, now map[string]string) {
	if old[OptionNotValid] != "" && now[OptionNotValid] == "" {
		p.add(tp.From, "validate constraint "+name+" of "+qualifiedPlain(tp.To.Schema, tp.To.Name),
			"ALTER TABLE "+p.to.table(tp.To)+" VALIDATE CONSTRAINT "+ident(name), "", designer.RiskMayFail)
	}
}

func (p *planner) changeDeferral(tp *tablePlan, old, now designer.ForeignKey) {
	if old.Deferrable == now.Deferrable {
		return
	}
	words := func(d designer.Deferral) string {
		if text := deferrable(string(d)); text != "" {
			return text
		}
		return " NOT DEFERRABLE"
	}
	start := "ALTER TABLE " + p.to.table(tp.To) + " ALTER CONSTRAINT " + ident(now.Name)
	p.add(tp.From, "change when foreign key "+now.Name+" is checked", start+words(now.Deferrable), start+words(old.Deferrable))
}

// changeTableOptions changes the options of a table that can be changed.
func (p *planner) changeTableOptions(tp *tablePlan) {
	a, b := tp.From.Options, tp.To.Options
	if maps.Equal(a, b) {
		return
	}
	alter := func(what, clause string, risks ...designer.Risk) {
		p.add(tp.From, what+" of "+qualifiedPlain(tp.To.Schema, tp.To.Name), "ALTER TABLE "+p.to.table(tp.To)+" "+clause, "", risks...)
	}
	if a[OptionUnlogged] != b[OptionUnlogged] {
		alter("logging", map[bool]string{true: "SET UNLOGGED", false: "SET LOGGED"}[b[OptionUnlogged] != ""], designer.RiskRewritesTable, designer.RiskBlocksWrites)
	}
	if a[OptionTablespace] != b[OptionTablespace] {
		alter("tablespace", "SET TABLESPACE "+ident(cmp.Or(b[OptionTablespace], "pg_default")), designer.RiskRewritesTable, designer.RiskBlocksWrites)
	}
	if a[OptionWith] != b[OptionWith] {
		if names := resetNames(a[OptionWith]); names != "" {
			alter("storage parameters", "RESET ("+names+")")
		}
		if with := b[OptionWith]; with != "" {
			alter("storage parameters", "SET ("+clause(with)+")")
		}
	}
	if a[OptionRowSecurity] != b[OptionRowSecurity] {
		on := b[OptionRowSecurity]
		alter("row security", map[bool]string{true: "ENABLE", false: "DISABLE"}[on == "enabled" || on == "forced"]+" ROW LEVEL SECURITY")
		alter("row security for the owner", map[bool]string{true: "FORCE", false: "NO FORCE"}[on == "owner" || on == "forced"]+" ROW LEVEL SECURITY")
	}
	if v := b[OptionReplicaIdentity]; a[OptionReplicaIdentity] != v {
		alter("replica identity", "REPLICA IDENTITY "+strings.ToUpper(clause(cmp.Or(v, "default"))))
	}
}

// resetNames lists the names of storage parameters.
func resetNames(with string) string {
	var names []string
	for _, p := range strings.Split(with, ", ") {
		if name, _, ok := strings.Cut(p, "="); ok {
			names = append(names, clause(name))
		}
	}
	return strings.Join(names, ", ")
}
