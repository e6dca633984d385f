package mysql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqltext"
)

// renameColumns gives columns the names they have in last, and returns the
// state of the table then. A column that will be dropped gives its name up to
// one that takes it. Indexes whose names go round in a ring are opened here
// as well.
//
// MariaDB follows a new name into checks, formulas and defaults; MySQL refuses
// it while a check names the column: so such checks go first and come back
// with all else.
func (p *planner) renameColumns(now, last *designer.Table) *designer.Table {
	list := columnRenamings(now, last)
	taken := map[string]bool{}
	for _, t := range []*designer.Table{now, last} {
		for _, c := range t.Columns {
			taken[designer.Fold(c.Name)] = true
		}
		for _, x := range t.Indexes {
			taken[designer.Fold(x.Name)] = true
		}
	}
	temporary := p.temporary(taken)
	for i, r := range list {
		if r.To == "" {
			list[i].To = temporary()
		}
	}
	for _, batch := range inBatches(list, temporary) {
		now = p.renameStep(now, batch)
	}
	return p.openIndexRing(now, last, temporary)
}

// columnRenamings lists the columns that are called otherwise in last. To is
// "" for a dropped column whose name is wanted.
func columnRenamings(now, last *designer.Table) []designer.Rename {
	var list []designer.Rename
	wanted := map[string]bool{}
	for _, c := range now.Columns {
		if next := columnByID(last, c.ID); next != nil && next.Name != c.Name {
			list = append(list, designer.Rename{From: c.Name, To: next.Name})
			wanted[designer.Fold(next.Name)] = true
		}
	}
	for _, c := range now.Columns {
		if columnByID(last, c.ID) == nil && wanted[designer.Fold(c.Name)] {
			list = append(list, designer.Rename{From: c.Name, To: ""})
		}
	}
	return list
}

// renameStep adds the step that renames columns and returns the table after
// it.
func (p *planner) renameStep(now *designer.Table, batch []designer.Rename) *designer.Table {
	names := map[string]string{}
	var clauses, back, words []string
	next := withoutKeys(now)
	next.Checks = nil
	for _, k := range now.Checks {
		if slices.ContainsFunc(batch, func(r designer.Rename) bool { return mentions(k.Expression, r.From) }) {
			clauses = append(clauses, "DROP CONSTRAINT "+quoteName(k.Name))
			back = append(back, "ADD "+checkClause(checkDefinition(k)))
			continue
		}
		next.Checks = append(next.Checks, k)
	}
	for _, r := range batch {
		names[designer.Fold(r.From)] = r.To
		clauses = append(clauses, "RENAME COLUMN "+quoteName(r.From)+" TO "+quoteName(r.To))
		back = slices.Insert(back, 0, "RENAME COLUMN "+quoteName(r.To)+" TO "+quoteName(r.From))
		words = append(words, r.From+" to "+r.To)
	}
	for i := range next.Columns {
		c := &next.Columns[i]
		if to, renamed := names[designer.Fold(c.Name)]; renamed {
			c.Name = to
		}
		c.ComputedFormula, c.DefaultValue = renamedIn(c.ComputedFormula, names), renamedIn(c.DefaultValue, names)
		if check := c.Options[OptionCheck]; check != "" {
			options := map[string]string{}
			for k, v := range c.Options {
				options[k] = v
			}
			options[OptionCheck] = renamedIn(check, names)
			c.Options = options
		}
	}
	p.step(designer.Step{
		Statement: alter(now.Name, clauses), Comment: "Rename columns of table " + now.Name + ": " + strings.Join(words, ", "),
		Reverse: alter(now.Name, back), Tables: []designer.TableName{p.beforePlan(now)},
		Made: p.renamedProbe(batch, func(name string, there bool) string { return columnProbe(now.Name, name, there) }),
	})
	return next
}

// beforePlan is the table's name before the plan.
func (p *planner) beforePlan(t *designer.Table) designer.TableName {
	return tableName(p.d.From.ByID(t.ID))
}

// renamedIn writes new names into SQL text, as the server does. A word before
// a parenthesis is a function.
func renamedIn(text string, names map[string]string) string {
	tokens := scan(text)
	var b strings.Builder
	for i, t := range tokens {
		to, renamed := names[designer.Fold(t.Name)]
		called := i+1 < len(tokens) && tokens[i+1].Is("(")
		switch {
		case renamed && t.Kind == sqltext.Quoted, renamed && t.Kind == sqltext.Word && !called:
			b.WriteString(quoteName(to))
		default:
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// openIndexRing gives one index of each ring of names a temporary one.
func (p *planner) openIndexRing(now, last *designer.Table, temporary func() string) *designer.Table {
	var list []designer.Rename
	for _, x := range now.Indexes {
		for _, next := range last.Indexes {
			if next.ID == x.ID && next.Name != x.Name {
				list = append(list, designer.Rename{From: x.Name, To: next.Name})
			}
		}
	}
	batches := inBatches(list, temporary)
	if len(batches) < 2 {
		return now // no ring
	}
	next := withoutKeys(now)
	var clauses, back []string
	for _, r := range batches[0] {
		clauses = append(clauses, "RENAME INDEX "+quoteName(r.From)+" TO "+quoteName(r.To))
		back = append(back, "RENAME INDEX "+quoteName(r.To)+" TO "+quoteName(r.From))
		for i := range next.Indexes {
			if next.Indexes[i].Name == r.From {
				next.Indexes[i].Name = r.To
			}
		}
	}
	p.step(designer.Step{
		Statement: alter(now.Name, clauses), Comment: "Free the name of an index of table " + now.Name, Reverse: alter(now.Name, back),
		Tables: []designer.TableName{p.beforePlan(now)},
		Made:   p.renamedProbe(batches[0], func(name string, there bool) string { return indexProbe(now.Name, name, there) }),
	})
	return next
}
