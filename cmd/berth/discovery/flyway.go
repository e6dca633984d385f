package discovery

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isFlyway matches Flyway's settings, the old form and the new.
func isFlyway(name string) bool {
	base := path.Base(name)
	return base == "flyway.conf" || base == "flyway.toml"
}

// readFlyway finds the url, the user and the password. Of several
// environments it takes the one that the settings choose, else development's
// (documentation.red-gate.com/fd, Flyway Environment Setting).
func readFlyway(s *search, f file) {
	dir := path.Dir(f.name)
	if path.Base(dir) == "conf" {
		dir = path.Dir(dir)
	}
	if path.Ext(f.name) == ".conf" {
		s.flyway(f.name, dir, parseProperties(f.data), "flyway.")
		return
	}
	all, line, err := parseTOML(f.data)
	if err != nil {
		s.note(f.name, line, "%v", err)
		return
	}
	if user := path.Join(path.Dir(f.name), "flyway.user.toml"); s.isFile(user) { // overrides what is shared
		if data, ok := s.data(user); ok {
			own, line, err := parseTOML(data)
			if err != nil {
				s.note(user, line, "%v", err)
			}
			for name, v := range own {
				v.file = user
				all[name] = v
			}
		}
	}
	var environments []string
	for name := range all {
		if rest, ok := strings.CutPrefix(name, "environments."); ok {
			if name, key, ok := strings.Cut(rest, "."); ok && key == "url" && !isOther(name) && name != "shadow" && name != "build" && name != "check" {
				environments = append(environments, name)
			}
		}
	}
	slices.Sort(environments)
	chosen := all["flyway.environment"].value
	for _, name := range []string{chosen, "development", "default", "dev", "local"} {
		if slices.Contains(environments, name) {
			s.flyway(f.name, dir, all, "environments."+name+".")
			return
		}
	}
	if len(environments) == 1 {
		s.flyway(f.name, dir, all, "environments."+environments[0]+".")
	} else if len(environments) > 1 {
		s.note(f.name, all["environments."+environments[0]+".url"].line, "has several environments, and nothing says which is development's; name the connection in .berth/config.yaml")
	}
}

// flywayVariable is ${NAME}, in TOML ${env.NAME}.
var flywayVariable = lazyregexp.New(`\$\{(?:env\.)?(\w+)\}`)

// flyway takes the settings under a prefix.
func (s *search) flyway(name, dir string, all map[string]setting, prefix string) {
	url, ok := all[prefix+"url"]
	if !ok {
		return
	}
	d := declared{file: name, base: "flyway", line: url.line, dir: dir}
	if url.file != "" {
		d.file = url.file
	}
	look := s.variables(dir)
	for as, key := range map[string]string{asURL: "url", asUser: "user", asPassword: "password"} {
		if v, ok := all[prefix+key]; ok {
			d.parts = append(d.parts, part{as, strings.TrimPrefix(prefix, "environments.") + key, filled(v, flywayVariable(), look)})
		}
	}
	slices.SortFunc(d.parts, func(a, b part) int { return a.value.line - b.value.line })
	s.declareJDBC(d)
}

// filled puts variables into a setting's text, which pattern matches with the
// name as its first group, and perhaps a default as its second. What looks
// like a placeholder and is none is computed.
func filled(v setting, pattern *regexp.Regexp, look func(string) (string, bool)) value {
	out := value{kind: text, line: v.line}
	out.text = pattern.ReplaceAllStringFunc(v.value, func(found string) string {
		m := pattern.FindStringSubmatch(found)
		variable, ok := look(m[1])
		switch {
		case ok && found == v.value:
			out.variable = m[1]
		case !ok && len(m) > 2 && m[2] != "":
			return m[2][1 : len(m[2])-1] // without its quotes
		case !ok:
			out.kind, out.variable = unset, m[1]
		}
		return variable
	})
	if out.kind == text && (strings.Contains(pattern.ReplaceAllString(v.value, ""), "${") || strings.Contains(pattern.ReplaceAllString(v.value, ""), "{{")) {
		out.kind = computed
	}
	return out
}

// declareJDBC takes a URL whose user and password stand beside it.
func (s *search) declareJDBC(d declared) {
	values := map[string]value{}
	for _, p := range d.parts {
		if !s.told(d, p) {
			return
		}
		values[p.as] = p.value
	}
	url := values[asURL]
	if url.variable != "" && isURLVariable(url.variable) {
		return // found where the variable is set
	}
	address, rooted, err := s.parseURL("", path.Dir(d.file), url.text)
	if err != nil {
		s.note(d.file, d.line, "%s %v", d.nameOf(asURL), err)
		return
	}
	if address.Server.User == "" {
		address.Server.User = values[asUser].text
	}
	if address.Server.Password.IsZero() {
		address.Server.Password = settings.NewSecret(values[asPassword].text)
	}
	s.found(candidate{base: d.base, address: address, file: d.file, line: d.line, dir: d.dir, rooted: rooted})
}
