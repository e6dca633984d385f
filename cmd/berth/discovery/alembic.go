package discovery

import (
	"path"
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isAlembic matches Alembic's settings.
func isAlembic(name string) bool { return path.Base(name) == "alembic.ini" }

// alembicPlaceholder is what alembic init writes.
const alembicPlaceholder = "driver://user:pass@localhost/dbname"

var iniInsert = lazyregexp.New(`%\((\w+)\)s`)

// readAlembic finds sqlalchemy.url, of [alembic] or of the sections of
// several databases.
func readAlembic(s *search, f file) {
	sections := parseINI(f.data)
	for _, section := range sections {
		url, ok := section.settings["sqlalchemy.url"]
		if !ok || url.value == "" || isOther(section.name) {
			continue
		}
		base := "alembic"
		if section.name != "alembic" {
			base += "-" + plain(section.name)
		}
		d := declared{file: f.name, base: base, line: url.line}
		v := value{kind: text, line: url.line}
		switch v.text, ok = interpolateINI(url.value, section.settings, 5); {
		case strings.TrimSpace(url.value) == alembicPlaceholder:
			s.note(f.name, url.line, "sqlalchemy.url is the one of the template: Alembic's env.py sets it, which berth does not run; name the connection in .berth/config.yaml")
			continue
		case !ok:
			v = value{line: url.line}
		}
		d.parts = []part{{asURL, "sqlalchemy.url", v}}
		s.declare(d)
	}
}

// iniSection is a section with what [DEFAULT] has for all.
type iniSection struct {
	name     string
	settings map[string]setting
}

// parseINI reads the files of Python's configparser.
func parseINI(data []byte) []iniSection {
	var sections []iniSection
	defaults := map[string]setting{}
	current := map[string]setting{}
	for i, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';' || line[0] == ' ' || line[0] == '\t':
		case trimmed[0] == '[' && strings.HasSuffix(trimmed, "]"):
			name := trimmed[1 : len(trimmed)-1]
			if current = defaults; name != "DEFAULT" {
				current = map[string]setting{}
				sections = append(sections, iniSection{name, current})
			}
		default:
			at := strings.IndexAny(trimmed, "=:")
			if at < 0 {
				continue
			}
			name := strings.ToLower(strings.TrimSpace(trimmed[:at]))
			current[name] = setting{name: name, value: strings.TrimSpace(trimmed[at+1:]), line: i + 1}
		}
	}
	for _, section := range sections {
		for name, v := range defaults {
			if _, ok := section.settings[name]; !ok {
				section.settings[name] = v
			}
		}
	}
	return sections
}

// interpolateINI puts in %(name)s; %(here)s is the folder of the file, which
// relative files are relative to. False: a name stands for nothing.
func interpolateINI(given string, all map[string]setting, depth int) (string, bool) {
	told := depth > 0
	out := iniInsert().ReplaceAllStringFunc(strings.ReplaceAll(given, "%(here)s/", ""), func(found string) string {
		other, ok := all[strings.ToLower(iniInsert().FindStringSubmatch(found)[1])]
		if !ok || depth <= 0 {
			told = false
			return ""
		}
		inner, ok := interpolateINI(other.value, all, depth-1)
		told = told && ok && len(inner) <= maxValue
		return strings.ReplaceAll(inner, "%", "%%")
	})
	if len(out) > maxValue {
		return "", false
	}
	return strings.ReplaceAll(out, "%%", "%"), told
}
