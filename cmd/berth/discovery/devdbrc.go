package discovery

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// isDevDBRC matches DevDB's file, at the root alone.
func isDevDBRC(name string) bool { return name == ".devdbrc" }

// readDevDBRC reads the list as DevDB does, comments allowed:
//
//	[{"type": "mysql", "name": "shop", "host": "127.0.0.1", "port": "3306",
//	  "username": "root", "password": "", "database": "shop"},
//	 {"type": "sqlite", "path": "data/app.sqlite"}]
func readDevDBRC(s *search, f file) {
	root, line, err := settings.ParseCommented(f.data)
	if err != nil {
		s.note(f.name, line, "%v", err)
		return
	}
	list, ok := root.Value.(*hujson.Array)
	if !ok {
		s.note(f.name, 1, "must be a list of connections")
		return
	}
	for _, item := range list.Elements {
		at := 1 + bytes.Count(f.data[:item.StartOffset], []byte("\n"))
		object, ok := item.Value.(*hujson.Object)
		if !ok {
			s.note(f.name, at, "a connection must be an object")
			continue
		}
		s.devdbEntry(f.name, at, jsonFields(object))
	}
}

// jsonFields are the members of an object that are text, numbers or flags, as
// text. Those of an object within are named outer.inner.
func jsonFields(object *hujson.Object) map[string]string {
	fields := map[string]string{}
	for _, m := range object.Members {
		name := literalText(m.Name.Value)
		switch value := m.Value.Value.(type) {
		case hujson.Literal:
			if text := literalText(value); value.Kind() != 'n' {
				fields[name] = text
			}
		case *hujson.Object:
			for inner, text := range jsonFields(value) {
				fields[name+"."+inner] = text
			}
		}
	}
	return fields
}

// literalText is a literal without its quotes and escapes.
func literalText(value hujson.ValueTrimmed) string {
	literal, ok := value.(hujson.Literal)
	switch {
	case !ok:
		return ""
	case literal.Kind() == '"':
		return literal.String()
	}
	return string(literal)
}

func (s *search) devdbEntry(name string, line int, fields map[string]string) {
	dialect := settings.DialectOf(fields["type"])
	base := fields["name"]
	if base == "" {
		base = fields["database"]
	}
	switch {
	case fields["type"] == "":
		s.note(name, line, "a connection lacks its type")
		return
	case dialect == "":
		s.note(name, line, "a connection of a type that is not served is left out; sqlite, mysql, mariadb, postgres and mssql are")
		return
	case dialect == settings.DialectSQLite:
		if base == "" {
			base = strings.TrimPrefix(fields["path"], "/")
		}
		s.found(candidate{base: base, address: settings.Address{Dialect: dialect, Path: fields["path"]}, file: name, line: line, listed: true})
		return
	}
	params := map[string]string{}
	if trust, ok := fields["options.trustServerCertificate"]; ok && dialect == settings.DialectMSSQL {
		params["TrustServerCertificate"] = trust
	}
	address, err := settings.FieldAddress(dialect, settings.Fields{Host: fields["host"], Port: fields["port"], User: fields["username"],
		Password: fields["password"], Database: fields["database"], Params: params})
	if err != nil {
		s.note(name, line, "%v", err)
		return
	}
	s.found(candidate{base: base, address: address, file: name, line: line, listed: true})
}
