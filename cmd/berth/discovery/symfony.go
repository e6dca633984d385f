package discovery

import (
	"path"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isSymfony matches the settings of Doctrine in a Symfony application.
func isSymfony(name string) bool {
	return path.Base(name) == "doctrine.yaml" && strings.HasSuffix("/"+path.Dir(name), "/config/packages")
}

// symfonyVariable is %env(NAME)%, with processors as in %env(resolve:NAME)%.
var symfonyVariable = lazyregexp.New(`%env\((?:(?:resolve|string|int|trim):)*(\w+)\)%`)

// readSymfony finds the connections of doctrine.dbal, of which when@dev
// overrides (symfony.com/doc, Doctrine Configuration Reference).
func readSymfony(s *search, f file) {
	documents, line, err := parseYAML(f.data)
	if err != nil || len(documents) == 0 {
		if err != nil {
			s.note(f.name, line, "%v", err)
		}
		return
	}
	y := symfony{search: s, file: f.name, app: path.Dir(path.Dir(path.Dir(f.name))), doc: documents[0]}
	y.look = y.variables(s.variables(y.app))
	dbal, over := y.doc.path(y.doc.body, "doctrine", "dbal"), y.doc.path(y.doc.body, "when@dev", "doctrine", "dbal")
	connections := y.doc.field(dbal, "connections")
	if connections == nil {
		y.connection("symfony", dbal, over)
		return
	}
	for i, pair := range y.doc.pairs(connections) {
		if name := keyOf(pair); i < maxConnections && name != "" {
			base := "symfony"
			if name != "default" {
				base += "-" + plain(name)
			}
			y.connection(base, pair.Value, y.doc.path(over, "connections", name))
		}
	}
}

type symfony struct {
	search    *search
	file, app string
	doc       yamlDocument
	look      func(string) (string, bool)
}

// variables adds the defaults that the file itself has: parameters: env(NAME).
func (y symfony) variables(look func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if v, ok := look(name); ok {
			return v, true
		}
		return y.doc.text(y.doc.path(y.doc.body, "parameters", "env("+name+")"))
	}
}

func (y symfony) connection(base string, nodes ...ast.Node) {
	v := value{kind: object, fields: map[string]value{}}
	for _, node := range nodes {
		for _, pair := range y.doc.pairs(node) {
			given, ok := y.doc.text(pair.Value)
			field := value{line: lineOf(pair.Value)}
			if ok {
				field = filled(setting{value: given, line: field.line}, symfonyVariable(), y.look)
			}
			if field.kind == text {
				field.text = kernel.Replace(field.text)
				if strings.HasPrefix(field.text, "%") || strings.Contains(field.text, "%env(") {
					field.kind = computed // a parameter, or a processor that reads files
				}
			}
			v.fields[keyOf(pair)] = field
			if v.line == 0 {
				v.line = lineOf(pair.Key)
			}
		}
	}
	d := declared{file: y.file, base: base, line: v.line, dir: y.app}
	d.take(v, asURL, "url")
	d.take(v, asDialect, "driver")
	d.take(v, asHost, "host")
	d.take(v, asPort, "port")
	d.take(v, asUser, "user")
	d.take(v, asPassword, "password")
	d.take(v, asDatabase, "dbname")
	d.take(v, asSocket, "unix_socket")
	d.take(v, asPath, "path")
	if d.has(asURL) || d.has(asDatabase) || d.has(asPath) {
		y.search.declare(d)
	}
}
