package settings_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

func TestAConnectionIsPutIntoAFileThatKeepsItsForm(t *testing.T) {
	file := settings.NewConnection{Name: "main", Path: "app.db"}
	server := settings.NewConnection{Name: "shop", URL: "postgres://ann@127.0.0.1/x", PasswordCommand: "berth password shop"}
	for name, one := range map[string]struct {
		c            settings.NewConnection
		before, want string
	}{
		"a design":                        {settings.NewConnection{Name: "shop", Design: "postgres"}, "", "connections:\n  shop: {dialect: postgres, design: true}\n"},
		"a design in a list":              {settings.NewConnection{Name: "shop", Design: "sqlite"}, "connections:\n- name: old\n  path: o.db\n", "connections:\n- name: old\n  path: o.db\n- name: shop\n  dialect: sqlite\n  design: true\n"},
		"no file":                         {file, "", "connections:\n  main: {path: app.db}\n"},
		"a server":                        {server, "", "connections:\n  shop:\n    url: \"postgres://ann@127.0.0.1/x\"\n    passwordCommand: \"berth password shop\"\n"},
		"comments alone":                  {file, "# ours\n", "# ours\nconnections:\n  main: {path: app.db}\n"},
		"no last newline":                 {file, "idleTimeout: 2h # long", "idleTimeout: 2h # long\nconnections:\n  main: {path: app.db}\n"},
		"carriage returns":                {file, "idleTimeout: 2h\r\n", "idleTimeout: 2h\r\nconnections:\r\n  main: {path: app.db}\r\n"},
		"a byte order mark":               {file, "\xef\xbb\xbfidleTimeout: 2h\n", "\xef\xbb\xbfidleTimeout: 2h\nconnections:\n  main: {path: app.db}\n"},
		"others, and below":               {file, "connections: # all\n    old: {path: o.db} # keep\n    # the end\n\nidleTimeout: 2h\n", "connections: # all\n    old: {path: o.db} # keep\n    # the end\n    main: {path: app.db}\n\nidleTimeout: 2h\n"},
		"a comment of the next":           {file, "connections:\n  old: {path: o.db}\n# next\nidleTimeout: 2h\n", "connections:\n  old: {path: o.db}\n  main: {path: app.db}\n# next\nidleTimeout: 2h\n"},
		"a block below":                   {file, "connections:\n  old:\n    path: |-\n      o.db\n", "connections:\n  old:\n    path: |-\n      o.db\n  main: {path: app.db}\n"},
		"a list":                          {server, "connections:\n- name: old\n  path: o.db\nidleTimeout: 2h\n", "connections:\n- name: old\n  path: o.db\n- name: shop\n  url: \"postgres://ann@127.0.0.1/x\"\n  passwordCommand: \"berth password shop\"\nidleTimeout: 2h\n"},
		"a list that is indented":         {file, "connections:\n  - path: o.db\n    name: old\n", "connections:\n  - path: o.db\n    name: old\n  - name: main\n    path: app.db\n"},
		"nothing there":                   {file, "connections:\nidleTimeout: 2h\n", "connections:\n  main: {path: app.db}\nidleTimeout: 2h\n"},
		"empty braces":                    {file, "connections: {} # none yet\nidleTimeout: 2h\n", "connections: # none yet\n  main: {path: app.db}\nidleTimeout: 2h\n"},
		"braces":                          {file, "connections: {\"old\": {path: \"o}.db\"}} # ä\n", "connections: {\"old\": {path: \"o}.db\"}, main: {path: app.db}} # ä\n"},
		"in a row, a letter of two bytes": {server, "connections: {old: {path: ä.db}}\n", "connections: {old: {path: ä.db}, shop: {url: \"postgres://ann@127.0.0.1/x\", passwordCommand: \"berth password shop\"}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := settings.Insert([]byte(one.before), one.c)
			require.NoError(t, err)
			assert.Equal(t, one.want, string(got))
			root := t.TempDir()
			set, err := settings.Load(root, settings.Sources{Draft: got, Trusted: func(string) bool { return true }})
			require.NoError(t, err)
			c, ok := set.Connection(one.c.Name)
			require.True(t, ok)
			assert.True(t, c.Spells(one.c))
			assert.Equal(t, one.c.PasswordCommand, c.PasswordCommand())
			if strings.Contains(one.before, "old") {
				old, ok := set.Connection("old")
				require.True(t, ok)
				assert.Equal(t, root, filepath.Dir(old.Path))
			}
		})
	}
	for name, text := range map[string]string{
		"all in braces":        "{connections: {}}\n",
		"braces on many lines": "connections: {\n  old: {path: o.db}\n}\n",
		"a row":                "connections: [{name: old, path: o.db}]\n",
		"no mapping":           "connections: 3\n",
		"an anchor":            "x: &a {}\nconnections: *a\n",
	} {
		_, err := settings.Insert([]byte(text), file)
		assert.ErrorIs(t, err, settings.ErrForm, name)
	}
	_, err := settings.Insert([]byte("connections: ["), file)
	assert.ErrorContains(t, err, "is not YAML")
}

func TestAPasswordInAnAddressIsSeen(t *testing.T) {
	for address, want := range map[string]bool{
		"app.db": false, "data/a:b@c.db": false, "sqlite:///x/a.db": false, "${DATABASE_URL}": false,
		"postgres://ann@h/x": false, "postgres://ann:${PW}@h/x": false, "mysql://h/x": false,
		"postgres://ann:pw@h/x": true, "mysql://ann:p${X}@h/x": true, "jdbc:postgresql://h/x?user=a&password=pw": true,
		"Server=h;Database=d;User Id=a;Password=pw": true, "Server=h;Database=d;User Id=a;Password=${PW}": false,
		"ann:pw@tcp(h)/x": true, "ann@tcp(h)/x": false, "sqlserver://a:pw@h?database=d": true, "postgres://a:p/w@h/x": true,
		"postgres://a@h/x?sslpassword=pw": true, "mongodb://a:pw@h/x": true,
	} {
		assert.Equal(t, want, settings.HoldsPassword(address), address)
	}
}
