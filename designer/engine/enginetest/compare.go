package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// mostDifferences bounds what a failure lists.
const mostDifferences = 20

// differences lists, one a line, where two values differ as JSON. Lists of
// named things are compared by name.
func differences(t testing.TB, want, got any) string {
	t.Helper()
	a, b := map[string]string{}, map[string]string{}
	flatten(a, "", plain(t, want))
	flatten(b, "", plain(t, got))
	paths := slices.Collect(maps.Keys(a))
	for p := range b {
		if _, both := a[p]; !both {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var lines []string
	for _, p := range paths {
		if a[p] != b[p] {
			lines = append(lines, fmt.Sprintf("%s: want %s, got %s", p, orNothing(a[p]), orNothing(b[p])))
		}
	}
	if n := len(lines) - mostDifferences; n > 0 {
		lines = append(lines[:mostDifferences], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// plain is a value as JSON has it.
func plain(t testing.TB, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var out any
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

// flatten writes every leaf of v below its path.
func flatten(into map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			flatten(into, path+"."+k, e)
		}
	case []any:
		for i, e := range v {
			flatten(into, path+"["+label(i, e)+"]", e)
		}
	default:
		text, _ := json.Marshal(v) // it was read from JSON
		into[strings.TrimPrefix(path, ".")] = string(text)
	}
}

// label names an element of a list.
func label(i int, v any) string {
	object, _ := v.(map[string]any)
	name, ok := object["name"].(string)
	if !ok {
		return fmt.Sprint(i)
	}
	for _, k := range []string{"schema", "kind", "table"} {
		if s, ok := object[k].(string); ok {
			name = s + "." + name
		}
	}
	return name
}

// describe lists what a diff holds, the state wanted first.
func describe(t testing.TB, d *designer.Diff) string {
	t.Helper()
	var lines []string
	for _, table := range d.Dropped {
		lines = append(lines, fmt.Sprintf("table %s.%s: want it, got nothing", table.Schema, table.Name))
	}
	for _, table := range d.Added {
		lines = append(lines, fmt.Sprintf("table %s.%s: want nothing, got it", table.Schema, table.Name))
	}
	for _, c := range d.Types {
		for line := range strings.Lines(differences(t, c.From, c.To)) {
			lines = append(lines, "type: "+strings.TrimSpace(line))
		}
	}
	for _, c := range d.Changed {
		for line := range strings.Lines(differences(t, d.From.DefineTable(c.From), d.To.DefineTable(c.To))) {
			lines = append(lines, fmt.Sprintf("table %s.%s: %s", c.From.Schema, c.From.Name, strings.TrimSpace(line)))
		}
	}
	return strings.Join(lines, "\n")
}
