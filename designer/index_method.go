package designer

import (
	"slices"
	"strings"
)

// plainMethods are those of a dialect that names none.
var plainMethods = []IndexMethod{{"btree", IndexUnique | IndexDescends | IndexSeveralKeys | IndexPartial}}

// MethodsOf returns the methods that edits may give an index of t, the ordinary
// one first.
func (r IndexRules) MethodsOf(t *Table) []IndexMethod { return slices.Clone(r.methods(t)) }

// methods returns those that an index of t may have, the ordinary one first.
func (r IndexRules) methods(t *Table) []IndexMethod {
	if r.Methods == nil {
		return plainMethods
	}
	return r.Methods(t)
}

// method finds one by its name in a model, "" for the ordinary one. It is
// false for one that edits do not give.
func (r IndexRules) method(t *Table, name string) (IndexMethod, bool) {
	all := r.methods(t)
	if name == "" {
		return all[0], true
	}
	if i := slices.IndexFunc(all, func(m IndexMethod) bool { return strings.EqualFold(m.Name, name) }); i >= 0 {
		return all[i], true
	}
	return IndexMethod{Name: name}, false
}

// methodIn writes a method's name as a model has it.
func (r IndexRules) methodIn(t *Table, name string) string {
	switch m, known := r.method(t, name); {
	case !known:
		return name
	case m.Name == r.methods(t)[0].Name:
		return ""
	default:
		return m.Name
	}
}

// IsUnique reports whether a key of t other than the primary one makes the
// column unique by itself.
func (t *Table) IsUnique(column ID) bool {
	return slices.ContainsFunc(t.Indexes, func(x Index) bool { return x.onlyKeys(column) })
}

// onlyKeys reports whether x is a unique key on the column alone.
func (x Index) onlyKeys(column ID) bool {
	return x.Unique && x.Where == "" && len(x.Parts) == 1 && x.Parts[0].Column == column && x.Parts[0].Length == 0
}

// isWholeKey reports whether the column alone is the primary key.
func (t *Table) isWholeKey(column ID) bool {
	return t.PrimaryKey != nil && len(t.PrimaryKey.Columns) == 1 && t.PrimaryKey.Columns[0] == column
}
