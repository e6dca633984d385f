package postgres

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnExpressionFollowsTheNamesInIt(t *testing.T) {
	swap := renames{table: "t", newTable: "u", columns: map[string]string{"a": "b", "b": "a", "Old": "new"}}
	for _, same := range [][2]string{
		{"a > 0", "b>0"}, {"(a > b)", "b > a"}, {`"Old" = 'a'`, "new = 'a'"}, {"t.a > 0", "u.b > 0"},
		{"a(c) > 0", "a(c) > 0"}, {"c::a", "c::a"}, {"(x).a", "(x).a"}, {"lower(a)", "LOWER(b)"}, {"/* a */ c", "c"},
	} {
		assert.True(t, swap.same(same[0], same[1]), "%q", same)
	}
	for _, other := range [][2]string{
		{"a > b", "a > b"}, {"a > 0", "b > 1"}, {"'a'", "'A'"}, {"a", "b + 0"}, {"t.a", "t.b"}, {`"A"`, `"a"`},
		{`day > "current_date"`, "day > current_date"},
	} {
		assert.False(t, swap.same(other[0], other[1]), "%q", other)
	}
}

func TestColumnsAreFoundInExpressions(t *testing.T) {
	for _, with := range []string{"a > 0", `"a"`, "t.a", "f(a)", "(a)", "A + 1", "x - a"} {
		assert.True(t, mentions(with, "t", "a"), "%q", with)
	}
	for _, without := range []string{"'a'", "a(1)", "x::a", "u.a", "b COLLATE a", `"A"`, "-- a\n b", "CAST(b AS a)", ""} {
		assert.False(t, mentions(without, "t", "a"), "%q", without)
	}
	assert.False(t, mentions("x AND y", "t", "and"))
	assert.True(t, mentions(`x > "and"`, "t", "and"))
}

func TestAnArrayOfValuesHasOneForm(t *testing.T) {
	const want = `(kind)::text = ANY ((ARRAY['a'::character varying, 'b,])'::character varying])::text[])`
	assert.Equal(t, want, gathered(`(kind)::text = ANY (ARRAY[('a'::character varying)::text, ('b,])'::character varying)::text])`))
	for _, other := range []string{want, `ARRAY[('a'::text), ('b'::text)]`, `ARRAY[('a'::varchar)::text, 'b'::text]`, `ARRAY[(a)::text]`, `ARRAY[(`,
		`ARRAY[('a'::varchar)::text, ('b'::varchar)::citext]`, `ARRAY[('a'::varchar)::text`, `ARRAY[('a' || 'b')::text]`, `ARRAY[('a'::varchar)::text, `} {
		assert.Equal(t, other, gathered(other))
	}
}
