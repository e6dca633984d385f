package portmap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func variables(set map[string]string) func(string) string {
	return func(name string) string { return set[name] }
}

func TestWhereBerthKeepsItsFiles(t *testing.T) {
	config, err := os.UserConfigDir()
	require.NoError(t, err)
	elsewhere, mapFile := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "map.json")
	cases := map[string]struct {
		set              map[string]string
		wantDir, wantMap string
	}{
		"nothing is set": {nil,
			filepath.Join(config, "berth"), filepath.Join(config, "berth", "ports.json")},
		"everything is moved": {map[string]string{EnvHome: elsewhere},
			elsewhere, filepath.Join(elsewhere, "ports.json")},
		"the map alone is moved": {map[string]string{EnvPortMap: mapFile},
			filepath.Join(config, "berth"), mapFile},
		"both are moved": {map[string]string{EnvHome: elsewhere, EnvPortMap: mapFile},
			elsewhere, mapFile},
		"a path that is not clean": {map[string]string{EnvHome: elsewhere + "/x/.."},
			elsewhere, filepath.Join(elsewhere, "ports.json")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			home, err := FindHome(variables(tc.set))
			require.NoError(t, err)
			assert.Equal(t, tc.wantDir, home.Dir())
			assert.Equal(t, tc.wantMap, home.MapFile())
			assert.Equal(t, filepath.Join(tc.wantDir, "instances"), home.InstancesDir())
			assert.Equal(t, filepath.Join(tc.wantDir, "instances", "50001.json"), home.InstanceFile(50001))
			assert.Equal(t, filepath.Join(tc.wantDir, "config.yaml"), home.ConfigFile())
			assert.Equal(t, filepath.Join(tc.wantDir, "logs", "berth.log"), home.LogFile())
		})
	}
}

func TestAHomeThatIsNotAbsoluteIsRefused(t *testing.T) {
	for _, name := range []string{EnvHome, EnvPortMap} {
		t.Run(name, func(t *testing.T) {
			_, err := FindHome(variables(map[string]string{name: "here"}))
			require.ErrorIs(t, err, ErrNotAbsolute)
			assert.ErrorContains(t, err, name+"=here")
		})
	}
}

func TestEachProjectHasAStateDirectoryOfItsOwn(t *testing.T) {
	home := Home{dir: filepath.Join("berth")}
	cases := map[string]struct{ root, want string }{
		"an ordinary name":         {"/home/ann/app", "app-c6e422ae6b09"},
		"the same name elsewhere":  {"/home/bob/app", "app-"},
		"dots, blanks and colons":  {"/srv/my app: v1.2", "my-app--v1-2-"},
		"letters of all kinds":     {"/srv/größe_子", "größe_子-"},
		"nothing but signs":        {"/srv/...", "project-"},
		"the root of the disk":     {"/", "project-"},
		"a name of 300 characters": {"/srv/" + strings.Repeat("x", 300), strings.Repeat("x", 40) + "-"},
	}
	seen := map[string]string{}
	for name, tc := range cases {
		dir := home.StateDir(tc.root)
		assert.Equal(t, filepath.Join("berth", "state"), filepath.Dir(dir), name)
		assert.True(t, strings.HasPrefix(filepath.Base(dir), tc.want), "%s: %s", name, dir)
		assert.Regexp(t, `-[0-9a-f]{12}$`, dir, name)
		assert.LessOrEqual(t, len(filepath.Base(dir)), 255, name)
		assert.Empty(t, seen[dir], name)
		seen[dir] = name
	}
}
