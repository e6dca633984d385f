package postgres

import (
	"cmp"
	"maps"
	"strings"

	"github.com/berth-dev/berth/designer"
)

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
