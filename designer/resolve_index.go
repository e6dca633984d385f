package designer

import (
	"slices"
	"strings"
)

// The operations on indexes.
type (
	addIndex struct {
		table *Table
		index indexRequest
	}
	setIndex struct {
		table *Table
		at    int // of the table's indexes
		index indexRequest
	}
	dropIndex struct {
		table *Table
		id    ID
	}
)

// indexRequest is what an edit wants of an index.
type indexRequest struct {
	old, index Index // index: as the edit wants it; its columns are "" where not found
	spec       IndexSpec
	noColumns  []*Error // of each column that is given: it was not found
	noIncluded []*Error // likewise
}

func (s *Schema) resolveIndexOf(t *Table, e Edit) (operation, *Error) {
	i, err := t.indexAt(e.IndexRef)
	if err != nil {
		return nil, err.At("index")
	}
	old := t.Indexes[i]
	if e.Op == DropIndex {
		return dropIndex{t, old.ID}, nil
	}
	return setIndex{t, i, s.dialect.resolveIndex(t, old, e.SetIndex)}, nil
}

// resolveIndex applies spec to an index of t, for a new one its zero value.
func (d *Dialect) resolveIndex(t *Table, old Index, spec IndexSpec) indexRequest {
	r := indexRequest{old: old, index: old.clone(), spec: spec}
	if spec.Name != nil && *spec.Name != "" {
		r.index.Name = *spec.Name
	}
	set(&r.index.Unique, spec.Unique)
	set(&r.index.Where, spec.Where)
	if spec.Method != nil {
		d.resolveMethod(t, &r.index, *spec.Method)
	}
	if spec.Include != nil {
		r.index.Include, r.noIncluded = nil, make([]*Error, len(spec.Include))
		for i, name := range spec.Include {
			var c *Column
			if c, r.noIncluded[i] = t.Column(ObjectRef{Name: name}); c != nil {
				r.index.Include = append(r.index.Include, c.ID)
			}
		}
	}
	if spec.Columns == nil {
		return r
	}
	was := r.index.Parts
	r.index.Parts = make([]IndexKey, len(spec.Columns))
	r.noColumns = make([]*Error, len(spec.Columns))
	for i, p := range spec.Columns {
		r.index.Parts[i], r.noColumns[i] = d.resolveKey(t, was, p)
	}
	return r
}

// resolveMethod gives an index another method, without what was said for the
// one before.
func (d *Dialect) resolveMethod(t *Table, x *Index, name string) {
	name = d.Indexes.methodIn(t, name)
	if name == x.Method {
		return
	}
	x.Method = name
	for i := range x.Parts { // a clone's own
		x.Parts[i].OpClass = ""
	}
	for _, key := range d.Indexes.MethodOptions {
		delete(x.Options, key)
	}
	if len(x.Options) == 0 {
		x.Options = nil
	}
}

// resolveKey reads one key of an index that had the keys was.
func (d *Dialect) resolveKey(t *Table, was []IndexKey, p IndexPart) (IndexKey, *Error) {
	key := IndexKey{Expression: p.Expression, Descending: p.Descending}
	if p.Expression == "" {
		c, err := t.Column(ObjectRef{Name: p.Name})
		if err != nil {
			return IndexKey{}, err
		}
		key.Column = c.ID
	}
	if old := d.keyLike(was, key); old != nil {
		key.Expression = old.Expression // another spelling is nothing to publish
		key.Collation, key.Length, key.OpClass = old.Collation, old.Length, old.OpClass
		if old.Descending == key.Descending {
			key.Nulls = old.Nulls
		}
	}
	set(&key.Collation, p.Collation)
	set(&key.OpClass, p.OpClass)
	set(&key.Length, p.Length)
	if p.Nulls != nil {
		key.Nulls = strings.ToLower(*p.Nulls)
	}
	if key.Nulls == "last" && !key.Descending || key.Nulls == "first" && key.Descending {
		key.Nulls = "" // the order implies it
	}
	return key, nil
}

// keyLike returns the key of an index that has the same column or expression,
// nil if none has.
func (d *Dialect) keyLike(keys []IndexKey, like IndexKey) *IndexKey {
	i := slices.IndexFunc(keys, func(k IndexKey) bool {
		return k.Column == like.Column && (k.Column != "" || d.sameExpression(k.Expression, like.Expression))
	})
	if i < 0 {
		return nil
	}
	return &keys[i]
}
