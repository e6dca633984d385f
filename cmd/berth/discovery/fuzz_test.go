package discovery

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

var legalName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// fuzzed searches a project of one fuzzed file, and checks what holds for
// every input.
func fuzzed(t *testing.T, name string, data []byte) {
	root := t.TempDir()
	for file, content := range map[string][]byte{name: data, "variables/.env": []byte("A=1\n"), ".env.local": []byte("DB_PASSWORD='s3cr3t-of-a-file'\n")} {
		file = filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Find(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range r.Connections {
		if !legalName.MatchString(c.Name) || seen[strings.ToLower(c.Name)] {
			t.Fatalf("name %q", c.Name)
		}
		seen[strings.ToLower(c.Name)] = true
		if c.Line < 1 || c.Line > 1+strings.Count(string(data), "\n") && c.File == name {
			t.Fatalf("line %d of %s", c.Line, c.File)
		}
		if c.Dialect == settings.DialectSQLite && !filepath.IsLocal(filepath.FromSlash(c.Path)) {
			t.Fatalf("a path outside: %q", c.Path)
		}
	}
	for _, n := range r.Notes {
		if len(n) > 1000 || !utf8.ValidString(n) || strings.Contains(n, "s3cr3t") {
			t.Fatalf("note %q", n)
		}
	}
}

func fuzzReader(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, name, data) })
}

func FuzzDotenv(f *testing.F) {
	fuzzReader(f, ".env", "DATABASE_URL=\"postgres://u:p%40@h:1/d\"\n", "export DB_HOST='a' # c\nDB_CONNECTION=mysql\nDB_DATABASE=${DB_HOST}\\$x\n", "A=\"x\ny\"\nPG_HOST=`a`\n", "A=$A${A:-${B}}\n")
}

func FuzzDevDBRC(f *testing.F) {
	fuzzReader(f, ".devdbrc", `[{"type":"mysql","name":"a","port":"1","database":"d","options":{"trustServerCertificate":true}}, /* */ {"type":"sqlite","path":"../x"},]`)
}

func FuzzRails(f *testing.F) {
	fuzzReader(f, "config/database.yml", "default: &d\n  adapter: mysql2\ndevelopment:\n  <<: [*d]\n  url: <%= ENV.fetch('A') { \"x\" } %>\n", "development:\n  a: {adapter: pg, database: <%= 'x' -%>}\n", "a: &a\n  <<: *a\ndevelopment: *a\n")
}

func FuzzPrisma(f *testing.F) {
	fuzzReader(f, "schema.prisma", "datasource db {\n provider = \"sqlite\"\n url = env(\"DB_PASSWORD\")\n url = \"file:./x\"\n}\n")
}

func FuzzDjango(f *testing.F) {
	fuzzReader(f, "a/settings.py", "DATABASES: dict = {'default': {'ENGINE': \"mysql\", 'NAME': '''x''' 'y', 'PORT': 1, 'OPTIONS': f(x, [')'])}, **other}")
}

func FuzzSpringProperties(f *testing.F) {
	fuzzReader(f, "application.properties", "spring.datasource.url: jdbc:mysql://${A:${B:x}}/d\\\n x\\u00e4\n")
}

func FuzzSpringYAML(f *testing.F) {
	fuzzReader(f, "application.yml", "spring:\n  datasource: {url: 'jdbc:postgresql://h/${spring.datasource.url}'}\n---\nspring.profiles: x\n")
}

func FuzzDotNet(f *testing.F) {
	fuzzReader(f, "appsettings.json", `{"ConnectionStrings":{"a":"Server=h,1;Database={d};User Id='u'","b":"Data Source=a.db"}} //`)
}

func FuzzCompose(f *testing.F) {
	fuzzReader(f, "compose.yaml", "services:\n  db: &db\n    image: postgres@x\n    ports: ['${A:-1}:5432/tcp', {target: 5432, published: 2}]\n    env_file: [{path: .env.local}]\n    environment:\n      <<: *db\n      POSTGRES_PASSWORD: $$${A?x}\n")
}

func FuzzPhoenix(f *testing.F) {
	fuzzReader(f, "config/dev.exs", "config :a, A.Repo,\n  url: \"ecto://#{System.get_env(\"A\") || \"b\"}\",\n  database: Path.expand(\"../x\", __DIR__)\n", "if config_env() == :dev do\nconfig :a, B.Repo, adapter: Ecto.Adapters.Postgres, hostname: h, [a: 1, b: [c: :d]]\nend\n")
}

func FuzzKnex(f *testing.F) {
	fuzzReader(f, "knexfile.ts", "const a: X = { client: 'pg', ...b, connection: { host: `${process.env.A ?? 'h'}`, port: +1, f() { return 1 } } } as const\nexport default a", "const {A, B: c = 'x'} = process.env; module.exports = {client: 'sqlite3', connection: {filename: path.join(__dirname, a?.b!['c'])}}")
}

func FuzzSequelize(f *testing.F) {
	fuzzReader(f, ".sequelizerc", "module.exports = {config: require('path').resolve('config', 'x.json')}", `{"config": "variables/.env"}`)
}

func FuzzSequelizeJSON(f *testing.F) {
	fuzzReader(f, "config/config.json", `{"development": {"dialect": "postgres", "host": "\u0068", "database": "d", "use_env_variable": "A", "dialectOptions": {"options": {"trustServerCertificate": true}}}}`)
}

func FuzzTypeORM(f *testing.F) {
	fuzzReader(f, "data-source.ts", "export const d = new DataSource({type: 'mysql', replication: {master: {host: 'h'}}, database: 'd', url: process.env['A']})", "export default [{name: 'a', type: 'sqlite', database: 'x'}]")
}

func FuzzDrizzle(f *testing.F) {
	fuzzReader(f, "drizzle.config.ts", "export default defineConfig({dialect: 'turso', dbCredentials: {url: 'file:x'}}) satisfies Config;", "export default {dialect: 'postgresql', dbCredentials: {url: env.A}}")
}

func FuzzWordPress(f *testing.F) {
	fuzzReader(f, "wp-config.php", "<?php define('DB_NAME', getenv('A') ?: 'd'); define( \"DB_HOST\", 'h' . ':' . '/s' ); # '\ndefine('DB_USER', $_ENV['A']);")
}

func FuzzFlyway(f *testing.F) {
	fuzzReader(f, "flyway.toml", "[flyway]\nenvironment = 'x'\n[environments.x]\nurl = \"jdbc:mysql://h/${env.A}\"\nuser = {a = 'b', c = [1]}\n", "environments.dev.url = '''\njdbc:sqlite:x'''")
}

func FuzzSupabase(f *testing.F) {
	fuzzReader(f, "supabase/config.toml", "[db]\nport = 1\n[[db]]\nport = [[1]]\n", "db = {port = 0x1f}")
}

func FuzzAlembic(f *testing.F) {
	fuzzReader(f, "alembic.ini", "[DEFAULT]\na = %(b)s\nb = %(a)s%(a)s\n[alembic]\nsqlalchemy.url = sqlite:///%(here)s/%(a)s%%\n")
}

func FuzzDBT(f *testing.F) {
	fuzzReader(f, "profiles.yml", "p:\n  target: \"{{ env_var('A', 'dev') }}\"\n  outputs: {dev: {type: postgres, host: h, dbname: \"{{ env_var('B') | int }}\"}}\n")
}

func FuzzSymfony(f *testing.F) {
	fuzzReader(f, "config/packages/doctrine.yaml", "doctrine: {dbal: {url: '%env(resolve:A)%'}}\nwhen@dev: {doctrine: {dbal: {driver: pdo_sqlite, path: '%kernel.project_dir%/x'}}}\nparameters: {env(A): x}\n")
}
