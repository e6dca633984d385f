package designer

// Aspects are the single things that changes of a schema decide: that a
// column is there, what its type is, that no table has a name any more. By
// them it is known which edits a later change takes back.
type Aspects map[aspect]bool

// aspect is one of them: of a table or a part by its id or, where it is about
// what is not there and has no id, by its name.
type aspect struct {
	table ID     // of a part known by its name; "": the id says all
	of    string // an id or a folded name
	what  string
}

// What an aspect can be about. The words are of no further meaning.
const (
	isThere  = "there"
	isAbsent = "absent"
)

// Decides returns what c decides.
func (c Change) Decides() Aspects {
	a := Aspects{}
	for _, tc := range c.Tables {
		switch {
		case tc.Before == nil:
			a.addTable(tc.After)
			a[nameOfTable(tc.After)] = true
		case tc.After == nil:
			a.addTable(tc.Before)
			a[nameOfTable(tc.Before)] = true
		case tc.Before != tc.After:
			a.addDiff(DiffTables(tc.Before, tc.After))
		}
	}
	for _, tc := range c.Types {
		a.addType(tc)
	}
	return a
}

// addType adds what there is to decide about a type as a whole, and its name
// for one that comes back under another id.
func (a Aspects) addType(tc TypeChange) {
	one := tc.After
	if one == nil {
		one = tc.Before
	}
	a[aspect{of: string(one.ID), what: isThere}] = true
	a[aspect{of: "type " + Fold(one.Schema) + "\x00" + Fold(one.Name), what: isAbsent}] = true
}

// Take removes from a what b decides as well, and reports whether there was
// anything.
func (a Aspects) Take(b Aspects) bool {
	n := len(a)
	for one := range b {
		delete(a, one)
	}
	return len(a) < n
}

func nameOfTable(t *Table) aspect {
	return aspect{of: Fold(t.Schema) + "\x00" + Fold(t.Name), what: isAbsent}
}

// addTable adds all that there is to decide about a table, which comes or
// goes with it.
func (a Aspects) addTable(t *Table) {
	a[aspect{of: string(t.ID), what: isThere}] = true
	a.addDiff(TableDiff{To: t, Renamed: true, Moved: true, Comment: true, Options: true, PrimaryKey: true})
	for _, c := range t.Columns {
		a.addColumn(t, ColumnDiff{PartDiff: PartDiff[Column]{To: &c}})
	}
	for _, k := range t.ForeignKeys {
		a.addPart(t, k.ID, k.Name)
	}
	for _, x := range t.Indexes {
		a.addPart(t, x.ID, x.Name)
	}
	for _, k := range t.Checks {
		a.addPart(t, k.ID, k.Name)
	}
}

func (a Aspects) addDiff(d TableDiff) {
	for what, differs := range map[string]bool{"name": d.Renamed, "schema": d.Moved, "comment": d.Comment,
		"options": d.Options, "primary key": d.PrimaryKey} {
		if differs {
			a[aspect{of: string(d.To.ID), what: what}] = true
		}
	}
	for _, c := range d.Columns {
		a.addColumn(d.To, c)
	}
	addParts(a, d.To, d.ForeignKeys, func(k *ForeignKey) (ID, string) { return k.ID, k.Name })
	addParts(a, d.To, d.Indexes, func(x *Index) (ID, string) { return x.ID, x.Name })
	addParts(a, d.To, d.Checks, func(k *Check) (ID, string) { return k.ID, k.Name })
}

func addParts[T any](a Aspects, t *Table, parts []PartDiff[T], name func(*T) (ID, string)) {
	for _, p := range parts {
		one := p.To
		if one == nil {
			one = p.From
		}
		id, word := name(one)
		a.addPart(t, id, word)
	}
}

// addPart adds a part that is decided about as a whole. Its name is added for
// one that comes back under another id.
func (a Aspects) addPart(t *Table, id ID, name string) {
	a[aspect{of: string(id), what: isThere}] = true
	if name != "" {
		a[aspect{table: t.ID, of: Fold(name), what: isAbsent}] = true
	}
}

func (a Aspects) addColumn(t *Table, d ColumnDiff) {
	if !d.Changed() {
		one := d.To
		if one == nil {
			one = d.From
		}
		a.addPart(t, one.ID, one.Name)
		d = wholeColumn(*one)
	}
	for what, differs := range map[string]bool{"name": d.Renamed, "type": d.Type, "nullable": d.Nullable, "default": d.Default,
		"identity": d.Identity, "computed": d.Computed, "collation": d.Collation, "comment": d.Comment, "options": d.Options} {
		if differs {
			a[aspect{of: string(d.From.ID), what: what}] = true
		}
	}
}

// wholeColumn stands for all that there is to decide about a column.
func wholeColumn(c Column) ColumnDiff {
	return ColumnDiff{PartDiff: PartDiff[Column]{From: &c, To: &c}, Renamed: true, Type: true, Nullable: true,
		Default: true, Identity: true, Computed: true, Collation: true, Comment: true, Options: true}
}
