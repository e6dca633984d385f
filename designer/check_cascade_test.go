package designer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// graph makes tables a to f, each with a key and columns to refer by, and
// the cascading keys given as "b>a", meaning that b refers to a.
func graph(t *testing.T, d *Dialect, keys ...string) *Schema {
	t.Helper()
	s := emptySchema(d)
	for _, name := range "abcdef" {
		apply(t, s, fmt.Sprintf(`[{"op":"add_table","table":{"name":"%c"},"initialColumns":[
			{"name":"Id","dataType":"int","isPrimaryKey":true},{"name":"r","dataType":"int"},{"name":"q","dataType":"int"}]}]`, name))
	}
	for _, k := range keys {
		apply(t, s, "["+cascading(k)+"]")
	}
	return s
}

func cascading(key string) string {
	from, to, _ := strings.Cut(key, ">")
	return addsKey(from, `{"referencedTable":{"name":"`+to+`"},"mappings":[{"column":"r","referencedColumn":"Id"}],"onDeleteAction":"cascade"}`)
}

func TestCascades(t *testing.T) {
	const cycle, paths = "Foreign key would make a cascade cycle through table", "Foreign key would make multiple cascade paths to table"
	tests := []struct {
		name    string
		keys    []string
		add     string
		message string
	}{
		{"a chain is fine", []string{"b>a", "c>b"}, "d>c", ""},
		{"several tables below one are fine", []string{"b>a", "c>a"}, "d>a", ""},
		{"several roots above one are fine", []string{"c>a"}, "c>b", ""},
		{"a table that refers to itself", nil, "a>a", cycle + " 'dbo.a': use no_action"},
		{"two tables that refer to each other", []string{"b>a"}, "a>b", cycle + " 'dbo.a': use no_action"},
		{"a long way round", []string{"b>a", "c>b", "d>c"}, "a>d", cycle + " 'dbo.a': use no_action"},
		{"two keys to one table", []string{"b>a"}, "b>a", paths + " 'dbo.b': use no_action"},
		{"a diamond", []string{"b>a", "c>a", "d>b"}, "d>c", paths + " 'dbo.d': use no_action"},
		{"a diamond closed at its top", []string{"b>a", "d>b", "d>c"}, "c>a", paths + " 'dbo.d': use no_action"},
		{"a diamond closed in its middle", []string{"b>a", "d>a", "d>c"}, "c>b", paths + " 'dbo.d': use no_action"},
		{"a diamond far below", []string{"b>a", "c>b", "d>c", "f>a", "f>e"}, "e>d", paths + " 'dbo.f': use no_action"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := graph(t, serverDialect(), tt.keys...)
			if tt.message == "" {
				apply(t, s, "["+cascading(tt.add)+"]")
				return
			}
			assert.Equal(t, tt.message, refuse(t, s, cascading(tt.add)).Message)
			apply(t, s, "["+strings.Replace(cascading(tt.add), `"cascade"`, `"no_action"`, 1)+"]")

			open := graph(t, openDialect(), tt.keys...)
			warnings := open.Warnings(apply(t, open, "["+cascading(tt.add)+"]"))
			if !strings.Contains(tt.name, "itself") {
				assert.Contains(t, strings.Join(warnings, "\n"), "cascade", "elsewhere it is a warning")
			}
		})
	}
}

func TestAnActionSetLaterIsCheckedToo(t *testing.T) {
	s := graph(t, serverDialect(), "b>a")
	apply(t, s, "["+strings.Replace(cascading("b>a"), `"cascade"`, `"no_action"`, 1)+"]")
	set := func(name, set string) string {
		return `{"op":"set_foreign_key","table":{"name":"b"},"foreignKey":{"name":"` + name + `"},` + set + `}`
	}
	assert.Equal(t, "Foreign key would make multiple cascade paths to table 'dbo.b': use no_action",
		refuse(t, s, set("FK_b_a_2", `"onUpdateAction":"set_null"`)).Message)
	apply(t, s, "["+set("FK_b_a", `"onDeleteAction":1`)+","+set("FK_b_a_2", `"onUpdateAction":0`)+"]")
	apply(t, s, "["+set("FK_b_a_2", `"set":{"name":"k"}`)+"]")
	require.Equal(t, Cascade, tableOf(t, s, "b").ForeignKeys[1].OnUpdate)
}
