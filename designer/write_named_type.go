package designer

func (o addType) write(t *tx) {
	n := &NamedType{ID: o.id, Schema: o.schema.name, Name: o.spec.Name, Kind: ClassEnum, Values: o.values}
	set(&n.Comment, o.spec.Comment)
	if o.spec.gives() {
		n.Kind, n.Domain = ClassDomain, &Domain{}
		n.Domain.write(t.s.dialect, n.Name, o.spec.DomainSpec)
	}
	t.types = append(t.types, TypeChange{After: n.Clone()})
}

// write gives the columns that have the type its new name, and SQL text the
// new names of its values.
func (o setType) write(t *tx) {
	n := o.t.Clone()
	set(&n.Name, o.set.Name)
	set(&n.Comment, o.set.Comment)
	if o.schema != nil {
		n.Schema = o.schema.name
	}
	if o.values != nil {
		n.Values = o.values
	}
	if n.Domain != nil {
		n.Domain.write(t.s.dialect, n.Name, o.set.DomainSpec)
	}
	t.types = append(t.types, TypeChange{Before: o.t, After: n})
	f := t.s.following([]TypeChange{{o.t, n}})
	for _, table := range t.s.Tables() {
		if next := f.Table(table); next != table {
			t.edited = append(t.edited, TableChange{Before: table, After: next})
		}
	}
}

func (o dropType) write(t *tx) { t.types = append(t.types, TypeChange{Before: o.t}) }
