package lint

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func tableRules() []Rule {
	return []Rule{
		{ID: rule.EmptyTable, Severity: Error, table: emptyTable,
			Says: "a table has no columns", Why: "only PostgreSQL takes it, and no row of it says anything"},
		{ID: rule.OneColumn, Severity: Info, table: oneColumn,
			Says: "a table has one column, and nothing refers to it", Why: "a list of values that no key uses is often a forgotten relation"},
		{ID: rule.TooManyColumns, Severity: Info, table: tooManyColumns,
			Says: "a table has more than 50 columns", Why: "it is often several tables in one",
			Peers: "azimutt entity-too-large"},
		{ID: rule.NumberedColumns, Severity: Info, table: numberedColumns,
			Says: "a table has three or more columns that differ in a number", Why: "a list in columns cannot be searched or counted; a table of its own can"},
		{ID: rule.IsolatedTable, Severity: Info, Off: true, table: isolated,
			Says: "no foreign key leads to or from a table", Why: "it may be a relation that nobody declared"},
		{ID: rule.NonTransactional, Severity: Warning, Dialects: []string{"mysql"}, table: nonTransactional,
			Says: "a table is kept by an engine without transactions", Why: "a crash or a failed statement leaves half of it, and foreign keys are not checked"},
	}
}

func emptyTable(p *pass, t *designer.Table) {
	if len(t.Columns) == 0 {
		p.say(t, subject{}, "Table %s has no columns", p.nameOf(t))
	}
}

func oneColumn(p *pass, t *designer.Table) {
	if len(t.Columns) == 1 && len(t.ForeignKeys) == 0 && len(p.s.Incoming(t.ID)) == 0 {
		p.say(t, subject{}, "Table %s has one column, and nothing refers to it", p.nameOf(t))
	}
}

// maxColumns is where a table has too many.
const maxColumns = 50

func tooManyColumns(p *pass, t *designer.Table) {
	if n := len(t.Columns); n > maxColumns {
		p.say(t, subject{}, "Table %s has %d columns", p.nameOf(t), n)
	}
}

// numberedColumns looks for three numbers in a row: columns that are numbered
// for another reason, as by their place in a form, have gaps.
func numberedColumns(p *pass, t *designer.Table) {
	byStem := map[string]map[int]string{}
	var order []string
	for _, c := range t.Columns {
		stem := strings.TrimRight(c.Name, "0123456789")
		number, err := strconv.Atoi(c.Name[len(stem):])
		if stem == "" || err != nil {
			continue
		}
		stem += "|" + c.DataType
		if byStem[stem] == nil {
			byStem[stem] = map[int]string{}
			order = append(order, stem)
		}
		byStem[stem][number] = c.Name
	}
	for _, stem := range order {
		if names := longestRun(byStem[stem]); len(names) >= 3 {
			p.say(t, subject{column: names[0]}, "Columns %s of %s are a list", listed(names), p.nameOf(t))
		}
	}
}

// longestRun returns the names of the longest run of numbers without a gap.
func longestRun(byNumber map[int]string) (longest []string) {
	var run []string
	last := -1
	for _, n := range slices.Sorted(maps.Keys(byNumber)) {
		if n != last+1 {
			run = nil
		}
		run, last = append(run, byNumber[n]), n
		if len(run) > len(longest) {
			longest = slices.Clone(run)
		}
	}
	return longest
}

func isolated(p *pass, t *designer.Table) {
	if len(t.ForeignKeys) == 0 && len(p.s.Incoming(t.ID)) == 0 && len(t.Columns) > 0 {
		p.say(t, subject{}, "No foreign key leads to or from %s", p.nameOf(t))
	}
}

// transactional are the engines that keep transactions; of one that is not
// listed in weak nothing is said.
var weak = words("myisam aria memory csv archive blackhole merge mrg_myisam federated")

func nonTransactional(p *pass, t *designer.Table) {
	if e := t.Options["engine"]; weak[strings.ToLower(e)] {
		p.say(t, subject{}, "Table %s is kept by %s, which has no transactions", p.nameOf(t), clip.Name(e))
	}
}
