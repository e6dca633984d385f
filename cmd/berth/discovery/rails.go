package discovery

import (
	"path"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// isRails matches config/database.yml of an application.
func isRails(name string) bool {
	return name == "config/database.yml" || strings.HasSuffix(name, "/config/database.yml")
}

// readRails finds the databases of the development environment. Its relative
// files are below the application, not below config.
func readRails(s *search, f file) {
	app := path.Dir(path.Dir(f.name))
	tags := &erb{}
	text := tags.replace(string(f.data), s.variables(app))
	documents, line, err := parseYAML([]byte(text))
	if err != nil || len(documents) == 0 {
		if err != nil {
			s.note(f.name, line, "%v", err)
		}
		return
	}
	r := rails{search: s, file: f.name, app: app, doc: documents[0], tags: tags}
	development := r.doc.field(r.doc.body, "development")
	if development == nil {
		return
	}
	if r.doc.field(development, "adapter") != nil || r.doc.field(development, "url") != nil {
		r.connection("rails", development)
		return
	}
	for i, pair := range r.doc.pairs(development) { // several databases, by name
		if i == maxConnections {
			return
		}
		if name := keyOf(pair); r.doc.pairs(pair.Value) != nil && name != "" && name != "<<" {
			r.connection("rails-"+name, pair.Value)
		}
	}
}

type rails struct {
	search    *search
	file, app string
	doc       yamlDocument
	tags      *erb
}

// value is a field's text; false: it is not there or cannot be told.
func (r rails) value(node ast.Node, key string) (value string, told bool) {
	field := r.doc.field(node, key)
	if field == nil {
		return "", true
	}
	text, _ := r.doc.text(field)
	return r.tags.restore(text)
}

func (r rails) connection(base string, node ast.Node) {
	line := lineOf(r.doc.resolve(node))
	values := map[string]string{}
	for _, key := range []string{"adapter", "url", "host", "port", "username", "password", "database", "socket"} {
		value, told := r.value(node, key)
		if !told {
			r.search.note(r.file, line, "%s is computed, which berth does not run; name the connection in .berth/config.yaml", key)
			return
		}
		values[key] = value
	}
	if values["url"] != "" {
		address, err := settings.ParseAddress("", values["url"])
		if err != nil {
			r.search.note(r.file, line, "url %v", err)
			return
		}
		r.found(base, line, address)
		return
	}
	dialect := settings.DialectOf(values["adapter"])
	if dialect == "" {
		r.search.note(r.file, line, "an adapter that is not served")
		return
	}
	if dialect == settings.DialectSQLite {
		r.found(base, line, settings.Address{Dialect: dialect, Path: values["database"]})
		return
	}
	f := settings.Fields{Host: values["host"], Port: values["port"], User: values["username"],
		Password: values["password"], Database: values["database"]}
	if f.Host == "" && values["socket"] != "" {
		f.Host, f.Port = values["socket"], ""
	}
	address, err := settings.FieldAddress(dialect, f)
	if err != nil {
		r.search.note(r.file, line, "%v", err)
		return
	}
	r.found(base, line, address)
}

func (r rails) found(base string, line int, address settings.Address) {
	r.search.found(candidate{base: base, address: address, file: r.file, line: line, dir: r.app})
}
