package designer

import "strings"

// The operations on columns.
type (
	addColumn struct {
		table  *Table
		column columnRequest
	}
	setColumn struct {
		table  *Table
		column columnRequest
	}
	dropColumn struct {
		table  *Table
		column *Column
	}
)

// columnRequest is what an edit wants of a column.
type columnRequest struct {
	id   ID
	old  *Column // nil: a new one
	spec ColumnSpec
	typ  typeRequest
}

func (s *Schema) resolveNewColumn(spec ColumnSpec) columnRequest {
	return columnRequest{id: s.newID(), spec: spec, typ: s.dialect.resolveType(nil, withoutEmptyType(spec))}
}

// withoutEmptyType takes an empty data type, which a computed column may
// have, as none given.
func withoutEmptyType(spec ColumnSpec) ColumnSpec {
	if spec.DataType != nil && strings.TrimSpace(*spec.DataType) == "" {
		spec.DataType = nil
	}
	return spec
}

func (s *Schema) resolveColumn(t *Table, e Edit) (operation, *Error) {
	old, err := t.Column(e.ColumnRef)
	if err != nil {
		return nil, err.At("column")
	}
	if e.Op == DropColumn {
		return dropColumn{t, old}, nil
	}
	return setColumn{t, columnRequest{id: old.ID, old: old, spec: e.SetColumn, typ: s.dialect.resolveType(old, withoutEmptyType(e.SetColumn))}}, nil
}

// nullable reports whether the edit asks for a nullable column.
func (q columnRequest) nullable() bool { return q.spec.IsNullable != nil && *q.spec.IsNullable }

// forbidsNull reports whether the edit makes c, a column of t, part of the key
// or an identity, or changes whether one that is so is nullable.
func (q columnRequest) forbidsNull(t *Table, c Column, wasKey bool) bool {
	key := t.inKey(c.ID)
	if !key && !c.IsIdentity {
		return false
	}
	return q.old == nil || key && !wasKey || c.IsIdentity && !q.old.IsIdentity || c.IsNullable != q.old.IsNullable
}
