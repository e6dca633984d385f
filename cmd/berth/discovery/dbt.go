package discovery

import (
	"path"

	"github.com/goccy/go-yaml/ast"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isDBT matches the connections of dbt, and its project, which says which one
// counts.
func isDBT(name string) bool {
	return path.Base(name) == "profiles.yml" || path.Base(name) == "dbt_project.yml"
}

// jinjaVariable is {{ env_var('NAME', 'default') | filter }}.
var jinjaVariable = lazyregexp.New(`\{\{-?\s*env_var\(\s*["'](\w+)["']\s*(?:,\s*("[^"{}]*"|'[^'{}]*'))?\s*\)\s*(?:\|\s*\w+\s*)?-?\}\}`)

// readDBT finds the target of the profile that the project names
// (docs.getdbt.com, About profiles.yml). dbt looks for profiles.yml in the
// project and then in ~/.dbt; nothing outside of the project is read here.
func readDBT(s *search, f file) {
	dir := path.Dir(f.name)
	profiles := path.Join(dir, "profiles.yml")
	if path.Base(f.name) == "dbt_project.yml" {
		if !s.isFile(profiles) && !s.isFile("profiles.yml") {
			s.note(f.name, 1, "its connection is in a profiles.yml outside of the project (usually ~/.dbt), which berth does not read; name the connection in .berth/config.yaml")
		}
		return
	}
	documents, line, err := parseYAML(f.data)
	if err != nil || len(documents) == 0 {
		if err != nil {
			s.note(f.name, line, "%v", err)
		}
		return
	}
	doc := documents[0]
	wanted := s.dbtProfile(dir)
	look := s.variables(dir)
	for i, pair := range doc.pairs(doc.body) {
		name := keyOf(pair)
		outputs := doc.field(pair.Value, "outputs")
		if i >= maxConnections || outputs == nil || wanted != "" && name != wanted {
			continue
		}
		target := "default" // as dbt has it
		if node := doc.field(pair.Value, "target"); node != nil {
			target = yamlFilled(doc, node, look).text
		}
		output := doc.field(outputs, target)
		for _, other := range []string{"dev", "development", "local"} {
			if isOther(target) || output == nil {
				if node := doc.field(outputs, other); node != nil {
					target, output = other, node
				}
			}
		}
		switch {
		case isOther(target):
			s.note(f.name, lineOf(pair.Key), "the profile has no output for development; name the connection in .berth/config.yaml")
		case output == nil:
			s.note(f.name, lineOf(pair.Key), "the profile's target is none of its outputs; name the connection in .berth/config.yaml")
		default:
			s.dbtOutput(f.name, name, wanted, doc, output, look)
		}
	}
}

// dbtProfile is the profile that the project in a folder names; "": none.
func (s *search) dbtProfile(dir string) string {
	name := path.Join(dir, "dbt_project.yml")
	if !s.isFile(name) {
		return ""
	}
	data, ok := s.data(name)
	if !ok {
		return ""
	}
	documents, _, err := parseYAML(data)
	if err != nil || len(documents) == 0 {
		return ""
	}
	profile, _ := documents[0].text(documents[0].field(documents[0].body, "profile"))
	return profile
}

// yamlFilled is a scalar with its variables put in.
func yamlFilled(doc yamlDocument, node ast.Node, look func(string) (string, bool)) value {
	given, ok := doc.text(node)
	if !ok {
		return value{line: lineOf(node)}
	}
	return filled(setting{value: given, line: lineOf(node)}, jinjaVariable(), look)
}

func (s *search) dbtOutput(file, name, wanted string, doc yamlDocument, output ast.Node, look func(string) (string, bool)) {
	v := value{kind: object, fields: map[string]value{}, line: lineOf(doc.resolve(output))}
	for _, pair := range doc.pairs(output) {
		v.fields[keyOf(pair)] = yamlFilled(doc, pair.Value, look)
	}
	d := declared{file: file, base: "dbt", line: v.line}
	if wanted == "" {
		d.base += "-" + plain(name)
	}
	d.take(v, asDialect, "type")
	d.take(v, asHost, "host", "server")
	d.take(v, asPort, "port")
	d.take(v, asUser, "user", "username")
	d.take(v, asPassword, "password", "pass")
	d.take(v, asDatabase, "dbname", "database", "schema")
	if files := doc.path(output, "schemas_and_paths"); files != nil { // dbt-sqlite's
		main := yamlFilled(doc, doc.field(files, "main"), look)
		d.parts = append(d.parts, part{asPath, "schemas_and_paths", main})
	}
	s.declare(d)
}
