package review

import (
	"cmp"
	"maps"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// Net collects what the agent's steps changed. It is for one use by one
// goroutine.
type Net struct {
	accepted Accepted
	// before is, of what the agent changed last, the table as it was before the
	// first of the agent's changes in a row; nil: it was not there.
	before map[Key]*designer.Table
	types  map[Key]*designer.NamedType
	closed map[Key]bool  // others changed it last, or it was accepted
	others map[Key]bool  // tables and parts in which others changed anything
	last   map[Key]int64 // number of the agent's last step, by table or type
}

// New returns a Net that leaves out what was accepted.
func New(a Accepted) *Net {
	return &Net{accepted: a, before: map[Key]*designer.Table{}, types: map[Key]*designer.NamedType{},
		closed: map[Key]bool{}, others: map[Key]bool{}, last: map[Key]int64{}}
}

// Add takes a step into account. Steps are added newest first, without gaps.
func (n *Net) Add(number int64, agent bool, c designer.Change) {
	for _, tc := range c.Tables {
		for _, k := range keysOf(tc) {
			if n.open(k, number, agent, adds(tc, k)) {
				n.before[k] = tc.Before
			}
		}
	}
	for _, tc := range c.Types {
		if k := (Key{Part: tc.ID()}); n.open(k, number, agent, tc.Before == nil) {
			n.types[k] = tc.Before
		}
	}
}

// adds reports whether a change adds what k names.
func adds(tc designer.TableChange, k Key) bool {
	if tc.Before == nil {
		return k.Field == ""
	}
	return k.Part != "" && k.Field == "" && !partsOf(tc.Before)[k.Part]
}

// open reports whether the step's part in k is the agent's still, and notes it
// where it is not. What the agent added and others have changed since is no
// addition of the agent's.
func (n *Net) open(k Key, number int64, agent, added bool) bool {
	whole := Key{Table: k.Table, Part: k.Part}
	switch {
	case n.closed[k]:
		return false
	case !agent:
		n.closed[k] = true
		n.others[whole], n.others[Key{Table: k.Table}] = true, true
		return false
	case number <= n.accepted.upTo(k), added && n.others[whole]:
		n.closed[k] = true
		return false
	}
	at := Key{Table: k.Table}
	if k.Table == "" {
		at = k
	}
	n.last[at] = max(n.last[at], number)
	return true
}

// Last returns the number of the agent's last step in a table or a type that is
// still the agent's.
func (n *Net) Last(k Key) int64 { return n.last[k] }

// keys are those of before in an order in which they can be set back: what is
// there, then its fields.
func (n *Net) keys() []Key {
	return slices.SortedFunc(maps.Keys(n.before), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(len(a.Field), len(b.Field)), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Field, b.Field))
	})
}

// Table is one table that the agent changed. Before is nil for one added,
// After for one dropped.
type Table struct{ Before, After *designer.Table }

// Tables returns what the agent changed, from the tables without that to those
// of now.
func (n *Net) Tables(now *designer.Schema) []Table {
	var list []Table
	for id, before := range n.Before(now, func(Key) bool { return true }) {
		after := now.ByID(id)
		switch {
		case before == nil && after == nil:
		case before == nil || after == nil || !designer.DiffTables(before, after).Empty():
			list = append(list, Table{before, after})
		}
	}
	slices.SortFunc(list, func(a, b Table) int {
		x, y := a.named(), b.named()
		return cmp.Or(cmp.Compare(x.Schema, y.Schema), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// ID returns the id of the table.
func (t Table) ID() designer.ID { return t.named().ID }

func (t Table) named() *designer.Table {
	if t.After != nil {
		return t.After
	}
	return t.Before
}
