package schema

import "github.com/berth-dev/berth/designer"

type columnName struct {
	Name string `json:"name"`
}

// columnType is a column with names and types.
type columnType struct {
	ID           designer.ID `json:"id,omitempty"`
	Name         string      `json:"name"`
	DataType     string      `json:"dataType"`
	MaxLength    string      `json:"maxLength,omitempty"`
	Precision    int         `json:"precision,omitempty"`
	Scale        int         `json:"scale,omitempty"`
	IsPrimaryKey bool        `json:"isPrimaryKey"`
	IsNullable   bool        `json:"isNullable"`
}

// columnFull is all there is to know of a column.
type columnFull struct {
	columnType
	IsIdentity        bool   `json:"isIdentity,omitempty"`
	IdentitySeed      int64  `json:"identitySeed,omitempty"`
	IdentityIncrement int64  `json:"identityIncrement,omitempty"`
	DefaultValue      string `json:"defaultValue,omitempty"`
	IsComputed        bool   `json:"isComputed,omitempty"`
	ComputedFormula   string `json:"computedFormula,omitempty"`
	ComputedPersisted bool   `json:"computedPersisted,omitempty"`
	Collation         string `json:"collation,omitempty"`
	Comment           string `json:"comment,omitempty"`
}

func columnView(t *designer.Table, c designer.Column, include string) any {
	if include == columnsNames {
		return columnName{clipTo(c.Name, maxName)}
	}
	typed := columnType{
		Name: clipTo(c.Name, maxName), DataType: clipTo(c.DataType, maxName), MaxLength: c.MaxLength,
		Precision: c.Precision, Scale: c.Scale,
		IsPrimaryKey: inKey(t, c.ID), IsNullable: c.IsNullable,
	}
	if include != columnsFull {
		return typed
	}
	typed.ID = c.ID
	return columnFull{
		columnType: typed, IsIdentity: c.IsIdentity,
		IdentitySeed: c.IdentitySeed, IdentityIncrement: c.IdentityIncrement,
		DefaultValue: clipTo(c.DefaultValue, maxText),
		IsComputed:   c.IsComputed, ComputedFormula: clipTo(c.ComputedFormula, maxText),
		ComputedPersisted: c.ComputedPersisted,
		Collation:         clipTo(c.Collation, maxName), Comment: clipTo(c.Comment, maxText),
	}
}
