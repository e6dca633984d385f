package discovery

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// isDjango matches settings.py, and the files of a package settings.
func isDjango(name string) bool {
	return path.Base(name) == "settings.py" || path.Base(path.Dir(name)) == "settings" && path.Ext(name) == ".py"
}

var djangoDatabases = regexp.MustCompile(`(?m)^DATABASES\s*(?::[^=\n]+)?=\s*\{`)

// readDjango finds the databases that are written as literals.
func readDjango(s *search, f file) {
	text := string(f.data)
	at := djangoDatabases.FindStringIndex(text)
	if at == nil {
		return
	}
	r := &pyReader{text: text, at: at[1] - 1, line: 1 + strings.Count(text[:at[1]-1], "\n")}
	databases := r.value()
	for _, alias := range slices.Sorted(maps.Keys(databases.fields)) {
		if entry := databases.fields[alias]; entry.kind == pyDict {
			s.djangoDatabase(f.name, plain(alias), entry)
		}
	}
}

func (s *search) djangoDatabase(name, alias string, entry pyValue) {
	values := map[string]string{}
	for _, key := range []string{"ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT"} {
		field, ok := entry.fields[key]
		if ok && field.kind != pyText && field.kind != pyNumber {
			if key != "NAME" || settings.DialectOf(djangoEngine(values["ENGINE"])) != settings.DialectSQLite {
				s.note(name, field.line, "%s is computed, which berth does not run; name the connection in .berth/config.yaml", key)
			} // else the file is found by what it is
			return
		}
		values[key] = field.text
	}
	dialect := settings.DialectOf(djangoEngine(values["ENGINE"]))
	base := "django"
	if alias != "default" {
		base += "-" + alias
	}
	c := candidate{base: base, file: name, line: entry.line, dir: path.Dir(path.Dir(name))}
	switch dialect {
	case "":
		s.note(name, entry.line, "an engine that is not served")
		return
	case settings.DialectSQLite:
		c.address = settings.Address{Dialect: dialect, Path: values["NAME"]}
	default:
		var err error
		c.address, err = settings.FieldAddress(dialect, settings.Fields{Host: values["HOST"], Port: values["PORT"],
			User: values["USER"], Password: values["PASSWORD"], Database: values["NAME"]})
		if err != nil {
			s.note(name, entry.line, "%v", err)
			return
		}
	}
	s.found(c)
}

// djangoEngine is the last word of an engine: django.db.backends.postgresql,
// django.contrib.gis.db.backends.postgis, mssql.
func djangoEngine(engine string) string { return engine[strings.LastIndexByte(engine, '.')+1:] }
