package designer

import (
	"maps"
	"slices"
)

// keepSpelling returns def with the expressions of s wherever those of def are
// the same in another spelling, as an edit keeps them: to publish that would
// change nothing. def itself does not change.
func (s *Schema) keepSpelling(def Definition) Definition {
	own := map[nameKey]*TableDefinition{}
	all := s.Definition().Tables
	for i, t := range all {
		own[s.keyOf(t.Schema, t.Name)] = &all[i]
	}
	def.Tables = slices.Clone(def.Tables)
	for i := range def.Tables {
		t := &def.Tables[i]
		schema := t.Schema
		if schema == "" {
			schema = s.defaultSchema
		}
		if old := own[s.keyOf(schema, t.Name)]; old != nil {
			s.dialect.keepTableSpelling(old, t)
		}
	}
	return def
}

func (d *Dialect) keepTableSpelling(old, t *TableDefinition) {
	t.Columns = mapEach(t.Columns, func(c Column) Column {
		at := slices.IndexFunc(old.Columns, func(o Column) bool { return o.Name == c.Name })
		if at < 0 {
			return c
		}
		was := &old.Columns[at]
		d.keepText(was.DefaultValue, &c.DefaultValue)
		d.keepText(was.ComputedFormula, &c.ComputedFormula)
		c.Options = maps.Clone(c.Options)
		for _, key := range d.Columns.Texts {
			if text, has := c.Options[key]; has {
				d.keepText(was.Options[key], &text)
				c.Options[key] = text
			}
		}
		return c
	})
	t.Checks = mapEach(t.Checks, func(k CheckDefinition) CheckDefinition {
		at := slices.IndexFunc(old.Checks, func(o CheckDefinition) bool {
			return o.Name == k.Name && (k.Name != "" || d.sameExpression(o.Expression, k.Expression))
		})
		if at >= 0 {
			d.keepText(old.Checks[at].Expression, &k.Expression)
		}
		return k
	})
	t.Indexes = mapEach(t.Indexes, func(x IndexDefinition) IndexDefinition {
		at := slices.IndexFunc(old.Indexes, func(o IndexDefinition) bool {
			return o.Name == x.Name && (x.Name != "" || slices.EqualFunc(o.Parts, x.Parts, d.samePart))
		})
		if at >= 0 {
			d.keepIndexSpelling(&old.Indexes[at], &x)
		}
		return x
	})
}

func (d *Dialect) keepIndexSpelling(old, x *IndexDefinition) {
	d.keepText(old.Where, &x.Where)
	x.Parts = slices.Clone(x.Parts)
	for i := range min(len(x.Parts), len(old.Parts)) {
		d.keepText(old.Parts[i].Expression, &x.Parts[i].Expression)
	}
}

// samePart reports whether two keys of indexes are about the same.
func (d *Dialect) samePart(a, b IndexKeyDefinition) bool {
	return a.Column == b.Column && d.sameExpression(a.Expression, b.Expression)
}

// keepText makes text what it was, if it says the same. A text that is refused,
// such as one with a comment, stays as it is.
func (d *Dialect) keepText(was string, text *string) {
	if d.sameExpression(was, *text) && d.expressionProblem(*text) == "" {
		*text = was
	}
}

// sameExpression reports whether two expressions differ in spelling only.
func (d *Dialect) sameExpression(a, b string) bool {
	return a == b || d.sql().Same(a, b, d.reserved)
}
