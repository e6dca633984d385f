package files_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/files"
)

// A control character is six bytes of JSON.
func TestARefusalWithALongNameIsBounded(t *testing.T) {
	ledger, err := approval.New(approval.Options{})
	require.NoError(t, err)
	tool, err := files.New(files.Options{Root: t.TempDir(), Ledger: ledger})
	require.NoError(t, err)
	t.Cleanup(func() { _ = tool.Close() })
	for _, name := range []string{strings.Repeat("\x07", 250), strings.Repeat(strings.Repeat("\x07", 250)+"/", 4) + "f"} {
		raw, err := json.Marshal(map[string]any{"path": name, "version": "none",
			"edits": []any{map[string]any{"old_text": "", "new_text": strings.Repeat("\b\n", 20_000)}}})
		require.NoError(t, err)
		r := tool.Handlers()[catalog.EditFile](t.Context(), tools.Call{Tool: catalog.EditFile, Arguments: raw})
		if runtime.GOOS == "windows" {
			assert.Equal(t, "io_error", r.Reason, "no such name can be there")
		} else {
			assert.EqualValues(t, approval.ApprovalRequired, r.Reason)
		}
		assert.LessOrEqual(t, len(r.Content[0]), catalog.MaxFailureBytes)
	}
}
