package discovery

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// readEnvironment finds the databases of a folder's environment files: URLs,
// and the variables of Laravel and Adonis. The first file stands for all.
func readEnvironment(s *search, f file) {
	dir := path.Dir(f.name)
	for _, base := range environmentFiles() {
		if name := path.Join(dir, base); name == f.name {
			break
		} else if _, err := s.root.Stat(name); err == nil {
			return // that one stood for this
		}
	}
	env := s.environmentOf(dir)
	for _, v := range slices.SortedFunc(maps.Values(env), compareSettings) {
		if isURLVariable(v.name) && strings.TrimSpace(v.value) != "" {
			s.foundURL(v)
		}
	}
	s.fields(dir, env)
}

func compareSettings(a, b setting) int {
	return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line)
}

// isURLVariable reports whether a variable holds a database's URL.
func isURLVariable(name string) bool {
	switch name {
	case "DB_URL", "DB_URI", "TYPEORM_URL", "POSTGRES_URL", "POSTGRESQL_URL", "PG_URL", "MYSQL_URL", "MARIADB_URL", "MSSQL_URL", "SQLSERVER_URL":
		return true
	}
	// SQLALCHEMY_DATABASE_URI is Flask-SQLAlchemy's.
	return strings.HasSuffix(name, "DATABASE_URL") || strings.HasSuffix(name, "DATABASE_URI")
}

func (s *search) foundURL(v setting) {
	address, rooted, err := s.parseURL("", path.Dir(v.file), v.value)
	if err != nil {
		s.note(v.file, v.line, "%s %v", v.name, err)
		return
	}
	base := "env-" + v.name
	if v.name == "DATABASE_URL" {
		base = "env"
	}
	s.found(candidate{base: base, address: address, file: v.file, line: v.line, rooted: rooted})
}

// flask matches Flask-SQLAlchemy among what a project of Python asks for.
var flask = lazyregexp.New(`(?i)flask[-_.]sqlalchemy`)

// flaskFolders are the folder, and its instance folder, to which
// Flask-SQLAlchemy 3 takes SQLite files as relative: "relative paths are
// relative to the instance path" (its documentation, Configuration). It goes
// first where the project asks for it.
func (s *search) flaskFolders(dir string) []string {
	list := []string{dir, path.Join(dir, "instance")}
	for _, name := range []string{"requirements.txt", "pyproject.toml", "Pipfile"} {
		name = path.Join(dir, name)
		if !s.isFile(name) {
			continue
		}
		if data, ok := s.data(name); ok && flask().Match(data) {
			slices.Reverse(list)
			return list
		}
	}
	return list
}

// family is a way to write a connection in variables.
type family struct {
	base                                                          string
	dialect                                                       string // "": a variable says
	host, port, user, password, database, socket, dialectVariable []string
	sslMode                                                       string
}

// families are Laravel's and Adonis 6's, which have one connection under DB_,
// Adonis 5's and the images', which have one for each dialect, and the
// variables of PostgreSQL's own programs (its documentation, 34.15).
func families() []family {
	list := []family{{
		base: "env",
		host: []string{"DB_HOST"}, port: []string{"DB_PORT"}, user: []string{"DB_USERNAME", "DB_USER"},
		password: []string{"DB_PASSWORD", "DB_PASS"}, database: []string{"DB_DATABASE", "DB_NAME"}, socket: []string{"DB_SOCKET"},
		dialectVariable: []string{"DB_CONNECTION", "DB_DIALECT", "DB_DRIVER", "DB_CLIENT", "DB_TYPE", "DB_ENGINE"},
	}}
	for prefix, dialect := range map[string]string{"MYSQL": settings.DialectMySQL, "PG": settings.DialectPostgres, "MSSQL": settings.DialectMSSQL} {
		list = append(list, family{
			base: "env-" + strings.ToLower(prefix), dialect: dialect,
			host: []string{prefix + "_HOST", prefix + "_SERVER"}, port: []string{prefix + "_PORT"}, user: []string{prefix + "_USER"},
			password: []string{prefix + "_PASSWORD"}, database: []string{prefix + "_DB_NAME", prefix + "_DATABASE"},
		})
	}
	list = append(list, family{
		base: "env-libpq", dialect: settings.DialectPostgres, host: []string{"PGHOST", "PGHOSTADDR"}, port: []string{"PGPORT"}, user: []string{"PGUSER"},
		password: []string{"PGPASSWORD"}, database: []string{"PGDATABASE", "PGUSER"}, sslMode: "PGSSLMODE",
	}, family{
		base: "env-postgres", dialect: settings.DialectPostgres, host: []string{"POSTGRES_HOST", "POSTGRES_SERVER"}, port: []string{"POSTGRES_PORT"},
		user: []string{"POSTGRES_USER"}, password: []string{"POSTGRES_PASSWORD"}, database: []string{"POSTGRES_DB", "POSTGRES_DATABASE"},
	})
	slices.SortFunc(list, func(a, b family) int { return strings.Compare(a.base, b.base) })
	return list
}

// fields finds the connections that are written in several variables.
func (s *search) fields(dir string, env environment) {
	for _, fam := range families() {
		kind, hasKind := env.firstOf(fam.dialectVariable...)
		host, hasHost := env.firstOf(fam.host...)
		database, hasDatabase := env.firstOf(fam.database...)
		at, dialect := kind, fam.dialect
		if hasKind {
			if dialect = settings.DialectOf(strings.TrimPrefix(kind.value, "django.db.backends.")); dialect == "" {
				s.note(kind.file, kind.line, "%s names a kind of database that is not served", kind.name)
				continue
			}
		}
		if hasHost {
			at = host
		}
		switch {
		case dialect == settings.DialectSQLite:
			s.laravelFile(kind, database)
		case hasDatabase && (hasHost || hasKind || database.name == "PGDATABASE"):
			if !hasHost && !hasKind {
				at = database
			}
			s.foundFields(dir, at, env, fam, dialect)
		}
	}
}

func (s *search) foundFields(dir string, at setting, env environment, fam family, dialect string) {
	value := func(names []string) string {
		v, _ := env.firstOf(names...)
		return v.value
	}
	f := settings.Fields{Host: value(fam.host), Port: value(fam.port), User: value(fam.user), Database: value(fam.database)}
	if mode, ok := env.firstOf(fam.sslMode); ok {
		f.Params = map[string]string{"sslmode": mode.value}
	}
	for _, password := range fam.password {
		if v, ok := env[password]; ok && v.value != "" { // space counts
			f.Password = v.value
			break
		}
	}
	if dialect == "" {
		if dialect = s.guessDialect(dir, f.Port); dialect == "" {
			s.note(at.file, at.line, "%s names a server and nothing says of which kind: set DB_CONNECTION, or write a DATABASE_URL", at.name)
			return
		}
	}
	if socket := value(fam.socket); socket != "" && dialect == settings.DialectMySQL {
		f.Host, f.Port = socket, ""
	}
	address, err := settings.FieldAddress(dialect, f)
	if err != nil {
		s.note(at.file, at.line, "%v", err)
		return
	}
	s.found(candidate{base: fam.base, address: address, file: at.file, line: at.line})
}

// laravelFile finds the file that Laravel means by DB_CONNECTION=sqlite.
func (s *search) laravelFile(kind, database setting) {
	file, at := database.value, database
	if file == "" || file == "laravel" {
		file, at = "database/database.sqlite", kind
	}
	s.found(candidate{base: "env", address: settings.Address{Dialect: settings.DialectSQLite, Path: file}, file: at.file, line: at.line})
}

// guessDialect goes by the port, else by the one driver that the package.json
// of the folder asks for.
func (s *search) guessDialect(dir, port string) string {
	for _, dialect := range []string{settings.DialectPostgres, settings.DialectMySQL, settings.DialectMSSQL} {
		if port == strconv.Itoa(defaultPort(dialect)) {
			return dialect
		}
	}
	data, ok := s.data(path.Join(dir, "package.json"))
	if !ok {
		return ""
	}
	asked, err := drivers(data)
	if err != nil || len(asked) != 1 {
		return ""
	}
	return asked[0]
}

// drivers lists the dialects that a package.json depends on the driver of.
func drivers(data []byte) ([]string, error) {
	var manifest struct {
		Dependencies map[string]any `json:"dependencies"`
	}
	if json.Unmarshal(data, &manifest) != nil {
		return nil, errors.New("is not JSON")
	}
	var list []string
	for name, dialect := range map[string]string{"pg": settings.DialectPostgres, "postgres": settings.DialectPostgres,
		"mysql2": settings.DialectMySQL, "mysql": settings.DialectMySQL, "mariadb": settings.DialectMySQL,
		"tedious": settings.DialectMSSQL, "mssql": settings.DialectMSSQL} {
		if _, ok := manifest.Dependencies[name]; ok && !slices.Contains(list, dialect) {
			list = append(list, dialect)
		}
	}
	return list, nil
}
