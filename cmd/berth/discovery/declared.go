package discovery

import (
	"cmp"
	"path"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// declared is a connection as a tool's own file writes it: an object of
// parts, or a URL.
type declared struct {
	file, base, dir string // dir: where relative files are; "": beside file
	line            int
	dialect         string // "": a part says
	parts           []part
	params          map[string]string // as in a URL of the dialect
}

// part is one of a connection's parts, under the name that the file has.
type part struct {
	as, name string // as: one of those that declare knows
	value    value
}

// The parts of a connection.
const (
	asDialect  = "dialect"
	asURL      = "url"
	asHost     = "host"
	asPort     = "port"
	asUser     = "user"
	asPassword = "password"
	asDatabase = "database"
	asSocket   = "socket"
	asInstance = "instance"
	asPath     = "path" // SQLite's file
)

// take adds a part under the first of several names that the object has.
func (d *declared) take(v value, as string, names ...string) {
	for _, name := range names {
		if field, ok := v.fields[name]; ok && field.kind != null {
			d.parts = append(d.parts, part{as, name, field})
			return
		}
	}
	switch as {
	case asURL, asPort, asSocket, asInstance, asPath:
		return // there need be none
	}
	if v.open { // it may be in what was spread
		d.parts = append(d.parts, part{as: as, name: names[0], value: value{line: v.line}})
	}
}

// has reports whether a part is there.
func (d *declared) has(as string) bool {
	for _, p := range d.parts {
		if p.as == as {
			return true
		}
	}
	return false
}

// notRun ends the note about a value that only a program could tell.
const notRun = "is computed, which berth does not run; name the connection in .berth/config.yaml"

// declare takes a connection if all of its parts can be told.
func (s *search) declare(d declared) {
	values := map[string]value{}
	for _, p := range d.parts {
		if p.as != asURL && d.urlStands() && !(p.as == asDialect && p.value.kind == text) {
			continue // the URL says it
		}
		if !s.told(d, p) {
			return
		}
		values[p.as] = p.value
	}
	dialect := d.dialect
	if word, ok := values[asDialect]; ok {
		if dialect = settings.DialectOf(word.text); dialect == "" {
			s.note(d.file, d.line, "%s names a kind of database that is not served", d.nameOf(asDialect))
			return
		}
	}
	d.dialect = dialect
	if url, ok := values[asURL]; ok && url.text != "" {
		s.declareURL(d, url)
		return
	}
	if dialect == "" {
		s.note(d.file, d.line, "names a server and nothing says of which kind; name the connection in .berth/config.yaml")
		return
	}
	s.declareParts(d, values)
}

// urlStands reports whether there is a URL that is text.
func (d *declared) urlStands() bool {
	for _, p := range d.parts {
		if p.as == asURL && p.value.kind == text && p.value.text != "" {
			return true
		}
	}
	return false
}

// told notes why a part cannot be told.
func (s *search) told(d declared, p part) bool {
	line := p.value.line
	if line == 0 {
		line = d.line
	}
	switch {
	case p.value.kind == unset:
		s.note(d.file, line, "%s is the variable %s, which no .env file of the project sets", plain(p.name), plain(p.value.variable))
		return false
	case !p.value.scalar():
		s.note(d.file, line, "%s %s", plain(p.name), notRun)
		return false
	}
	return true
}

func (d *declared) nameOf(as string) string {
	for _, p := range d.parts {
		if p.as == as {
			return plain(p.name)
		}
	}
	return as
}

// declareParts takes a connection that is not a URL.
func (s *search) declareParts(d declared, values map[string]value) {
	if d.dialect == settings.DialectSQLite {
		file, ok := values[asPath]
		if !ok {
			file, ok = values[asDatabase]
		}
		if !ok {
			s.note(d.file, d.line, "names no SQLite file")
			return
		}
		s.declareFile(d, file)
		return
	}
	f := settings.Fields{Host: values[asHost].text, Port: values[asPort].text, User: values[asUser].text, Password: values[asPassword].text,
		Database: values[asDatabase].text, Instance: values[asInstance].text, Params: d.params}
	if f.Host == "" && values[asSocket].text != "" {
		f.Host, f.Port = values[asSocket].text, ""
	}
	address, err := settings.FieldAddress(d.dialect, f)
	if err != nil {
		s.note(d.file, d.line, "%v", err)
		return
	}
	s.found(candidate{base: d.base, address: address, file: d.file, line: d.line, dir: d.dir})
}

// declareFile takes a SQLite file.
func (s *search) declareFile(d declared, file value) {
	c := candidate{base: d.base, address: settings.Address{Dialect: settings.DialectSQLite, Path: strings.TrimPrefix(file.text, "file:")},
		file: d.file, line: d.line, dir: d.dir}
	if file.kind == place {
		c.address.Path, c.dir = file.text, "."
	}
	s.found(c)
}

// declareURL takes a connection by its URL. One that is a variable of an
// environment file is found there.
func (s *search) declareURL(d declared, url value) {
	if url.kind == place {
		s.declareFile(d, url)
		return
	}
	if url.variable != "" && isURLVariable(url.variable) {
		return
	}
	line := url.line
	if line == 0 {
		line = d.line
	}
	address, rooted, err := s.parseURL(d.dialect, cmp.Or(d.dir, path.Dir(d.file)), url.text)
	if err != nil {
		s.note(d.file, line, "%s %v", d.nameOf(asURL), err)
		return
	}
	s.found(candidate{base: d.base, address: address, file: d.file, line: line, dir: d.dir, rooted: rooted})
}

// threeSlashes begins a URL of SQLite whose file is relative to SQLAlchemy,
// Django and Doctrine (docs.sqlalchemy.org, Engine Configuration: "SQLite
// connects to file-based databases … three slashes … relative"), and absolute
// to others.
var threeSlashes = lazyregexp.New(`^(?i:sqlite3?|pdo[-_]sqlite|spatialite)(\+\w+)?:///[^/]`)

// kernel is what Symfony puts into values of its environment.
var kernel = strings.NewReplacer("%kernel.project_dir%/", "", "%kernel.environment%", "dev")

// parseURL reads a URL as frameworks write them. rooted: its file is relative
// to some and absolute to others.
func (s *search) parseURL(dialect, dir, url string) (address settings.Address, rooted bool, err error) {
	url = kernel.Replace(strings.TrimSpace(url))
	if rest, ok := strings.CutPrefix(url, "ecto://"); ok { // the adapter says of what
		if found := s.elixirDialect(dir); found != "" {
			url = found + "://" + rest
		}
	}
	address, err = settings.ParseAddress(dialect, url)
	return address, err == nil && threeSlashes().MatchString(url), err
}
