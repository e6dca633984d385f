package designer

// The operations on foreign keys.
type (
	addForeignKey struct {
		table *Table
		key   foreignKeyRequest
	}
	setForeignKey struct {
		table *Table
		at    int // of the table's keys
		key   foreignKeyRequest
	}
	dropForeignKey struct {
		table *Table
		key   ForeignKey
	}
)

// foreignKeyRequest is what an edit wants of a foreign key.
type foreignKeyRequest struct {
	old, key ForeignKey // key: as the edit wants it; its columns are "" where not found
	spec     ForeignKeySpec

	noTable    *Error   // the referenced table was not found
	dangling   bool     // mappings are given and there is no table to map to
	noMappings []*Error // of each mapping: a column was not found
}

func (s *Schema) resolveForeignKeyOf(t *Table, e Edit) (operation, *Error) {
	i, err := t.foreignKeyAt(e.ForeignKeyRef)
	if err != nil {
		return nil, err.At("foreignKey")
	}
	old := t.ForeignKeys[i]
	if e.Op == DropForeignKey {
		return dropForeignKey{t, old}, nil
	}
	return setForeignKey{t, i, s.resolveForeignKey(t, old, e.SetForeignKey)}, nil
}

// resolveForeignKey applies spec to a key of t, for a new one its zero value.
func (s *Schema) resolveForeignKey(t *Table, old ForeignKey, spec ForeignKeySpec) foreignKeyRequest {
	r := foreignKeyRequest{old: old, key: old.clone(), spec: spec}
	if spec.Name != nil && *spec.Name != "" {
		r.key.Name = *spec.Name
	}
	set(&r.key.OnDelete, spec.OnDelete)
	set(&r.key.OnUpdate, spec.OnUpdate)
	if spec.ReferencedTable != nil {
		target, err := s.Table(*spec.ReferencedTable)
		if err != nil {
			r.noTable = err.At("referencedTable")
			return r
		}
		r.key.RefTable, r.key.Dangling = target.ID, nil
		if spec.Mappings == nil {
			spec.Mappings = s.mappingsByName(t, old)
		}
	}
	if spec.Mappings == nil {
		return r
	}
	target := s.ByID(r.key.RefTable)
	if target == nil {
		r.dangling = true
		return r
	}
	r.key.Mappings = make([]Mapping, len(spec.Mappings))
	r.noMappings = make([]*Error, len(spec.Mappings))
	for i, m := range spec.Mappings {
		r.key.Mappings[i], r.noMappings[i] = resolveMapping(t, target, m)
	}
	return r
}

// mappingsByName names the columns of k's mappings, so that they can be
// looked up in another referenced table.
func (s *Schema) mappingsByName(t *Table, k ForeignKey) []NameMapping {
	names, target := t.ColumnNames(), s.reference(k)
	out := make([]NameMapping, len(k.Mappings))
	for i, m := range k.Mappings {
		out[i] = NameMapping{Column: names[m.Column], ReferencedColumn: target.Columns[i]}
	}
	return out
}

func resolveMapping(t, target *Table, m NameMapping) (Mapping, *Error) {
	from, err := t.Column(ObjectRef{Name: m.Column})
	if err != nil {
		return Mapping{}, err.At("column")
	}
	to, err := target.Column(ObjectRef{Name: m.ReferencedColumn})
	if err != nil {
		return Mapping{}, err.At("referencedColumn")
	}
	return Mapping{Column: from.ID, RefColumn: to.ID}, nil
}
