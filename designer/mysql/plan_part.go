package mysql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// dropParts drops checks, the primary key and indexes that go or change.
func (a *alteration) dropParts() {
	names := partNames(a.diff.Checks, func(k designer.Check) string { return k.Name })
	for _, k := range a.diff.Checks {
		if k.From == nil {
			continue
		}
		a.do("DROP CONSTRAINT "+quoteName(k.From.Name), ifDropped(k.To == nil, "drop check "+k.From.Name))
		if !names[designer.Fold(k.From.Name)] {
			a.shownBy(constraintProbe(a.to.Name, k.From.Name, false))
		}
	}
	for _, k := range a.checksToRemake() {
		a.do("DROP CONSTRAINT "+quoteName(k.Name), "")
	}
	if a.diff.PrimaryKey && a.from.PrimaryKey != nil {
		a.do("DROP PRIMARY KEY", ifDropped(a.to.PrimaryKey == nil, "drop the primary key"))
		if a.to.PrimaryKey == nil {
			a.shownBy(indexProbe(a.to.Name, "PRIMARY", false))
		}
		a.rewrites = true
	}
	names = partNames(a.diff.Indexes, func(x designer.Index) string { return x.Name })
	for _, x := range a.diff.Indexes {
		if x.From == nil || onlyRenamed(x) {
			continue
		}
		a.do("DROP INDEX "+quoteName(x.From.Name), ifDropped(x.To == nil, "drop index "+x.From.Name))
		if !names[designer.Fold(x.From.Name)] {
			a.shownBy(indexProbe(a.to.Name, x.From.Name, false))
		}
	}
	for _, x := range a.indexesToRemake() {
		a.do("DROP INDEX "+quoteName(x.Name), "")
	}
}

func ifDropped(dropped bool, words string) string {
	if dropped {
		return words
	}
	return "" // it shows where it is added
}

// partNames are the folded names that parts have afterwards.
func partNames[T any](parts []designer.PartDiff[T], name func(T) string) map[string]bool {
	names := map[string]bool{}
	for _, p := range parts {
		if p.To != nil {
			names[designer.Fold(name(*p.To))] = true
		}
	}
	return names
}

// addParts adds what dropParts made room for, and what is new.
func (a *alteration) addParts() {
	for _, x := range a.diff.Indexes {
		if onlyRenamed(x) {
			a.do("RENAME INDEX "+quoteName(x.From.Name)+" TO "+quoteName(x.To.Name), "rename index "+x.From.Name+" to "+x.To.Name)
			if !a.hadIndex(x.To.Name) {
				a.shownBy(indexProbe(a.to.Name, x.To.Name, true))
			}
		}
	}
	if a.diff.PrimaryKey && a.to.PrimaryKey != nil {
		a.do("ADD "+primaryKeyClause(keyDefinition(a.to)), "make the primary key ("+strings.Join(keyDefinition(a.to).Columns, ", ")+")")
		if a.from.PrimaryKey == nil {
			a.shownBy(indexProbe(a.to.Name, "PRIMARY", true))
		}
		a.rewrites, a.mayFail = true, true
	}
	for _, x := range a.diff.Indexes {
		if x.To == nil || onlyRenamed(x) {
			continue
		}
		a.do("ADD "+indexClause(indexDefinition(a.to, *x.To)), changed(x.From == nil, "index "+x.To.Name))
		if !a.hadIndex(x.To.Name) {
			a.shownBy(indexProbe(a.to.Name, x.To.Name, true))
		}
		a.mayFail = a.mayFail || x.To.Unique
		a.notes = append(a.notes, shortened(a.to, *x.To)...)
	}
	for _, x := range a.indexesToRemake() {
		a.do("ADD "+indexClause(indexDefinition(a.to, x)), "")
	}
	for _, k := range a.diff.Checks {
		if k.To == nil {
			continue
		}
		a.do("ADD "+checkClause(checkDefinition(*k.To)), changed(k.From == nil, "check "+k.To.Name))
		if !slices.ContainsFunc(a.from.Checks, func(o designer.Check) bool { return strings.EqualFold(o.Name, k.To.Name) }) {
			a.shownBy(constraintProbe(a.to.Name, k.To.Name, true))
		}
		a.mayFail, a.rewrites = true, true
	}
	for _, k := range a.checksToRemake() {
		a.do("ADD "+checkClause(checkDefinition(k)), "")
	}
}

// longestKey is how many bytes of a column an index of InnoDB can hold, and
// charBytes how many a character takes where nothing is known of it.
const (
	longestKey = 3072
	charBytes  = 4
)

// shortened notes the columns of an index that the server may shorten in it,
// without an error: it does so where the index is not unique. How long a
// character is depends on character sets that the design does not know.
func shortened(t *designer.Table, x designer.Index) (notes []string) {
	for _, part := range x.Parts {
		c := columnByID(t, part.Column)
		if c == nil || x.Unique || x.Method != "" {
			continue
		}
		info, known := typeNamed(c.DataType)
		length, bytes := part.Length, charBytes
		if length == 0 {
			length, _ = strconv.Atoi(c.MaxLength) // "": the server asks for a length
		}
		if known && info.Family == "binary" {
			bytes = 1
		}
		if known && (info.Family == "text" || info.Family == "binary") && length*bytes > longestKey && !singleByte(c.Collation) {
			notes = append(notes, "Index "+x.Name+" of "+t.Name+" is longer than a key of the server can be: it may keep only the beginning of "+c.Name+".")
		}
	}
	return notes
}

func singleByte(collation string) bool {
	return strings.HasPrefix(collation, "latin") || strings.HasPrefix(collation, "ascii_")
}

func changed(added bool, what string) string {
	if added {
		return "add " + what
	}
	return "change " + what
}

func (a *alteration) hadIndex(name string) bool {
	return slices.ContainsFunc(a.from.Indexes, func(x designer.Index) bool { return strings.EqualFold(x.Name, name) })
}

// onlyRenamed reports whether an index keeps everything but its name.
func onlyRenamed(d designer.PartDiff[designer.Index]) bool {
	if !d.Changed() {
		return false
	}
	to := *d.To
	to.Name = d.From.Name
	unnamed := &designer.Table{} // columns do not matter: ids are compared
	return to.Name != d.To.Name && indexClause(indexDefinition(unnamed, *d.From)) == indexClause(indexDefinition(unnamed, to)) &&
		slices.Equal(d.From.Parts, d.To.Parts)
}

// unchangedParts are the parts of both states that do not differ.
func unchangedParts[T any](list []T, id func(T) designer.ID, diffs []designer.PartDiff[T]) []T {
	var out []T
	for _, v := range list {
		if !slices.ContainsFunc(diffs, func(d designer.PartDiff[T]) bool {
			return d.From != nil && id(*d.From) == id(v) || d.To != nil && id(*d.To) == id(v)
		}) {
			out = append(out, v)
		}
	}
	return out
}

// checksToRemake are those that name a column that is re-created.
func (a *alteration) checksToRemake() []designer.Check {
	same := unchangedParts(a.to.Checks, func(k designer.Check) designer.ID { return k.ID }, a.diff.Checks)
	return slices.DeleteFunc(same, func(k designer.Check) bool { return !a.mentionsRemade(k.Expression) })
}

// indexesToRemake are those with a column that is re-created, which would fall
// out of them; and those that the server may have made for a foreign key by
// itself, which it drops without a word when a wider one comes.
func (a *alteration) indexesToRemake() []designer.Index {
	same := unchangedParts(a.to.Indexes, func(x designer.Index) designer.ID { return x.ID }, a.diff.Indexes)
	return slices.DeleteFunc(same, func(x designer.Index) bool {
		remade := slices.ContainsFunc(x.Parts, func(p designer.IndexKey) bool { return a.remade[p.Column] })
		return !remade && !a.outgrown(x)
	})
}

// outgrown reports whether a new key begins with the columns of a plain index.
func (a *alteration) outgrown(x designer.Index) bool {
	if !plain(x) {
		return false
	}
	columns := columnsOf(x)
	begins := func(key []designer.ID) bool {
		return len(columns) > 0 && len(key) >= len(columns) && slices.Equal(key[:len(columns)], columns)
	}
	if a.diff.PrimaryKey && a.to.PrimaryKey != nil && begins(a.to.PrimaryKey.Columns) {
		return true
	}
	return slices.ContainsFunc(a.diff.Indexes, func(d designer.PartDiff[designer.Index]) bool {
		return d.To != nil && !onlyRenamed(d) && begins(columnsOf(*d.To))
	})
}

// plain reports whether the server may have made the index by itself.
func plain(x designer.Index) bool { return !x.Unique && x.Method == "" && len(x.Options) == 0 }

// columnsOf lists the columns of an index, nil where it is not of whole
// columns alone.
func columnsOf(x designer.Index) []designer.ID {
	var out []designer.ID
	for _, p := range x.Parts {
		if p.Column == "" || p.Length > 0 {
			return nil
		}
		out = append(out, p.Column)
	}
	return out
}
