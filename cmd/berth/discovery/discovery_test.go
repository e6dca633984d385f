package discovery_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/discovery"
)

// project lays files out; the text SQLITE stands for an empty SQLite file,
// which discovery knows by being there.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return root
}

// line shows a connection with its password in the open.
func line(t *testing.T, c discovery.Connection) string {
	t.Helper()
	if c.Path != "" {
		return fmt.Sprintf("%s = %s %s (%s)", c.Name, c.Dialect, c.Path, c.Origin())
	}
	password, err := c.Server.Password.Reveal(t.Context())
	require.NoError(t, err)
	port := ""
	if c.Server.Port != 0 {
		port = fmt.Sprintf(":%d", c.Server.Port)
	}
	more := ""
	for _, name := range []string{"search_path", "TrustServerCertificate"} {
		if v := c.Server.Params[name]; v != "" {
			more += " " + name + "=" + v
		}
	}
	if c.Server.SSLMode != "" {
		more += " sslmode=" + c.Server.SSLMode
	}
	return fmt.Sprintf("%s = %s %s|%s@%s%s/%s%s (%s)", c.Name, c.Dialect, c.Server.User, password, c.Server.Host, port, c.Server.Database, more, c.Origin())
}

func find(t *testing.T, files map[string]string) (connections, notes []string) {
	t.Helper()
	r, err := discovery.Find(t.Context(), project(t, files))
	require.NoError(t, err)
	for _, c := range r.Connections {
		connections = append(connections, line(t, c))
	}
	for _, n := range r.Notes {
		assert.NotContains(t, n, "hunter2", "a note carries no value")
	}
	return connections, r.Notes
}

func TestConnectionsAreFoundWhereProjectsKeepThem(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"DevDB's list": {map[string]string{".devdbrc": `[
	// comments are fine
	{"name": "My test MySQL", "type": "mysql", "host": "127.0.0.1", "port": "3307", "username": "root", "password": "12'$\"3", "database": "test"},
	{"type": "sqlite", "path": "data/app.sqlite"},
	{"name": "pg", "type": "postgres", "host": "localhost", "port": 5433, "username": "u", "password": "p", "database": "d"},
	{"name": "ms", "type": "mssql", "host": "localhost", "username": "sa", "password": "x", "database": "m", "options": {"trustServerCertificate": true}},
]`, "data/app.sqlite": "SQLITE"},
			[]string{`My-test-MySQL = mysql root|12'$"3@127.0.0.1:3307/test (.devdbrc:3)`, `data-app.sqlite = sqlite data/app.sqlite (.devdbrc:4)`,
				`pg = postgres u|p@localhost:5433/d (.devdbrc:5)`, `ms = mssql sa|x@localhost/m TrustServerCertificate=true (.devdbrc:6)`}},
		"a DATABASE_URL": {map[string]string{".env": "A=1\nDATABASE_URL=\"postgresql://ann:p%40ss@db.example:5433/shop?schema=app&connection_limit=5\" # c\n"},
			[]string{`env = postgres ann|p@ss@db.example:5433/shop search_path=app (.env:2)`}},
		".env.local goes before .env": {map[string]string{".env": "DATABASE_URL=mysql://a:1@h/d\n", ".env.local": "export DATABASE_URL='mysql://a:2@h/d'\n"},
			[]string{`env = mysql a|2@h/d (.env.local:1)`}},
		"several URLs": {map[string]string{".env": "SHADOW_DATABASE_URL=postgres://u@h/shadow\nDATABASE_URL=postgres://u@h/main\nREDIS_URL=redis://h\n"},
			[]string{`env-SHADOW_DATABASE_URL = postgres u|@h/shadow (.env:1)`, `env = postgres u|@h/main (.env:2)`}},
		"Laravel": {map[string]string{".env": "DB_CONNECTION=pgsql\nDB_HOST=127.0.0.1\nDB_PORT=5432\nDB_DATABASE=shop\nDB_USERNAME=ann\nDB_PASSWORD=\"p#s \\\"x\\\" $a\"\n"},
			[]string{`env = postgres ann|p#s "x" $a@127.0.0.1:5432/shop (.env:2)`}},
		"Laravel's SQLite": {map[string]string{".env": "DB_CONNECTION=sqlite\n# DB_HOST=127.0.0.1\n", "database/database.sqlite": "SQLITE"},
			[]string{`env = sqlite database/database.sqlite (.env:1)`}},
		"Laravel Sail": {map[string]string{
			".env":               "DB_CONNECTION=mysql\nDB_HOST=mysql\nDB_PORT=3306\nDB_DATABASE=shop\nDB_USERNAME=sail\nDB_PASSWORD=password\nFORWARD_DB_PORT=3310\n",
			"docker-compose.yml": "services:\n  mysql:\n    image: 'mysql/mysql-server:8.0'\n    ports:\n      - '${FORWARD_DB_PORT:-3306}:3306'\n    environment:\n      MYSQL_DATABASE: '${DB_DATABASE}'\n      MYSQL_USER: '${DB_USERNAME}'\n      MYSQL_PASSWORD: '${DB_PASSWORD}'\n"},
			[]string{`env = mysql sail|password@127.0.0.1:3310/shop (.env:2)`}},
		"Adonis 6, the kind by the port": {map[string]string{".env": "DB_HOST=localhost\nDB_PORT=3306\nDB_USER=root\nDB_PASSWORD=root\nDB_DATABASE=app\n"},
			[]string{`env = mysql root|root@localhost:3306/app (.env:1)`}},
		"Adonis 6, the kind by the driver": {map[string]string{".env": "DB_HOST=localhost\nDB_PORT=6543\nDB_USER=root\nDB_DATABASE=app\n", "package.json": `{"dependencies": {"pg": "8"}}`},
			[]string{`env = postgres root|@localhost:6543/app (.env:1)`}},
		"Adonis 5": {map[string]string{".env": "DB_CONNECTION=pg\nPG_HOST=localhost\nPG_PORT=5432\nPG_USER=lucid\nPG_PASSWORD=x\nPG_DB_NAME=lucid\n"},
			[]string{`env-pg = postgres lucid|x@localhost:5432/lucid (.env:2)`}},
		"Rails": {map[string]string{"config/database.yml": `default: &default
  adapter: postgresql
  pool: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>
  host: <%= ENV.fetch('DB_HOSTNAME', 'localhost') %>
<%# a comment %>
development:
  <<: *default
  database: shop_development
  username: <%= ENV["DBUSER"] || "shop" %>
  password: "<%= ENV['DBPASS'] %>"
  port: 5433
test:
  <<: *default
  database: shop_test
`, ".env": "DBPASS='a: \"b\" # c\\'\n"},
			[]string{`rails = postgres shop|a: "b" # c\@localhost:5433/shop_development (config/database.yml:7)`}},
		"Rails with several databases": {map[string]string{"web/config/database.yml": "development:\n  primary:\n    adapter: mysql2\n    database: a\n    host: h\n  cache:\n    url: <%= ENV['CACHE'] %>\n  files:\n    adapter: sqlite3\n    database: storage/x.sqlite3\n",
			"web/storage/x.sqlite3": "SQLITE", ".env": "CACHE=trilogy://u:p@h/b\n"},
			[]string{`web-rails-primary = mysql |@h/a (web/config/database.yml:3)`, `web-rails-cache = mysql u|p@h/b (web/config/database.yml:7)`,
				`web-rails-files = sqlite web/storage/x.sqlite3 (web/config/database.yml:9)`}},
		"Prisma": {map[string]string{"prisma/schema.prisma": "generator client {\n  provider = \"x\"\n}\ndatasource db {\n  provider = \"sqlserver\"\n  url      = env(\"MSSQL\")\n}\n",
			".env": `MSSQL="sqlserver://h:1433;database=d;user=sa;password={a;b};trustServerCertificate=true"`},
			[]string{`prisma = mssql sa|a;b@h:1433/d TrustServerCertificate=true (prisma/schema.prisma:6)`}},
		"Prisma's SQLite, beside the schema": {map[string]string{"apps/api/prisma/schema.prisma": "datasource db {\n  provider = \"sqlite\"\n  url = \"file:./dev.db\"\n}\n", "apps/api/prisma/dev.db": "SQLITE"},
			[]string{`apps-api-prisma = sqlite apps/api/prisma/dev.db (apps/api/prisma/schema.prisma:3)`}},
		"Django": {map[string]string{"shop/settings.py": `import os
DATABASES = {
    'default': {
        'ENGINE': 'django.db.backends.postgresql', # the usual
        "NAME": "shop", 'USER': 'ann',
        'PASSWORD': 'p\'w"' "x",
        'HOST': '', 'PORT': 5432,
        'OPTIONS': {'sslmode': os.environ.get("X", "}")},
    },
    'legacy': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'legacy.sqlite3'},
}
`, "legacy.sqlite3": "SQLITE"},
			[]string{`shop-django = postgres ann|p'w"x@:5432/shop (shop/settings.py:3)`, `shop-django-legacy = sqlite legacy.sqlite3 (shop/settings.py:10)`}},
		"Spring's properties": {map[string]string{"src/main/resources/application.properties": "# c\nspring.datasource.url=jdbc:mysql://localhost:3306/shop?useSSL=false&serverTimezone=UTC\nspring.datasource.username = ann\nspring.datasource.password: p\\u00e4\\\n   ss\\\\${no\n"},
			[]string{`spring = mysql ann|päss\${no@localhost:3306/shop sslmode=disable (src/main/resources/application.properties:2)`}},
		"Spring's YAML": {map[string]string{"api/src/main/resources/application.yml": "spring:\n  datasource:\n    url: jdbc:postgresql://${PGHOST:db.local}:${PGPORT:5432}/shop\n    username: ${DB_USER}\n    password: ${DB_PW:x}\n---\nspring:\n  config.activate.on-profile: prod\n  config: {activate: {on-profile: prod}}\n  datasource: {url: 'jdbc:postgresql://prod/shop'}\n", "api/.env": "DB_USER=ann\nPGHOST=other\n"},
			[]string{`api-spring = postgres ann|x@other:5432/shop (api/src/main/resources/application.yml:3)`}},
		".NET": {map[string]string{"Web/appsettings.json": `{"ConnectionStrings": {
  "Default": "Server=prod;Database=shop;User Id=sa;Password=x",
  "Pg": "Host=h;Port=5433;Username=u;Password=\"a;b\";Database=d",
  "Blob": "DefaultEndpointsProtocol=https;AccountName=x" /* not ours */ }}`,
			"Web/appsettings.Development.json": `{"ConnectionStrings": {"Default": "Server=tcp:localhost,1434;Initial Catalog=shop;User ID=sa;Password='p;w';TrustServerCertificate=True"}}`},
			[]string{`Web-dotnet-Default = mssql sa|p;w@localhost:1434/shop TrustServerCertificate=True (Web/appsettings.Development.json:1)`,
				`Web-dotnet-Pg = postgres u|a;b@h:5433/d (Web/appsettings.json:3)`}},
		"Compose": {map[string]string{"compose.yaml": `x-env: &env
  POSTGRES_PASSWORD: "${PW:-pa$$wd}"
services:
  db:
    image: docker.io/library/postgres:17-alpine
    environment:
      <<: *env
      POSTGRES_DB: shop
    ports: ["127.0.0.1:5440:5432"]
  maria:
    image: mariadb
    env_file: [maria.env]
    environment: [MARIADB_DATABASE=m, EMPTY]
    ports:
      - target: 3306
        published: "3316"
  sql:
    image: mcr.microsoft.com/mssql/server:2022-latest
    environment: {MSSQL_SA_PASSWORD: 'Str0ng#'}
    ports: [1440:1433]
  hidden:
    image: postgres
  cache:
    image: redis
    ports: ["6379:6379"]
`, "maria.env": "MARIADB_ROOT_PASSWORD='r o#t'\n"},
			[]string{`compose-db = postgres postgres|pa$wd@127.0.0.1:5440/shop (compose.yaml:4)`, `compose-maria = mysql root|r o#t@127.0.0.1:3316/m (compose.yaml:10)`,
				`compose-sql = mssql sa|Str0ng#@127.0.0.1:1440/master TrustServerCertificate=true (compose.yaml:17)`}},
		"one database in several files is one": {map[string]string{
			".env": "DATABASE_URL=postgres://postgres:x@localhost:5432/app\n", "prisma/schema.prisma": "datasource db {\n provider = \"postgresql\"\n url = env(\"DATABASE_URL\")\n}\n",
			"docker-compose.yml": "services:\n  db:\n    image: postgres\n    environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: app}\n    ports: ['5432:5432']\n",
			".devdbrc":           `[{"type": "postgres", "name": "mine", "host": "127.0.0.1", "username": "me", "password": "y", "database": "app"}]`},
			[]string{`mine = postgres me|y@127.0.0.1/app (.devdbrc:1)`}},
		"names are unique": {map[string]string{"a/.env": "DATABASE_URL=mysql://h/a\n", "a-env/.env": "", ".devdbrc": `[{"type":"mysql","name":"A-env","database":"x"},{"type":"mysql","name":"漢","database":"y"}]`},
			[]string{`A-env = mysql |@/x (.devdbrc:1)`, `database = mysql |@/y (.devdbrc:1)`, `a-env-2 = mysql |@h/a (a/.env:1)`}},
		"others' folders do not count": {map[string]string{"node_modules/x/.env": "DATABASE_URL=mysql://h/a\n", "vendor/.env": "DATABASE_URL=mysql://h/a\n", ".env.example": "DATABASE_URL=mysql://h/a\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, notes := find(t, tt.files)
			assert.Equal(t, tt.want, got)
			assert.Empty(t, notes)
		})
	}
}

func TestWhatCannotBeUsedIsANoteAndHidesNothing(t *testing.T) {
	good := map[string]string{"zz/.env": "DATABASE_URL=mysql://u@h/good\n"}
	for name, tt := range map[string]struct{ file, text, note string }{
		"a list that is none":          {".devdbrc", `{"type": "mysql"}`, ".devdbrc:1: must be a list of connections"},
		"a broken list":                {".devdbrc", "[\n{hunter2", ".devdbrc:2: is not JSON with comments"},
		"an unknown type":              {".devdbrc", "[\n{\"type\": \"duckdb\", \"path\": \"hunter2\"}]", ".devdbrc:2: a connection of a type that is not served is left out"},
		"no type":                      {".devdbrc", `[{"name": "hunter2"}]`, ".devdbrc:1: a connection lacks its type"},
		"no database":                  {".devdbrc", `[{"type": "mysql", "password": "hunter2"}]`, ".devdbrc:1: a database must be named"},
		"a scheme that is not served":  {".env", "DATABASE_URL=mongodb://u:hunter2@h/d", ".env:1: DATABASE_URL the scheme mongodb is not served"},
		"a URL that is none":           {".env", "DATABASE_URL=postgres://u:hunter2%@h/d", ".env:1: DATABASE_URL holds a broken % escape"},
		"a file outside":               {".env", "DATABASE_URL=file:/etc/hunter2.db", ".env:1: names a SQLite file outside of the project"},
		"a file above":                 {".env", "DATABASE_URL=file:../hunter2.db", ".env:1: names a SQLite file that is not there, or not in the project"},
		"a file that is not there":     {".env", "DB_CONNECTION=sqlite", ".env:1: names a SQLite file that is not there"},
		"nothing tells the kind":       {".env", "DB_HOST=hunter2\nDB_DATABASE=hunter2", ".env:1: DB_HOST names a server and nothing says of which kind"},
		"a port that is none":          {".env", "DB_CONNECTION=mysql\nDB_HOST=h\nDB_PORT=hunter2\nDB_DATABASE=d", ".env:2: the port is not a number"},
		"a computed password":          {"config/database.yml", "development:\n  adapter: mysql2\n  database: d\n  password: <%= `cat hunter2` %>\n", "config/database.yml:2: password is computed"},
		"YAML that is none":            {"config/database.yml", "a: [hunter2\nb", "config/database.yml"},
		"a variable nobody sets":       {"schema.prisma", "datasource db {\n url = env(\"NOPE\")\n}", "schema.prisma:2: the variable NOPE is in no .env file of the project"},
		"a computed setting":           {"a/settings.py", "DATABASES = {'default': {'ENGINE': 'django.db.backends.mysql',\n'NAME': 'x', 'PASSWORD': hunter2()}}", "a/settings.py:2: PASSWORD is computed"},
		"a placeholder nobody sets":    {"application.properties", "spring.datasource.url=jdbc:mysql://h/${X}", "application.properties:1: spring.datasource.url has a placeholder"},
		"Windows' sign-in":             {"appsettings.json", `{"ConnectionStrings":{"D":"Server=h;Database=d;Trusted_Connection=True"}}`, "appsettings.json:1: connection string D signs in with the account of Windows"},
		"a service without a database": {"compose.yaml", "services:\n  db:\n    image: mysql\n    ports: ['3306:3306']\n", "compose.yaml:2: the service db names no database"},
		"a host only Compose knows":    {".env", "DATABASE_URL=postgres://u@db/d", ".env:1: its host is a service of Compose that publishes no port"},
		"a file that is too large":     {".env", strings.Repeat("# hunter2\n", 30_000), ".env: is larger than 262144 bytes and not read"},
		"brackets without end":         {"compose.yaml", strings.Repeat("[", 100_000), "compose.yaml: is nested too deeply"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(name, "Windows") {
				return // that account is there
			}
			files := map[string]string{tt.file: tt.text}
			if strings.Contains(name, "only Compose") {
				files["compose.yaml"] = "services:\n  db:\n    image: postgres\n"
			}
			for file, text := range good {
				files[file] = text
			}
			got, notes := find(t, files)
			assert.Equal(t, []string{"zz-env = mysql u|@h/good (zz/.env:1)"}, got)
			require.Len(t, notes, 1)
			assert.Contains(t, notes[0], tt.note)
		})
	}
}
