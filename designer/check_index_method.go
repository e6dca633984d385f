package designer

import (
	"strings"

	"github.com/berth-dev/berth/designer/clip"
)

// checkMethod verifies that an index of its method can have what q asks for,
// and where q gives the method, what the index has already.
func (d *Dialect) checkMethod(t *Table, q indexRequest) *Error {
	method, known := d.Indexes.method(t, q.index.Method)
	if !known {
		if q.spec.Method == nil {
			return nil // the database has it: what it takes is for the server to say
		}
		names := mapEach(d.Indexes.methods(t), func(m IndexMethod) string { return m.Name })
		return badRequest(nearestNames(q.index.Method, names), "Index method %s is not one that edits give on %s; table %s can have %s: take one, or leave method out",
			clip.Quote(q.index.Method), d.Title, t.quoted(), strings.Join(names, ", ")).At("method")
	}
	for _, f := range d.asked(q) {
		if method.Has&f.feature != 0 {
			continue
		}
		kind := "An index"
		if d.Indexes.methods(t)[0].Has&f.feature != 0 {
			kind = "An index of method " + method.Name
		}
		err := invalid("%s %s on %s: %s", kind, f.cannot, d.Title, f.instead)
		if f.feature == IndexExpressions && kind == "An index" {
			err = invalid("An index %s on %s: add a computed column and index that", f.cannot, d.Title)
		}
		if q.spec.Method != nil && !f.given {
			return err.At("method")
		}
		return err.At(f.member)
	}
	return nil
}

// wanted is a feature that an index is to have.
type wanted struct {
	feature         IndexFeatures
	cannot, instead string
	member          string // of the edit, that asks for it
	given           bool   // by the edit, rather than had before
}

// asked lists the features that q gives an index and, where it gives a method,
// those that the index has.
func (d *Dialect) asked(q indexRequest) []wanted {
	var list []wanted
	whole := q.spec.Method != nil
	add := func(is, given bool, feature IndexFeatures, cannot, instead, member string) {
		if is && (given || whole) {
			list = append(list, wanted{feature, cannot, instead, member, given})
		}
	}
	x, spec := q.index, q.spec
	add(x.Unique, spec.Unique != nil, IndexUnique, "cannot be unique", "leave unique out", "unique")
	add(x.Where != "", spec.Where != nil, IndexPartial, "takes no where", "leave it out", "where")
	add(len(x.Include) > 0, spec.Include != nil, IndexIncludes, "stores no columns beside its key", "leave include out, or add the columns to columns", "include")
	given := spec.Columns != nil
	add(len(x.Parts) > 1, given, IndexSeveralKeys, "has one column", "give one, or add an index for each", "columns")
	for i, p := range x.Parts {
		of := func(member string) string { return item("columns", i) + "." + member }
		add(p.Expression != "", given, IndexExpressions, "takes no expression", "give a column's name", of("expression"))
		add(p.Descending, given, IndexDescends, "has no order", "leave descending out", of("descending"))
		add(p.Nulls != "", given, IndexNulls, "does not say where nulls come", "leave nulls out", of("nulls"))
		add(p.OpClass != "", given, IndexOpClasses, "has no operator class", "leave opClass out", of("opClass"))
		add(p.Length > 0, given, IndexLengths, "takes the whole of a column", "leave length out", of("length"))
		add(p.Collation != "", given, IndexCollations, "has the collations of its columns", "leave collation out", of("collation"))
	}
	return list
}
