package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func relationRules() []Rule {
	return []Rule{
		{ID: rule.UnindexedForeignKey, Severity: Warning, Dialects: []string{"sqlite", "postgres", "mssql"}, table: unindexed, Edit: "an index on the columns is added",
			Says: "no index begins with the columns of a foreign key", Why: "a join and each delete of a referenced row read the whole table (MySQL makes such an index itself)",
			Peers: "azimutt index-on-relation"},
		{ID: rule.ForeignKeyType, Severity: Warning, table: foreignKeyType, Edit: "the column gets the type of the one it refers to, where that holds all it holds",
			Says: "the two sides of a foreign key have other types", Why: "values fit one side only, and an index may not serve the comparison",
			Peers: "azimutt relation-misaligned"},
		{ID: rule.DanglingForeignKey, Severity: Error, Dialects: []string{"sqlite", "mysql"}, table: dangling,
			Says: "a foreign key refers to a table or column that does not exist", Why: "writing a row fails, or nothing is checked",
			Peers: "azimutt relation-miss-entity, relation-miss-attribute"},
		{ID: rule.ForeignKeyTarget, Severity: Error, Dialects: []string{"sqlite", "mysql"}, table: foreignKeyTarget,
			Says: "a foreign key refers to columns that are no key", Why: "SQLite refuses to write the rows; MySQL takes it, and the row meant is not certain"},
		{ID: rule.DuplicateForeignKey, Severity: Warning, table: duplicateForeignKey, Edit: "the second one is dropped, where both do the same",
			Says: "two foreign keys have the same columns on both sides", Why: "each write checks twice, and actions may contradict each other",
			Peers: "drawdb duplicate_reference"},
		{ID: rule.MissingForeignKey, Severity: Info, table: missingForeignKey, Edit: "the foreign key is added",
			Says: "a column is named after another table's key, has its type, and no foreign key", Why: "nothing keeps rows from naming one that does not exist",
			Peers: "azimutt relation-missing"},
	}
}

func unindexed(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		columns := columnsFrom(k)
		if k.RefTable == "" || indexed(t, columns) {
			continue
		}
		names := namesOf(t, columns)
		p.say(t, subject{column: firstOf(names), object: k.Name}.with(
			Edit{Op: designer.AddIndex, Table: p.tableRef(t), Index: newIndex{names}}),
			"No index of %s begins with %s, the foreign key %s", p.nameOf(t), listed(names), keyName(k.Name))
	}
}

// firstOf is the column of a key that has one, "" if it has several.
func firstOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}

// indexed reports whether rows are found by these columns. An index of the
// rows that have a value serves too: only those refer to anything.
func indexed(t *designer.Table, columns []designer.ID) bool {
	if t.PrimaryKey != nil && covers(t.PrimaryKey.Columns, columns) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x designer.Index) bool {
		where := strings.ToLower(x.Where)
		return (where == "" || strings.HasSuffix(strings.Trim(where, "() "), "is not null") && !strings.Contains(where, " and ")) &&
			(x.Method == "" || x.Method == "hash") && covers(keyColumns(x), columns)
	})
}

func foreignKeyType(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		to := p.s.ByID(k.RefTable)
		if to == nil {
			continue
		}
		for _, m := range k.Mappings {
			a, b := t.ColumnByID(m.Column), to.ColumnByID(m.RefColumn)
			if a == nil || b == nil || !p.differ(*a, *b) {
				continue
			}
			about := subject{column: a.Name, object: k.Name}
			if p.widens(*a, *b) {
				about = about.with(p.retypeUnder(t, k, to, *a, *b)...)
			}
			p.say(t, about, "%s.%s is %s and refers to %s.%s, which is %s", p.nameOf(t), clip.Name(a.Name),
				clip.Name(p.d.TypeText(*a)), p.nameOf(to), clip.Name(b.Name), clip.Name(p.d.TypeText(*b)))
		}
	}
}

// differ reports whether a column cannot hold what another one holds, or holds
// it as something else. Of SQLite the affinity counts, of texts the length.
func (p *pass) differ(a, b designer.Column) bool {
	x, y := p.info(a), p.info(b)
	switch {
	case x == nil || y == nil:
		return p.d.Name != "sqlite" && !strings.EqualFold(a.DataType, b.DataType) && (x != nil || y != nil)
	case p.d.Name == "sqlite":
		return x.Family != y.Family && a.DataType != "" && b.DataType != ""
	case p.isText(a) && p.isText(b):
		return x.Family != y.Family || shorter(a.MaxLength, b.MaxLength)
	}
	return x.Name != y.Name || a.Precision != b.Precision || a.Scale != b.Scale
}

// retypeUnder gives a the type of b, to which the foreign key k of t has it refer.
// No type changes under a key, so that it is dropped and made again; nil where
// it has what no edit can say.
func (p *pass) retypeUnder(t *designer.Table, k designer.ForeignKey, to *designer.Table, a, b designer.Column) []Edit {
	if k.Deferrable != "" || len(k.Options) > 0 {
		return nil
	}
	again := newKey{Name: k.Name, ReferencedTable: p.tableRef(to), OnDeleteAction: &k.OnDelete, OnUpdateAction: &k.OnUpdate}
	own, others := t.ColumnNames(), to.ColumnNames()
	for _, m := range k.Mappings {
		again.Mappings = append(again.Mappings, designer.NameMapping{Column: own[m.Column], ReferencedColumn: others[m.RefColumn]})
	}
	return []Edit{
		{Op: designer.DropForeignKey, Table: p.tableRef(t), ForeignKey: Ref{ID: k.ID}},
		p.retype(t, a, p.d.TypeText(b)),
		{Op: designer.AddForeignKey, Table: p.tableRef(t), ForeignKey: again},
	}
}

// integers are whole numbers with a sign, the narrower ones first; those
// without one are a kind behind theirs.
var (
	integers = []designer.TypeKind{designer.KindInt8, designer.KindInt16, designer.KindInt24, designer.KindInt32, designer.KindInt64}
	unsigned = []designer.TypeKind{designer.KindUint8, designer.KindUint16, designer.KindUint32, designer.KindUint64}
)

// widens reports whether b holds every value that a holds, as what it is.
func (p *pass) widens(a, b designer.Column) bool {
	if p.isText(a) && p.isText(b) {
		return p.info(a).Family == p.info(b).Family && shorter(a.MaxLength, b.MaxLength)
	}
	for _, kinds := range [][]designer.TypeKind{integers, unsigned} {
		if i := slices.Index(kinds, p.kind(a)); i >= 0 {
			return slices.Index(kinds, p.kind(b)) > i
		}
	}
	return false
}

// shorter reports whether a column of one length holds less than one of
// another. Without a length it holds all.
func shorter(a, b string) bool {
	n, err := strconv.Atoi(a)
	if err != nil {
		return false
	}
	m, err := strconv.Atoi(b)
	return err != nil || n < m
}

func dangling(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		if k.RefTable != "" || k.Dangling == nil {
			continue
		}
		p.say(t, object(k.Name), "Foreign key %s of %s refers to %s (%s), which does not exist", keyName(k.Name), p.nameOf(t),
			clip.Name(k.Dangling.Table), listed(k.Dangling.Columns))
	}
}

func foreignKeyTarget(p *pass, t *designer.Table) {
	for _, k := range t.ForeignKeys {
		to := p.s.ByID(k.RefTable)
		if to == nil {
			continue
		}
		ids := make([]designer.ID, len(k.Mappings))
		for i, m := range k.Mappings {
			ids[i] = m.RefColumn
		}
		if !isKey(to, ids) {
			p.say(t, object(k.Name), "Foreign key %s of %s refers to %s (%s), which is no key", keyName(k.Name), p.nameOf(t), p.nameOf(to), columnsOf(to, ids))
		}
	}
}

func duplicateForeignKey(p *pass, t *designer.Table) {
	for i, k := range t.ForeignKeys {
		for _, o := range t.ForeignKeys[:i] {
			if k.RefTable == "" || k.RefTable != o.RefTable || len(k.Mappings) != len(o.Mappings) ||
				slices.ContainsFunc(k.Mappings, func(m designer.Mapping) bool { return !slices.Contains(o.Mappings, m) }) {
				continue
			}
			about := object(k.Name)
			if k.OnDelete == o.OnDelete && k.OnUpdate == o.OnUpdate && k.Deferrable == o.Deferrable {
				about = about.with(Edit{Op: designer.DropForeignKey, Table: p.tableRef(t), ForeignKey: Ref{ID: k.ID}})
			}
			p.say(t, about, "Foreign keys %s and %s of %s have the same columns", keyName(o.Name), keyName(k.Name), p.nameOf(t))
			break
		}
	}
}

func missingForeignKey(p *pass, t *designer.Table) {
	if t.Options["inherits"] != "" { // its columns are another table's
		return
	}
	for _, c := range t.Columns {
		to, key := p.facts.referred(p, t, c)
		if to == nil {
			continue
		}
		p.say(t, column(c).with(Edit{Op: designer.AddForeignKey, Table: p.tableRef(t), ForeignKey: newKey{ReferencedTable: p.tableRef(to),
			Mappings: []designer.NameMapping{{Column: c.Name, ReferencedColumn: key.Name}}}}),
			"%s.%s looks like a reference to %s.%s, and is no foreign key", p.nameOf(t), clip.Name(c.Name), p.nameOf(to), clip.Name(key.Name))
	}
}
