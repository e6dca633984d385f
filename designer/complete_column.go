package designer

import "strings"

// completeColumn gives c what follows from what an edit asks of it.
func (d *Dialect) completeColumn(c *Column, q columnRequest) {
	c.ComputedPersisted = c.ComputedPersisted || d.Columns.Computed == ComputedStored
	normalize(c)
	d.forgetDefault(c)
	if c.IsComputed && d.Columns.Computed == ComputedDerived {
		c.Options = nil
	}
	if c.IsIdentity && q.spec.IdentitySeed != nil && q.spec.IdentityIncrement == nil {
		c.IdentitySeed = *q.spec.IdentitySeed // 0 is a seed, unless the increment beside it is 0 too
	}
	d.forgetCollation(c, q)
}

// normalize gives a column the one form it has in a model.
func normalize(c *Column) {
	if !c.IsIdentity {
		c.IdentitySeed, c.IdentityIncrement = 0, 0
	} else if c.IdentityIncrement == 0 {
		c.IdentityIncrement = 1
		if c.IdentitySeed == 0 {
			c.IdentitySeed = 1
		}
	}
	if !c.IsComputed {
		c.ComputedFormula, c.ComputedPersisted = "", false
	}
	if strings.EqualFold(c.MaxLength, "max") {
		c.MaxLength = "MAX"
	}
}

// forgetDefault takes what the options say of a default out of a column that
// has none.
func (d *Dialect) forgetDefault(c *Column) {
	if c.DefaultValue != "" {
		return
	}
	for _, k := range d.Columns.DefaultOptions {
		delete(c.Options, k) // a draft's own map
	}
	if len(c.Options) == 0 {
		c.Options = nil
	}
}

// forgetCollation takes the collation off a column whose new type is of
// another family, unless the edit gives one.
func (d *Dialect) forgetCollation(c *Column, q columnRequest) {
	if q.old == nil || q.spec.Collation != nil || d.sameType(c.DataType, q.old.DataType) {
		return
	}
	was, knownBefore := d.Type(q.old.DataType)
	is, known := d.Type(c.DataType)
	if !known || !knownBefore || was.Family != is.Family {
		c.Collation = ""
	}
}
