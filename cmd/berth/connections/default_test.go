package connections_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/connections"
	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/tools/db/pool"
)

func TestThePlainOneOfSeveralIsTheDefault(t *testing.T) {
	const pg = "postgres://a@127.0.0.1/"
	rails := "development:\n  cache: {adapter: postgresql, database: c, host: 127.0.0.1}\n  primary: {adapter: postgresql, database: p, host: 127.0.0.1}\n"
	for name, one := range map[string]struct {
		files map[string]string
		want  string // "": a call has to say which
	}{
		"DATABASE_URL among others":    {map[string]string{".env": "ANALYTICS_DATABASE_URL=" + pg + "x\nDATABASE_URL=" + pg + "y\n"}, "env"},
		"two, neither plain":           {map[string]string{".env": "ANALYTICS_DATABASE_URL=" + pg + "x\nOTHER_DATABASE_URL=" + pg + "y\n"}, ""},
		"Rails' primary":               {map[string]string{"config/database.yml": rails}, "rails-primary"},
		"Rails', and its variable":     {map[string]string{"config/database.yml": rails, ".env": "DATABASE_URL=" + pg + "y\n"}, "env"},
		"two applications":             {map[string]string{"a/.env": "DATABASE_URL=" + pg + "x\n", "b/.env": "DATABASE_URL=" + pg + "y\n"}, ""},
		"main of the settings":         {map[string]string{".berth/config.yaml": "connections:\n  aux: {path: a.db}\n  main: {path: b.db}\n"}, "main"},
		"settings without a main":      {map[string]string{".berth/config.yaml": "connections:\n  aux: {path: a.db}\n  shop: {path: b.db}\n"}, ""},
		"default: says another":        {map[string]string{".berth/config.yaml": "default: aux\nconnections:\n  aux: {path: a.db}\n  main: {path: b.db}\n"}, "aux"},
		"the settings before any file": {map[string]string{".berth/config.yaml": "connections:\n  aux: {path: a.db}\n", ".env": "ANALYTICS_DATABASE_URL=" + pg + "x\nDATABASE_URL=" + pg + "y\n"}, "aux"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range one.files {
				path := filepath.Join(root, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			set, err := settings.Load(root, settings.Sources{})
			require.NoError(t, err)
			databases, err := pool.New(root, connections.Options(set, connections.NewFinder(root).Find(context.Background(), set)))
			require.NoError(t, err)
			defer databases.Close()
			got, err := databases.Pick(context.Background(), "")
			if one.want == "" {
				assert.ErrorContains(t, err, "several databases; say which with the argument connection: ")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, one.want, got.Name)
		})
	}
}
