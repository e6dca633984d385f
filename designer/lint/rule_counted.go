package lint

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func countedRules() []Rule {
	rules := []Rule{
		{ID: rule.UnusedTable, Severity: Info, Off: true, Dialects: noSQLite, table: unusedTable,
			Says: "the server has not read a table that has rows", Why: "it may be left from something",
			Peers: "azimutt entity-unused"},
		{ID: rule.NoRows, Severity: Info, Off: true, table: noRows,
			Says: "a table has no rows", Why: "it may never have been used",
			Peers: "azimutt entity-empty"},
		{ID: rule.UnusedIndex, Severity: Info, Off: true, table: unusedIndex,
			Says: "the server has not used an index that is no key, and has read the table", Why: "each write keeps it",
			Peers: "azimutt index-unused"},
		{ID: rule.HeavyIndexes, Severity: Info, table: heavyIndexes,
			Says: "the indexes of a table are larger than its rows, and than 64 MiB", Why: "they cost memory and writes",
			Peers: "azimutt entity-index-too-heavy"},
		{ID: rule.DeadRows, Severity: Info, table: deadRows,
			Says: "a table has more dead rows than a third of its living ones", Why: "it is not vacuumed as it should be",
			Peers: "azimutt entity-not-clean"},
		{ID: rule.EmptyColumn, Severity: Info, Off: true, table: emptyColumn,
			Says: "a column is NULL in every row", Why: "nothing writes it",
			Peers: "azimutt attribute-empty"},
	}
	for i := range rules {
		rules[i].Counted = true
		if rules[i].Dialects == nil {
			rules[i].Dialects = []string{"postgres"}
		}
	}
	return rules
}

// counted returns what the server counted of a table.
func (p *pass) counted(t *designer.Table) (designer.TableStatistics, bool) {
	if p.opts.Statistics == nil {
		return designer.TableStatistics{}, false
	}
	s, ok := p.opts.Statistics.Tables[designer.TableName{Schema: t.Schema, Name: t.Name}]
	return s, ok
}

// busy is how often something has to have been read for its neighbours to be
// called unused: a server that has just begun to count says nothing.
const busy = 100

func unusedTable(p *pass, t *designer.Table) {
	if c, ok := p.counted(t); ok && c.Reads == 0 && c.Rows > 0 && p.facts.inUse(p) {
		p.say(t, subject{}, "Table %s has %d rows, and the server has not read it since it counts", p.nameOf(t), c.Rows)
	}
}

func noRows(p *pass, t *designer.Table) {
	if c, ok := p.counted(t); ok && c.Rows == 0 {
		p.say(t, subject{}, "Table %s has no rows", p.nameOf(t))
	}
}

func unusedIndex(p *pass, t *designer.Table) {
	c, ok := p.counted(t)
	if !ok || c.Reads < busy || c.Rows == 0 {
		return
	}
	for _, x := range t.Indexes {
		if n, known := c.IndexReads[x.Name]; known && n == 0 && !x.Unique && !x.Constraint {
			p.say(t, object(x.Name), "Index %s of %s has not been used since the server counts", keyName(x.Name), p.nameOf(t))
		}
	}
}

// heavy is the size below which indexes weigh nothing.
const heavy = 64 << 20

func heavyIndexes(p *pass, t *designer.Table) {
	if c, ok := p.counted(t); ok && c.IndexBytes > c.Bytes && c.IndexBytes > heavy {
		p.say(t, subject{}, "The indexes of %s have %d MiB, its rows %d", p.nameOf(t), c.IndexBytes>>20, c.Bytes>>20)
	}
}

func deadRows(p *pass, t *designer.Table) {
	const few = 10_000
	if c, ok := p.counted(t); ok && c.DeadRows > few && c.DeadRows*3 > c.Rows {
		p.say(t, subject{}, "Table %s has %d dead rows beside %d", p.nameOf(t), c.DeadRows, c.Rows)
	}
}

func emptyColumn(p *pass, t *designer.Table) {
	c, ok := p.counted(t)
	if !ok || c.Rows == 0 {
		return
	}
	for _, name := range c.Empty {
		p.say(t, subject{column: name}, "%s.%s is NULL in every row", p.nameOf(t), clip.Name(name))
	}
}
