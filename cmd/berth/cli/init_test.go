package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/clients"
)

func TestInitLeavesOutWhatWithoutNames(t *testing.T) {
	ids := func(flags initFlags) (list []string) {
		s := &setup{app: &app{}, flags: flags, root: t.TempDir(), machine: clients.Machine{GOOS: "linux", Home: t.TempDir(), Getenv: func(string) string { return "" }}}
		chosen, err := s.choose()
		require.NoError(t, err)
		for _, c := range chosen {
			list = append(list, c.ID)
		}
		return list
	}
	all := ids(initFlags{clients: []string{"all"}})
	rest := ids(initFlags{clients: []string{"all"}, without: []string{"vscode", "zed"}})
	assert.Len(t, rest, len(all)-2)
	assert.NotContains(t, rest, "vscode")
	assert.Contains(t, all, "vscode")
	require.ErrorContains(t, initFlags{without: []string{"all"}}.check(nil), `unknown client "all"`)
}
