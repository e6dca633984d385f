package lint

import (
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func indexRules() []Rule {
	return []Rule{
		{ID: rule.DuplicateIndex, Severity: Warning, table: duplicateIndex, Edit: "the one that does less is dropped",
			Says: "an index repeats another one or the primary key", Why: "each write keeps both, and one is never used",
			Peers: "azimutt index-duplicated; drawdb duplicate_index"},
		{ID: rule.PrefixIndex, Severity: Info, table: prefixIndex, Edit: "the shorter one is dropped",
			Says: "the columns of an index are the first ones of another", Why: "the longer one finds the same rows",
			Peers: "azimutt index-duplicated"},
		{ID: rule.TooManyIndexes, Severity: Info, table: tooManyIndexes,
			Says: "a table has more than 20 indexes", Why: "each write keeps all of them",
			Peers: "azimutt entity-index-too-many"},
	}
}

// duplicateIndex compares each index with the primary key and those before it.
func duplicateIndex(p *pass, t *designer.Table) {
	for i, x := range t.Indexes {
		if t.PrimaryKey != nil && ordinary(x) && plainOrder(x) && slices.Equal(keyColumns(x), t.PrimaryKey.Columns) && len(x.Include) == 0 && !clustered(x) {
			p.say(t, p.dropped(t, x), "Index %s of %s repeats the primary key", keyName(x.Name), p.nameOf(t))
			continue
		}
		for _, o := range t.Indexes[:i] {
			if !sameKeys(x, o) {
				continue
			}
			less, more := x, o
			if weight(o) < weight(x) {
				less, more = o, x
			}
			p.say(t, p.dropped(t, less), "Indexes %s and %s of %s are the same", keyName(more.Name), keyName(less.Name), p.nameOf(t))
			break
		}
	}
}

// sameKeys reports whether two indexes find the same rows in the same way.
func sameKeys(a, b designer.Index) bool {
	return a.Method == b.Method && a.Where == b.Where && slices.Equal(a.Parts, b.Parts) && slices.Equal(a.Include, b.Include) &&
		a.Options["opclass"] == b.Options["opclass"] && a.Options["exclude"] == b.Options["exclude"]
}

// weight says which of two equal indexes does more: a constraint, then a unique
// one.
func weight(x designer.Index) int {
	switch {
	case x.Constraint:
		return 2
	case x.Unique:
		return 1
	}
	return 0
}

func plainOrder(x designer.Index) bool {
	return !slices.ContainsFunc(x.Parts, func(k designer.IndexKey) bool {
		return k.Descending || k.Nulls != "" || k.OpClass != "" || k.Collation != ""
	})
}

// clustered reports whether the rows lie in the order of the index, which a
// shorter path to them would not replace.
func clustered(x designer.Index) bool { return x.Options["clustered"] == "true" }

// dropped is the finding with the edit that drops an index. One that foreign
// keys of other tables rely on is left to a person.
func (p *pass) dropped(t *designer.Table, x designer.Index) subject {
	about := object(x.Name)
	if x.Name == "" || x.Unique && p.referredTo(t, keyColumns(x)) {
		return about
	}
	return about.with(Edit{Op: designer.DropIndex, Table: p.tableRef(t), Index: Ref{ID: x.ID}})
}

func (p *pass) referredTo(t *designer.Table, columns []designer.ID) bool {
	for _, from := range p.s.Incoming(t.ID) {
		for _, k := range from.ForeignKeys {
			ids := make([]designer.ID, len(k.Mappings))
			for i, m := range k.Mappings {
				ids[i] = m.RefColumn
			}
			if k.RefTable == t.ID && sameSet(ids, columns) {
				return true
			}
		}
	}
	return false
}

func prefixIndex(p *pass, t *designer.Table) {
	for _, x := range t.Indexes {
		if x.Unique || !ordinary(x) || len(x.Include) > 0 || clustered(x) {
			continue
		}
		if t.PrimaryKey != nil && plainOrder(x) && begins(t.PrimaryKey.Columns, keyColumns(x)) {
			p.say(t, p.dropped(t, x), "Index %s of %s is the beginning of the primary key", keyName(x.Name), p.nameOf(t))
			continue
		}
		for _, o := range t.Indexes {
			if o.Where == "" && o.Method == "" && len(o.Parts) > len(x.Parts) && slices.Equal(o.Parts[:len(x.Parts)], x.Parts) {
				p.say(t, p.dropped(t, x), "Index %s of %s is the beginning of index %s", keyName(x.Name), p.nameOf(t), keyName(o.Name))
				break
			}
		}
	}
}

// begins reports whether a key has more columns than list, which are its first
// ones.
func begins(key, list []designer.ID) bool {
	return len(key) > len(list) && slices.Equal(key[:len(list)], list)
}

// maxIndexes is where a table has too many.
const maxIndexes = 20

func tooManyIndexes(p *pass, t *designer.Table) {
	if n := len(t.Indexes); n > maxIndexes {
		p.say(t, subject{}, "Table %s has %d indexes", p.nameOf(t), n)
	}
}
