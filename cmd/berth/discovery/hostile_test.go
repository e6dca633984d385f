package discovery_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/discovery"
)

// programs are files that are read as programs' text, with what begins a
// connection in each.
func programs() map[string]string {
	return map[string]string{
		"config/dev.exs":                "config :a, A.Repo, database: ",
		"knexfile.js":                   "module.exports = {client: 'pg', connection: ",
		"config/config.json":            `{"development": {"dialect": `,
		".sequelizerc":                  "module.exports = {config: ",
		"data-source.ts":                "export default new DataSource({type: ",
		"ormconfig.json":                `{"type": `,
		"drizzle.config.ts":             "export default defineConfig({dialect: 'mysql', dbCredentials: ",
		"wp-config.php":                 "<?php define('DB_NAME', ",
		"a/settings.py":                 "DATABASES = {'default': {'ENGINE': ",
		"supabase/config.toml":          "[db]\nport = ",
		"flyway.toml":                   "[environments.default]\nurl = ",
		"flyway.conf":                   "flyway.url = ",
		"alembic.ini":                   "[alembic]\nsqlalchemy.url = ",
		"profiles.yml":                  "p: {target: dev, outputs: {dev: ",
		"config/packages/doctrine.yaml": "doctrine: {dbal: ",
	}
}

// What is deep, long, broken or no text at all neither ends the process nor
// hides what stands elsewhere, and its notes repeat nothing of it.
func TestHostileFilesAreReadToTheirEnd(t *testing.T) {
	doubling := ""
	for i := range 60 {
		doubling += fmt.Sprintf("const v%d = v%d + v%d\nv%d = v%d + v%d\n", i, i+1, i+1, i, i+1, i+1)
	}
	for what, text := range map[string]string{
		"brackets":                     strings.Repeat("[", 100_000),
		"braces":                       strings.Repeat("{a: ", 60_000),
		"quoted braces":                strings.Repeat(`{"a": `, 40_000),
		"parentheses":                  strings.Repeat("(", 100_000),
		"calls":                        strings.Repeat("f(", 100_000),
		"members":                      strings.Repeat("a.", 100_000),
		"operators":                    strings.Repeat("'a' + ", 40_000) + "'b'",
		"unary operators":              strings.Repeat("+", 200_000),
		"new":                          strings.Repeat("new ", 60_000),
		"spreads":                      "{" + strings.Repeat("...", 60_000),
		"holes":                        strings.Repeat("`${", 60_000),
		"holes of Elixir":              strings.Repeat(`"#{`, 60_000),
		"quotes":                       strings.Repeat("'", 200_001),
		"backslashes":                  "'" + strings.Repeat(`\`, 200_000),
		"comments":                     strings.Repeat("/*", 100_000),
		"closing brackets":             strings.Repeat("]})", 60_000),
		"names of names":               "v0\n" + doubling,
		"a name of itself":             "x}\nconst x = x + x\nx = x\n",
		"bytes that are no text":       "\xff\xfe\xf0\x28\x8c\x28 hunter2",
		"a NUL":                        "'hunter2\x00'",
		"brackets of YAML and of TOML": strings.Repeat("[{", 60_000),
	} {
		for file, before := range programs() {
			t.Run(what+" in "+file, func(t *testing.T) {
				got, notes := find(t, map[string]string{file: before + text, "zz/.env": "DATABASE_URL=mysql://u@h/good\n"})
				assert.Contains(t, got, "zz-env = mysql u|@h/good (zz/.env:1)")
				for _, n := range notes {
					assert.Less(t, len(n), 300)
					assert.True(t, strings.HasPrefix(n, file), n)
				}
			})
		}
	}
}

func TestFilesThatAreTooLargeAreNotRead(t *testing.T) {
	for file := range programs() {
		t.Run(file, func(t *testing.T) {
			_, notes := find(t, map[string]string{file: strings.Repeat("# hunter2\n", 30_000)})
			assert.Equal(t, []string{file + ": is larger than 262144 bytes and not read"}, notes)
		})
	}
}

func TestFilesThatLeadOutAreNotRead(t *testing.T) {
	outside := project(t, map[string]string{"x": "DATABASES = {'default': {'ENGINE': 'mysql', 'NAME': 'hunter2', 'HOST': 'h'}}"})
	for file := range programs() {
		t.Run(file, func(t *testing.T) {
			root := project(t, map[string]string{filepath.ToSlash(filepath.Join(filepath.Dir(file), "other")): ""})
			if os.Symlink(filepath.Join(outside, "x"), filepath.Join(root, filepath.FromSlash(file))) != nil {
				t.Skip("no symbolic links here")
			}
			r, err := discovery.Find(t.Context(), root)
			require.NoError(t, err)
			assert.Empty(t, r.Connections)
			assert.Equal(t, []string{file + ": cannot be read"}, r.Notes)
		})
	}
}

// A file that names another, or a SQLite file, cannot lead out of the project.
func TestWhatAFileNamesStaysInTheProject(t *testing.T) {
	for name, tt := range map[string]struct{ file, text, note string }{
		"a file above":       {".sequelizerc", "module.exports = {config: '../../etc/hunter2.json'}", "config names a file that is not there, or not in the project"},
		"a file by its path": {".sequelizerc", "module.exports = {config: '/etc/hunter2.json'}", "config names a file that is not there, or not in the project"},
		"folders above":      {"a/settings.py", "B = Path(__file__).parents[8]\nDATABASES = {'default': {'ENGINE': 'sqlite3', 'NAME': B / 'hunter2'}}", "names a SQLite file that is not there, or not in the project"},
		"an absolute file":   {"drizzle.config.ts", "export default {dialect: 'sqlite', dbCredentials: {url: '/etc/hunter2.db'}}", "names a SQLite file outside of the project"},
		"three slashes":      {".env", "DATABASE_URL=sqlite:///../../hunter2.db", "names a SQLite file that is not there, or not in the project"},
	} {
		t.Run(name, func(t *testing.T) {
			got, notes := find(t, map[string]string{tt.file: tt.text})
			assert.Empty(t, got)
			require.Len(t, notes, 1)
			assert.Contains(t, notes[0], tt.note)
		})
	}
}
