package discovery

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// told reads the expression behind "it = " in a file of a folder app, whose
// project sets SET, in words.
func told(t *testing.T, lang *language, text string) string {
	t.Helper()
	dir, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = dir.Close() })
	s := newSearch(dir)
	s.environments["."] = environment{"SET": {name: "SET", value: "env"}}
	s.environments["app"] = environment{}
	c, ok := s.codeOf(lang, file{name: "app/x", data: []byte(text)})
	require.True(t, ok)
	v := c.at(0).defined("it")
	switch v.kind {
	case computed:
		return "computed"
	case unset:
		return "unset " + v.variable
	case null:
		return "null"
	case place:
		return "place " + v.text
	case object, list:
		return "brackets"
	}
	return "'" + v.text + "'"
}

func TestExpressionsAreToldOrComputed(t *testing.T) {
	for _, tt := range []struct {
		lang  *language
		texts map[string]string
	}{
		{javaScript(), map[string]string{
			"const it = 'a'": "'a'", "it = \"a\\\"b\\u0041\"": "'a\"bA'", "const it = `a${process.env.SET}b`": "'aenvb'", "const it = `${'}'}`": "'}'",
			"let it: string = process.env.SET ?? 'd';": "'env'", "const it = process.env['NOT'] || 'd'": "'d'", "const it = process.env.NOT": "unset NOT", "const it = process.env.NOT || f()": "unset NOT",
			"const it = f() || 'd'": "computed", "const it = 'a' /* c */ + 'b' // c\nconst x = 1": "'ab'", "const it = a ? 'b' : 'c'": "computed", "const it = 5_432": "'5432'", "const it = +process.env.SET!": "'env'",
			"const it = process.env.SET as unknown as string": "'env'", "const base = {a: {b: 'c'}}\nconst it = base.a.b": "'c'", "const it = it + 'x'": "computed", "const it = 'a'\nit = 'b'": "computed", "/*\nconst it = 'a'\n*/\nconst it = 'b'": "'b'",
			"const it = require('path').join('a')": "computed", "import path from 'path'\nexport const it = path.resolve(__dirname, '..', 'x.db')": "place x.db", "const it = __dirname + '/x.db'": "place app/x.db", "const it = path.resolve('a', 'b')": "'a/b'",
			"const { it = 'd', B } = process.env": "'d'", "const { SET: it } = process.env": "'env'", "const it = { a, ...b, c() { return '}' }, ['d']: 1, 'e-f': 2, }": "brackets", "const it = 'open\nconst b = 'c'": "computed", "const it = (a, b) => 'x'": "computed", "const it = ('a')": "'a'", "const it = null": "null",
		}},
		{python(), map[string]string{
			"it = 'a' \"b\"": "'ab'", "it = '''a'''": "'a'", "it = f'{SET}'": "computed", "x = 'b'\nit = f'a{x}{{}}'": "'ab{}'", "it = os.environ.get('SET', 'd')": "'env'", "it = os.getenv('NOT', default='d')": "'d'", "it = os.environ['NOT']": "unset NOT", "it = os.getenv('NOT') or 'd'": "'d'",
			"it = int(os.environ.get('NOT', 5))": "'5'", "it = Path(__file__).resolve().parent.parent / 'x.db'": "place x.db", "it = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'x.db')": "place app/x.db", "it = str(Path(__file__).parents[1] / 'x')": "place x", "B = Path(__file__).parent\nit = f'{B}/x.db'": "place app/x.db",
			"it = 'a' if x else 'b'": "computed", "it = r'a'": "'a'", "it = 'a' % x": "computed", "it = None # c": "null", "it: str = ('a'\n  'b')": "'ab'", "it = 'a'\nit = 'b'": "computed", "it = f(x)": "computed", "it = config('SET', default='x', cast=str)": "'env'", "it = 'a' \\\n  'b'": "'ab'",
		}},
		{elixir(), map[string]string{
			"it = \"a\"": "'a'", "it = System.get_env(\"SET\") || \"d\"": "'env'", "it = System.get_env(\"NOT\", \"d\")": "'d'", "it = System.fetch_env!(\"NOT\")": "unset NOT", "it =\n  System.get_env(\"NOT\") ||\n    raise \"no\"": "unset NOT", "it = \"a#{System.get_env(\"SET\")}\" <> \"b\"": "'aenvb'", "it = Path.expand(\"../x.db\", __DIR__)": "place x.db",
			"it = Path.expand(\"../x.db\", Path.dirname(__ENV__.file))": "place x.db", "it = [a: 1, b: [c: :d]]": "brackets", "it = String.to_integer(System.get_env(\"NOT\") || \"5\")": "'5'", "it = File.read!(\"x\")": "computed", "it = Ecto.Adapters.Postgres": "'Ecto.Adapters.Postgres'", "it = nil": "null", "it = ~s(x)": "computed",
		}},
		{php(), map[string]string{
			"it = 'a\\n\\'b' . \"c\\n\";": "'a\\n'bc\n'", "it = \"a$b\";": "computed", "it = getenv('NOT') ?: 'd';": "'d'", "it = $_ENV['SET'] ?? 'd';": "'env'", "it = __DIR__ . '/x';": "place app/x", "it = \\getenv('SET');": "'env'", "it = file_get_contents('x');": "computed",
		}},
	} {
		for text, want := range tt.texts {
			t.Run(text, func(t *testing.T) { assert.Equal(t, want, told(t, tt.lang, text)) })
		}
	}
}
