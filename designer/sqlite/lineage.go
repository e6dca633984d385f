package sqlite

import (
	"github.com/berth-dev/berth/designer/sqltext"
)

// lineage says which table and column of before a plan one of afterwards is,
// as the plan's own statements tell: renamings, and rows that are copied from
// one table into another.
type lineage struct {
	tables  map[string]string            // folded names from before by folded ones of now
	columns map[string]map[string]string // the same for columns, by the table's name from before
}

func newLineage() lineage {
	return lineage{tables: map[string]string{}, columns: map[string]map[string]string{}}
}

// table returns the folded name that a table had; its own if no statement
// tells of it.
func (l lineage) table(name string) string {
	if was, ok := l.tables[fold(name)]; ok {
		return was
	}
	return fold(name)
}

func (l lineage) column(table, name string) string {
	if was, ok := l.columns[l.table(table)][fold(name)]; ok {
		return was
	}
	return fold(name)
}

// follow takes one statement in.
func (l lineage) follow(statement string) {
	p := newParser(statement)
	switch {
	case p.accept("ALTER", "TABLE"):
		l.alter(p)
	case p.accept("DROP", "TABLE"):
		if name, err := p.name(); err == nil {
			l.vacate(name)
		}
	case p.accept("CREATE", "TABLE"):
		if name, err := p.name(); err == nil && p.accept("AS") {
			l.copied(p, name)
		}
	case p.accept("INSERT", "OR", "ABORT", "INTO"):
		if name, err := p.name(); err == nil {
			l.copied(p, name)
		}
	}
}

// vacate notes that a table of this name would be a new one.
func (l lineage) vacate(name string) { l.tables[fold(name)] = "new " + fold(name) }

func (l lineage) alter(p *parser) {
	table, err := p.name()
	if err != nil || !p.accept("RENAME") {
		return
	}
	p.accept("COLUMN")
	from, column := table, ""
	if !p.accept("TO") {
		if column, err = p.name(); err != nil || !p.accept("TO") {
			return
		}
	}
	to, err := p.name()
	if err != nil {
		return
	}
	if column == "" {
		was := l.table(from)
		l.vacate(from)
		l.tables[fold(to)] = was
		return
	}
	of, was := l.table(table), l.column(table, column)
	if l.columns[of] == nil {
		l.columns[of] = map[string]string{}
	}
	delete(l.columns[of], fold(column))
	l.columns[of][fold(to)] = was
}

// copied notes that the rows of the table after the last FROM go into a table.
func (l lineage) copied(p *parser, into string) {
	for i := len(p.tokens) - 2; i >= p.pos; i-- {
		if p.tokens[i].Is("FROM") && isNameToken(p.tokens[i+1]) {
			l.tables[fold(into)] = l.table(p.tokens[i+1].Name)
			return
		}
	}
}

// mayBreakKeys reports whether a statement may make rows violate a foreign key.
func mayBreakKeys(statement string) bool {
	p := newParser(statement)
	switch {
	case p.at("DROP", "INDEX"), p.at("CREATE", "INDEX"), p.at("CREATE", "UNIQUE", "INDEX"), p.at("PRAGMA"):
		return false
	case p.accept("ALTER", "TABLE"):
		if _, err := p.name(); err == nil && p.accept("RENAME") {
			return false
		}
		for _, t := range p.tokens[p.pos:] {
			if t.Kind == sqltext.Word && t.Is("REFERENCES") {
				return true
			}
		}
		return p.at("DROP")
	}
	return true
}
