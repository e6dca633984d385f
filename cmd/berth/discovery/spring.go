package discovery

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// isSpring matches the settings of a Spring application, without those of
// profiles.
func isSpring(name string) bool {
	return slices.Contains([]string{"application.properties", "application.yml", "application.yaml"}, path.Base(name))
}

// readSpring finds spring.datasource. Placeholders stand for variables of the
// environment files or other properties; a default may be in them.
func readSpring(s *search, f file) {
	properties := parseProperties(f.data)
	if path.Ext(f.name) != ".properties" {
		documents, line, err := parseYAML(f.data)
		if err != nil {
			s.note(f.name, line, "%v", err)
			return
		}
		properties = springYAML(documents)
	}
	url, ok := properties["spring.datasource.url"]
	if !ok {
		return
	}
	p := &placeholders{look: s.variables(path.Dir(f.name)), properties: properties, left: maxPlaceholders}
	values := map[string]string{}
	for _, key := range []string{"url", "username", "password"} {
		value, told := p.fill(properties["spring.datasource."+key].value)
		if !told {
			s.note(f.name, url.line, "spring.datasource.%s has a placeholder that no .env file of the project sets", key)
			return
		}
		values[key] = value
	}
	address, err := settings.ParseAddress("", values["url"])
	if err != nil {
		s.note(f.name, url.line, "spring.datasource.url %v", err)
		return
	}
	if address.Server.User == "" {
		address.Server.User = values["username"]
	}
	if address.Server.Password.IsZero() {
		address.Server.Password = settings.NewSecret(values["password"])
	}
	s.found(candidate{base: "spring", address: address, file: f.name, line: url.line, dir: "."})
}

// springYAML reads the properties that matter of the documents that belong to
// no profile.
func springYAML(documents []yamlDocument) map[string]setting {
	properties := map[string]setting{}
	for _, d := range documents {
		if d.path(d.body, "spring", "config", "activate") != nil || d.path(d.body, "spring", "profiles") != nil {
			continue
		}
		for _, key := range []string{"url", "username", "password"} {
			full := "spring.datasource." + key
			for _, keys := range [][]string{{"spring", "datasource", key}, {"spring.datasource", key}, {full}} {
				if node := d.path(d.body, keys...); node != nil {
					text, _ := d.text(node)
					properties[full] = setting{name: full, value: text, line: lineOf(node)}
				}
			}
		}
	}
	return properties
}

// placeholders fills in ${NAME} and ${NAME:default}.
type placeholders struct {
	look       func(string) (string, bool)
	properties map[string]setting
	left       int // placeholders that may still be filled in
}

// maxPlaceholders bounds the placeholders of one setting, those within others
// counted.
const maxPlaceholders = 100

// fill returns false where a placeholder stands for nothing.
func (p *placeholders) fill(text string) (string, bool) {
	before, rest, ok := strings.Cut(text, "${")
	if !ok {
		return text, true
	}
	if p.left--; p.left < 0 {
		return "", false
	}
	end := closingBrace(rest)
	if end < 0 {
		return text, true // no placeholder
	}
	name, fallback, hasFallback := strings.Cut(rest[:end], ":")
	value, found := p.look(name)
	if !found {
		value, found = p.look(strings.ToUpper(strings.NewReplacer(".", "_", "-", "").Replace(name)))
	}
	if other, ok := p.properties[name]; !found && ok {
		value, found = p.fill(other.value)
	}
	if !found && hasFallback {
		value, found = p.fill(fallback)
	}
	if !found {
		return "", false
	}
	after, ok := p.fill(rest[end+1:])
	return before + value + after, ok
}

// closingBrace is the index of the brace that ends a placeholder.
func closingBrace(text string) int {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			open++
		case '}':
			if open == 0 {
				return i
			}
			open--
		}
	}
	return -1
}

// parseProperties reads Java's properties: name=value or name: value, a
// backslash at the end of a line continues it, and \uXXXX is a character.
func parseProperties(data []byte) map[string]setting {
	properties := map[string]setting{}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		at, text := i+1, strings.TrimLeft(lines[i], " \t\f")
		if text == "" || text[0] == '#' || text[0] == '!' {
			continue
		}
		for continues(text) && i+1 < len(lines) && len(text) < maxBytes {
			i++
			text = text[:len(text)-1] + strings.TrimLeft(lines[i], " \t\f")
		}
		end := strings.IndexAny(text, "=: \t")
		if end < 0 {
			continue
		}
		value := strings.TrimLeft(text[end:], " \t")
		if value != "" && (value[0] == '=' || value[0] == ':') {
			value = strings.TrimLeft(value[1:], " \t")
		}
		name := text[:end]
		properties[name] = setting{name: name, value: unescapeProperty(value), line: at}
	}
	return properties
}

// continues reports whether a line ends in an odd number of backslashes.
func continues(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

func unescapeProperty(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'u':
			if code, err := strconv.ParseUint(text[min(i+1, len(text)):min(i+5, len(text))], 16, 16); err == nil {
				b.WriteRune(rune(code))
				i += 4
				continue
			}
			b.WriteByte('u')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
