package discovery

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isDjango matches settings.py, and the files of a package settings without
// those of tests and of production.
func isDjango(name string) bool {
	base := path.Base(name)
	return base == "settings.py" ||
		path.Base(path.Dir(name)) == "settings" && path.Ext(name) == ".py" && !isOther(strings.TrimSuffix(base, ".py"))
}

var (
	djangoDatabases = lazyregexp.New(`(?m)^([ \t]*)DATABASES[ \t]*(?::[^=\n]+)?=[^=]`)
	djangoEntry     = lazyregexp.New(`(?m)^DATABASES\[[ \t]*["'](\w+)["'][ \t]*\][ \t]*=[^=]`)
)

// readDjango finds the databases that are literals, variables of the
// environment with their defaults, or URLs that a library takes apart. What
// stands behind a condition is left out: most often it is that of tests.
func readDjango(s *search, f file) {
	c, ok := s.codeOf(python(), f)
	if !ok {
		return
	}
	found, conditional := map[string]value{}, 0
	for _, at := range djangoDatabases().FindAllStringSubmatchIndex(c.text, maxConnections) {
		if at[3] > at[2] { // indented
			conditional = at[0]
			continue
		}
		v := c.at(at[1] - 1).value()
		if found = v.fields; v.kind != object {
			found = map[string]value{}
			s.note(f.name, v.line, "DATABASES %s", notRun)
			conditional = 0
		}
	}
	for _, at := range djangoEntry().FindAllStringSubmatchIndex(c.text, maxConnections) {
		found[c.text[at[2]:at[3]]] = c.at(at[1] - 1).value()
	}
	if len(found) == 0 && conditional > 0 {
		s.note(f.name, c.lineAt(conditional), "DATABASES is set by a condition, which berth does not run; name the connection in .berth/config.yaml")
	}
	for _, alias := range slices.Sorted(maps.Keys(found)) {
		s.djangoDatabase(f.name, plain(alias), found[alias])
	}
}

func (s *search) djangoDatabase(name, alias string, entry value) {
	base := "django"
	if alias != "default" {
		base += "-" + alias
	}
	d := declared{file: name, base: base, line: entry.line, dir: path.Dir(path.Dir(name))}
	if entry.kind != object {
		d.parts = []part{{asURL, alias, entry}}
		s.declare(d)
		return
	}
	d.take(entry, asDialect, "ENGINE")
	if len(d.parts) == 0 {
		return // {}: no database
	}
	if engine := &d.parts[0].value; engine.kind == text {
		engine.text = djangoEngine(engine.text)
		if settings.DialectOf(engine.text) == "" {
			s.note(name, entry.line, "an engine that is not served")
			return
		}
		if settings.DialectOf(engine.text) == settings.DialectSQLite {
			if file := entry.fields["NAME"]; file.kind == computed {
				return // the file is found by what it is
			}
			d.take(entry, asPath, "NAME")
			s.declare(d)
			return
		}
	}
	for as, key := range map[string]string{asDatabase: "NAME", asUser: "USER", asPassword: "PASSWORD", asHost: "HOST", asPort: "PORT"} {
		d.take(entry, as, key)
	}
	slices.SortFunc(d.parts, func(a, b part) int { return a.value.line - b.value.line })
	s.declare(d)
}

// djangoEngine is the last word of an engine: django.db.backends.postgresql,
// django.contrib.gis.db.backends.postgis, mssql.
func djangoEngine(engine string) string { return engine[strings.LastIndexByte(engine, '.')+1:] }
