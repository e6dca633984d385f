package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The call's form is checked before its edits are; the reply speaks of both.
func TestAWrongFormHidesNoWrongEdit(t *testing.T) {
	const wrong = `[{"op":"add_column","table":{"name":"orders"},"column":{"name":"note","type":"text","nullable":true}}]`
	for _, test := range []struct {
		name, call string
		says       []string
	}{
		{"edits and version at the top", `"edits":` + wrong + `,"version":"VERSION"`, []string{"it is payload.edits", "payload.expectedVersion"}},
		{"edits in options", `"payload":{"expectedVersion":"VERSION"},"options":{"edits":` + wrong + `}`, []string{"options.edits", "payload.edits"}},
		{"a stray field beside them", `"payload":{"expectedVersion":"VERSION","edits":` + wrong + `,"atomic":true}`, []string{"options.atomic"}},
		{"no version", `"payload":{"edits":` + wrong + `}`, []string{"payload.expectedVersion is required"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, version := newDialectWorld(t, "postgres")
			refused := w.form(test.call, version)
			require.False(t, refused.Success, refused.text)
			for _, words := range test.says {
				assert.Contains(t, refused.text, words)
			}
			assert.LessOrEqual(t, len(refused.text), 4096)
			require.Len(t, refused.Hints.CorrectedEdits, 1, refused.text)
			second := w.apply(version, string(refused.Hints.CorrectedEdits[0].Edits[0]))
			assert.True(t, second.Success, second.text)
		})
	}
}

func TestStrayFieldsOfACallAreNamedTogether(t *testing.T) {
	w, version := newDialectWorld(t, "sqlite")
	refused := w.form(`"dryRun":true,"a":1,"b":2,"c":3,"payload":{"version":"VERSION","atomic":true}`, version)
	for _, words := range []string{"options.dryRun", "'a'", "'b'", "'c'", "and 2 fields more"} {
		assert.Contains(t, refused.text, words)
	}
	assert.Empty(t, refused.Hints.CorrectedEdits)
}

func (w *world) form(rest, version string) (r refusal) {
	w.t.Helper()
	a := w.does("apply_edits", strings.ReplaceAll(rest, "VERSION", version), nil)
	r.text = a.text
	require.NoError(w.t, json.Unmarshal([]byte(a.text), &r))
	return r
}
