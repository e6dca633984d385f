package designer

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published edits the shop and plays a server that keeps the result in words
// of its own.
func published(t *testing.T, edits string, spell func(*Definition)) (base, design, reread *Schema) {
	base = shop(t, serverDialect())
	def := base.Definition()
	design, err := base.Adopt(def)
	require.NoError(t, err)
	apply(t, design, edits)
	def = design.Definition()
	spell(&def)
	reread, err = design.Adopt(def)
	require.NoError(t, err)
	return base, design, reread
}

func defined(d *Definition, name string) *TableDefinition {
	for i := range d.Tables {
		if d.Tables[i].Name == name {
			return &d.Tables[i]
		}
	}
	return nil
}

func TestTheSpellingOfTheDatabaseIsTakenOver(t *testing.T) {
	base, design, reread := published(t, `[
		{"op":"add_check","table":{"name":"Orders"},"check":{"name":"ck","expression":"Total>0"}},
		{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Total"},"set":{"defaultValue":"1+1"}},
		{"op":"add_column","table":{"name":"Orders"},"column":{"name":"n","dataType":"numeric(10,2)"}},
		{"op":"add_column","table":{"name":"Orders"},"column":{"name":"twice","isComputed":true,"computedFormula":"Total*2"}},
		{"op":"add_index","table":{"name":"Orders"},"index":{"name":"ix","columns":["n"],"where":"n>1"}},
		{"op":"add_table","table":{"name":"New"},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true}]}]`,
		func(d *Definition) {
			orders := defined(d, "Orders")
			orders.Checks[0].Expression = "([Total]>(0))"
			for i := range orders.Columns {
				switch c := &orders.Columns[i]; c.Name {
				case "Total":
					c.DefaultValue = "((1)+(1))"
				case "n":
					c.DataType = "decimal"
				case "twice":
					c.ComputedFormula, c.DataType, c.Precision, c.Scale = "([Total]*(2))", "decimal", 12, 2
				}
			}
			for i := range orders.Indexes {
				if orders.Indexes[i].Name == "ix" {
					orders.Indexes[i].Where = "([n]>(1))"
				}
			}
			defined(d, "New").PrimaryKey.Name = "PK_given"
		})
	require.False(t, DiffOf(design, reread).Empty())
	got := TakeSpelling(base, design, reread)
	require.NoError(t, got.Check())
	assert.True(t, DiffOf(got, reread).Empty())
	assert.Equal(t, reread.Version(), got.Version())
}

func TestWhatWasNotPublishedIsNoSpelling(t *testing.T) {
	const edit = `[{"op":"set_column","table":{"name":"Orders"},"column":{"name":"Total"},"set":{"defaultValue":"7"}}]`
	tests := []struct {
		name, edits string
		spell       func(orders *TableDefinition)
	}{
		{"the expression of before", edit, func(o *TableDefinition) { change(o, "Total", func(c *Column) { c.DefaultValue = "0" }) }},
		{"no expression", edit, func(o *TableDefinition) { change(o, "Total", func(c *Column) { c.DefaultValue = "" }) }},
		{"an expression where there is none", edit, func(o *TableDefinition) { change(o, "Note", func(c *Column) { c.DefaultValue = "1" }) }},
		{"another type", edit, func(o *TableDefinition) { change(o, "Total", func(c *Column) { c.DataType = "float" }) }},
		{"another length", edit, func(o *TableDefinition) { change(o, "Note", func(c *Column) { c.MaxLength = "9" }) }},
		{"nullability", edit, func(o *TableDefinition) { change(o, "Note", func(c *Column) { c.IsNullable = !c.IsNullable }) }},
		{"a table that nobody touched", `[{"op":"drop_table","table":{"name":"Lines"}}]`,
			func(o *TableDefinition) { change(o, "Total", func(c *Column) { c.DefaultValue = "(0)" }) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, design, reread := published(t, tt.edits, func(d *Definition) { tt.spell(defined(d, "Orders")) })
			assert.False(t, DiffOf(TakeSpelling(base, design, reread), reread).Empty())
		})
	}
}

func TestParenthesesAndQuotesAreSpelling(t *testing.T) {
	rules := serverDialect().sql()
	for _, same := range [][2]string{{"a>0", "( A > 0 )"}, {"((x))", "x"}, {"a>0 AND b>0", "(([a] > 0) and ([b] > 0))"}, {"CURRENT_TIMESTAMP", "current_timestamp()"},
		{"a > 0 -- not below", "(a > 0)"}, {"a /* of b */ > 0", "([a]>0)"}} {
		assert.True(t, rules.SameButParens(same[0], same[1]), "%q", same)
	}
	for _, other := range [][2]string{{"a>0", "a>1"}, {"'a'", "'A'"}, {"a", "'a'"}, {"a>0", "a>0 AND b>0"}} {
		assert.False(t, rules.SameButParens(other[0], other[1]), "%q", other)
	}
}

// change modifies a column of a definition.
func change(t *TableDefinition, column string, with func(*Column)) {
	for i := range t.Columns {
		if t.Columns[i].Name == column {
			with(&t.Columns[i])
		}
	}
}
