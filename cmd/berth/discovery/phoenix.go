package discovery

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isPhoenix matches development's settings of a Mix project. Those of all
// environments, and of the start, are read with them.
func isPhoenix(name string) bool {
	dir, base := path.Split(name)
	return path.Base(path.Clean(dir)) == "config" && (base == "dev.exs" || base == "runtime.exs" || base == "config.exs")
}

var (
	elixirConfig = lazyregexp.New(`(?m)^([ \t]*)config[ \t(]+:\w+[ \t]*,[ \t\n]*([A-Z][\w.]*)[ \t]*,`)
	// elixirBlock matches the words that begin and end blocks, and what
	// begins a line with a condition.
	elixirBlock = lazyregexp.New(`(?m)\b(do|fn|end)\b|^[ \t]*(if|unless|case|cond|for)\b([^\n]*)`)
	elixirDev   = lazyregexp.New(`^[ \t]*\(?(?:config_env\(\)|Mix\.env(?:\(\))?)[ \t]*(?:==[ \t]*:dev|!=[ \t]*:(?:prod|test)|in[ \t]*\[[^\]]*:dev\b[^\]]*\])\)?[ \t]+do\b`)
	elixirOther = lazyregexp.New(`^[ \t]*\(?(?:config_env\(\)|Mix\.env(?:\(\))?)[ \t]*(?:==[ \t]*:\w+|in[ \t]*\[[^\]]*\])\)?[ \t]+do\b`)
)

// readPhoenix joins what the files of a folder say of the repositories, in
// the order in which Mix reads them: config.exs, dev.exs, runtime.exs
// (hexdocs.pm/elixir, Config).
func readPhoenix(s *search, f file) {
	dir := path.Dir(f.name)
	files := []string{"config.exs", "dev.exs", "runtime.exs"}
	for _, base := range []string{"dev.exs", "runtime.exs"} { // the first that is there stands for all
		if name := path.Join(dir, base); name == f.name {
			break
		} else if s.isFile(name) {
			return
		}
	}
	repositories := map[string]*declaredRepository{}
	for _, base := range files {
		data, ok := s.data(path.Join(dir, base))
		if !ok {
			continue
		}
		if c, ok := s.codeOf(elixir(), file{path.Join(dir, base), data}); ok {
			s.elixirRepositories(c, repositories)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(repositories)) {
		s.repository(dir, name, repositories[name])
	}
}

// declaredRepository is what the files say of one, together.
type declaredRepository struct {
	file   string // that says where it is
	line   int
	fields map[string]value
}

// elixirRepositories reads config :app, Module, key: value, … of repositories.
func (s *search) elixirRepositories(c *code, all map[string]*declaredRepository) {
	for _, at := range elixirConfig().FindAllStringSubmatchIndex(c.text, maxConnections) {
		name, line := c.text[at[4]:at[5]], c.lineAt(at[4])
		if !strings.HasSuffix(name, "Repo") {
			continue
		}
		switch c.elixirWhen(at[0]) {
		case elixirNever:
			continue
		case elixirSometimes:
			s.note(c.file, line, "a repository is set by a condition, which berth does not run; name the connection in .berth/config.yaml")
			continue
		}
		repository := all[name]
		if repository == nil {
			repository = &declaredRepository{fields: map[string]value{}}
			all[name] = repository
		}
		for key, v := range c.at(at[1]).keywordList() {
			if v.kind == unset && path.Base(c.file) == "runtime.exs" && repository.fields[key].kind != computed {
				continue // nil leaves what was
			}
			repository.fields[key] = v
			if key == "database" || key == "url" {
				repository.file, repository.line = c.file, line
			}
		}
	}
}

// When a statement counts in development.
const (
	elixirAlways = iota
	elixirNever
	elixirSometimes
)

// elixirWhen goes by the conditions around an offset.
func (c *code) elixirWhen(offset int) int {
	type block struct{ condition string }
	var open []block
	condition := ""
	for _, m := range elixirBlock().FindAllStringSubmatchIndex(c.text[:offset], -1) {
		switch {
		case m[4] >= 0:
			condition = c.text[m[4]:m[7]]
			if strings.HasSuffix(strings.TrimRight(condition, " \t\r"), " do") {
				open = append(open, block{condition})
				condition = ""
			}
		case c.text[m[2]:m[3]] == "end":
			open = open[:max(len(open)-1, 0)]
		case m[3] < len(c.text) && c.text[m[3]] == ':': // do: is no block
		default:
			open = append(open, block{condition})
			condition = ""
		}
	}
	when := elixirAlways
	for _, b := range open {
		word, rest, _ := strings.Cut(b.condition, " ")
		switch {
		case word == "if" && elixirDev().MatchString(rest):
		case word == "if" && elixirOther().MatchString(rest):
			return elixirNever
		default:
			when = elixirSometimes
		}
	}
	return when
}

// keywordList reads key: value, key: value, up to what is none.
func (r *codeReader) keywordList() map[string]value {
	fields := map[string]value{}
	for r.keyAhead() {
		r.space()
		name := r.word()
		r.at++ // the colon
		fields[name] = r.value()
		if !r.accept(",") {
			break
		}
	}
	return fields
}

func (s *search) repository(dir, name string, r *declaredRepository) {
	if r.file == "" {
		return // nothing says where it is
	}
	base := "phoenix"
	if last := name[strings.LastIndexByte(name, '.')+1:]; last != "Repo" {
		base += "-" + plain(last)
	}
	app := path.Dir(dir)
	v := value{kind: object, fields: r.fields}
	d := declared{file: r.file, base: base, line: r.line, dir: app}
	if adapter := r.fields["adapter"]; adapter.kind == text {
		d.dialect = elixirAdapter(adapter.text)
	} else {
		d.dialect = s.elixirDialect(app)
	}
	if url := r.fields["url"]; url.kind == unset && r.fields["database"].kind == text {
		delete(r.fields, "url")
	}
	d.take(v, asURL, "url")
	if url, ok := r.fields["url"]; ok && url.kind == text && !strings.HasPrefix(url.text, "ecto:") {
		d.dialect = ""
	}
	d.take(v, asHost, "hostname", "socket_dir")
	d.take(v, asPort, "port")
	d.take(v, asUser, "username")
	d.take(v, asPassword, "password")
	d.take(v, asDatabase, "database")
	d.take(v, asSocket, "socket")
	s.declare(d)
}

// elixirAdapter is the dialect of an adapter of Ecto.
func elixirAdapter(module string) string {
	switch module[strings.LastIndexByte(module, '.')+1:] {
	case "Postgres":
		return settings.DialectPostgres
	case "MyXQL", "MySQL":
		return settings.DialectMySQL
	case "SQLite3":
		return settings.DialectSQLite
	case "Tds":
		return settings.DialectMSSQL
	}
	return ""
}

var elixirDriver = lazyregexp.New(`\{[ \t]*:(postgrex|myxql|ecto_sqlite3|exqlite|tds)\b`)

// elixirDialect goes by the one driver that the mix.exs of a folder, or those
// of its applications, ask for.
func (s *search) elixirDialect(dir string) string {
	names := []string{path.Join(dir, "mix.exs")}
	if apps, err := fs.Glob(s.root.FS(), path.Join(escapeGlob(dir), "apps/*/mix.exs")); err == nil {
		names = append(names, apps[:min(len(apps), maxConnections)]...)
	}
	found := ""
	for _, name := range names {
		if !s.isFile(name) {
			continue
		}
		data, ok := s.data(name)
		if !ok {
			continue
		}
		for _, m := range elixirDriver().FindAllStringSubmatch(elixir().blank(string(data)), -1) {
			dialect := map[string]string{"postgrex": settings.DialectPostgres, "myxql": settings.DialectMySQL, "tds": settings.DialectMSSQL}[m[1]]
			if dialect == "" {
				dialect = settings.DialectSQLite
			}
			if found != "" && found != dialect {
				return ""
			}
			found = dialect
		}
	}
	return found
}

// escapeGlob writes a name so that a pattern has nothing else of it.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}
