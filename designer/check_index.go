package designer

import "github.com/berth-dev/berth/designer/clip"

func (o addIndex) check(r rules) *Error {
	if len(o.index.spec.Columns) == 0 {
		return invalid("Index needs at least one column: give columns").At("columns").within("index")
	}
	return r.checkIndex(o.table, o.index).within("index")
}

func (o setIndex) check(r rules) *Error { return r.checkSetIndex(o).within("set") }

func (r rules) checkSetIndex(o setIndex) *Error {
	const fixed = "%s is a unique constraint: it stays unique and takes no where; drop it and add an index"
	old, spec := o.index.old, o.index.spec
	switch {
	case old.Constraint && spec.Unique != nil && !*spec.Unique:
		return invalid(fixed, clip.Quote(label(old.Name, old.ID))).At("unique")
	case old.Constraint && spec.Where != nil && *spec.Where != "":
		return invalid(fixed, clip.Quote(label(old.Name, old.ID))).At("where")
	case spec.Columns != nil && len(spec.Columns) == 0:
		return invalid("Index %s needs at least one column: give columns", clip.Quote(label(old.Name, old.ID))).At("columns")
	}
	if err := r.checkIndex(o.table, o.index); err != nil {
		return err
	}
	if err := r.checkConstraintOrder(o.index); err != nil {
		return err
	}
	return r.checkIndexUsers(o.table, r.table(o.table.ID))
}

// checkConstraintOrder verifies that a unique constraint sorts no column
// descending where those of the dialect cannot.
func (r rules) checkConstraintOrder(q indexRequest) *Error {
	if !q.old.Constraint || !r.s.dialect.Indexes.UnorderedConstraints {
		return nil
	}
	for i, c := range q.spec.Columns {
		if c.Descending {
			return invalid("%s is a unique constraint, and in one %s sorts no column descending: leave descending out, or drop it and add an index",
				clip.Quote(label(q.old.Name, q.old.ID)), r.s.dialect.Title).At("descending").At(item("columns", i))
		}
	}
	return nil
}

func (o dropIndex) check(r rules) *Error {
	return r.checkIndexUsers(o.table, r.table(o.table.ID)).blame("index")
}

// checkIndex verifies what q asks of an index of t.
func (r rules) checkIndex(t *Table, q indexRequest) *Error {
	if q.index.Name != q.old.Name {
		if err := r.checkIndexName(t, q.index); err != nil {
			return err.At("name")
		}
	}
	if where := q.spec.Where; where != nil && *where != "" {
		if err := r.s.dialect.checkWhere(*where); err != nil {
			return err.At("where")
		}
	}
	seen := map[ID]bool{}
	for i, err := range q.noColumns {
		if err != nil {
			return err.At(item("columns", i))
		}
		id := q.index.Parts[i].Column
		if seen[id] {
			return invalid("Index names column %s twice", clip.Quote(t.ColumnByID(id).Name)).At(item("columns", i))
		}
		seen[id] = true
	}
	return nil
}

func (r rules) checkIndexName(t *Table, x Index) *Error {
	if err := r.s.dialect.checkName("Index", x.Name); err != nil {
		return err
	}
	if err := r.s.dialect.checkPrefix("Index", x.Name); err != nil {
		return err
	}
	if r.s.taken(indexName, t, indexNames(t, x.ID), x.Name) {
		return invalid("Index %s already exists", clip.Quote(x.Name))
	}
	return nil
}

func (d *Dialect) checkWhere(where string) *Error {
	if d.Indexes.WholeTable {
		return invalid("An index takes no where on %s: leave it out", d.Title)
	}
	return d.checkExpression("where of the index", where)
}
