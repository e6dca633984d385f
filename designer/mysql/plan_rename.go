package mysql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// renameTables gives tables their names in one statement, in which the server
// goes from left to right and makes all or none. A ring of names is opened by
// one before it: so some name shows whether each of them was made.
func (p *planner) renameTables() {
	taken := map[string]bool{}
	for _, s := range []*designer.Schema{p.d.From, p.d.To} {
		for _, t := range s.Tables() {
			taken[designer.Fold(t.Name)] = true
		}
	}
	var list []designer.Rename
	before := map[string]*designer.Table{} // by the name before
	wanted := map[string]bool{}
	for _, c := range p.d.Changed {
		if c.Renamed {
			wanted[designer.Fold(c.To.Name)] = true
			list = append(list, designer.Rename{From: c.From.Name, To: c.To.Name})
			before[c.From.Name] = c.From
		}
	}
	temporary := p.temporary(taken)
	space := designer.Namespace{Fold: designer.Fold, Temporary: func(string) string { return temporary() }}
	var parked, rest []designer.Rename
	for _, r := range space.Sequence(list) {
		if before[r.From] != nil && !wanted[designer.Fold(r.To)] {
			parked = append(parked, r)
			continue
		}
		rest = append(rest, r)
	}
	var words []string
	var tables []designer.TableName
	for _, r := range list {
		words = append(words, r.From+" to "+r.To)
		tables = append(tables, tableName(before[r.From]))
	}
	p.renameTablesStep(parked, "Free "+ifOne(len(parked), "the name of a table", "the names of tables"), tables)
	p.renameTablesStep(rest, "Rename "+ifOne(len(list), "table ", "tables ")+strings.Join(words, ", "), tables)
}

// renameTablesStep gives tables their names, from left to right.
func (p *planner) renameTablesStep(list []designer.Rename, comment string, tables []designer.TableName) {
	if len(list) == 0 {
		return
	}
	var there, back []string
	for _, r := range list {
		there = append(there, quoteName(r.From)+" TO "+quoteName(r.To))
		back = slices.Insert(back, 0, quoteName(r.To)+" TO "+quoteName(r.From))
	}
	p.add(designer.Step{Statement: "RENAME TABLE " + strings.Join(there, ", "), Comment: comment,
		Reverse: "RENAME TABLE " + strings.Join(back, ", "), Tables: tables, Made: p.renamedProbe(list, tableProbe)})
}

func ifOne(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

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
	p.add(designer.Step{
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
	p.add(designer.Step{
		Statement: alter(now.Name, clauses), Comment: "Free the name of an index of table " + now.Name, Reverse: alter(now.Name, back),
		Tables: []designer.TableName{p.beforePlan(now)},
		Made:   p.renamedProbe(batches[0], func(name string, there bool) string { return indexProbe(now.Name, name, there) }),
	})
	return next
}

// inBatches orders renames. Those of one batch are made at once, so that a name
// is free when it is given; a circle of names is opened by a first batch that
// gives one of them a temporary name. So some name of each batch shows whether
// it has been made.
func inBatches(list []designer.Rename, temporary func() string) [][]designer.Rename {
	parked := map[string]string{} // by the name before
	space := designer.Namespace{Fold: designer.Fold, Temporary: func(name string) string {
		parked[name] = temporary()
		return parked[name]
	}}
	space.Sequence(list)
	var first, rest []designer.Rename
	for _, r := range list {
		if name := parked[r.From]; name != "" {
			first = append(first, designer.Rename{From: r.From, To: name})
			r.From = name
		}
		rest = append(rest, r)
	}
	return slices.DeleteFunc([][]designer.Rename{first, rest}, func(batch []designer.Rename) bool { return len(batch) == 0 })
}

// renamedProbe returns the query by which a batch shows that it has been made: one that is
// there only afterwards, or one that is not there any more.
func (p *planner) renamedProbe(batch []designer.Rename, probe func(name string, there bool) string) string {
	before, after := map[string]bool{}, map[string]bool{}
	for _, r := range batch {
		before[designer.Fold(r.From)] = true
		after[designer.Fold(r.To)] = true
	}
	for _, r := range batch {
		if !before[designer.Fold(r.To)] {
			return probe(r.To, true)
		}
		if !after[designer.Fold(r.From)] {
			return probe(r.From, false)
		}
	}
	return "" // of case only: made twice it does no harm
}

// temporary returns names that neither state has, each once.
func (p *planner) temporary(taken map[string]bool) func() string {
	return func() string {
		for {
			p.temps++
			name := "berth_tmp_" + strconv.Itoa(p.temps)
			if !taken[designer.Fold(name)] {
				return name
			}
		}
	}
}
