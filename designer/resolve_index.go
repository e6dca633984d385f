package designer

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
}

func resolveIndexOf(t *Table, e Edit) (operation, *Error) {
	i, err := t.indexAt(e.IndexRef)
	if err != nil {
		return nil, err.At("index")
	}
	old := t.Indexes[i]
	if e.Op == DropIndex {
		return dropIndex{t, old.ID}, nil
	}
	return setIndex{t, i, resolveIndex(t, old, e.SetIndex)}, nil
}

// resolveIndex applies spec to an index of t, for a new one its zero value.
func resolveIndex(t *Table, old Index, spec IndexSpec) indexRequest {
	r := indexRequest{old: old, index: old.clone(), spec: spec}
	if spec.Name != nil && *spec.Name != "" {
		r.index.Name = *spec.Name
	}
	set(&r.index.Unique, spec.Unique)
	set(&r.index.Where, spec.Where)
	if spec.Columns == nil {
		return r
	}
	r.index.Parts = make([]IndexKey, len(spec.Columns))
	r.noColumns = make([]*Error, len(spec.Columns))
	for i, p := range spec.Columns {
		c, err := t.Column(ObjectRef{Name: p.Name})
		if err != nil {
			r.noColumns[i] = err
			continue
		}
		key := IndexKey{Column: c.ID, Descending: p.Descending}
		if was := partOf(old.Parts, c.ID); was != nil {
			key.Collation, key.Length = was.Collation, was.Length
		}
		r.index.Parts[i] = key
	}
	return r
}

// partOf returns the part of an index that a column is, nil if it is none.
func partOf(parts []IndexKey, column ID) *IndexKey {
	for i := range parts {
		if parts[i].Column == column {
			return &parts[i]
		}
	}
	return nil
}
