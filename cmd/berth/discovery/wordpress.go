package discovery

import (
	"path"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isWordPress matches WordPress' settings.
func isWordPress(name string) bool { return path.Base(name) == "wp-config.php" }

var phpDefine = lazyregexp.New(`(?i)\bdefine[ \t]*\([ \t\n]*["'](DB_NAME|DB_USER|DB_PASSWORD|DB_HOST)["'][ \t\n]*,`)

// readWordPress finds the constants DB_NAME, DB_USER, DB_PASSWORD and DB_HOST
// (developer.wordpress.org, Editing wp-config.php). One that is defined twice
// is the program's to decide.
func readWordPress(s *search, f file) {
	c, ok := s.codeOf(php(), f)
	if !ok {
		return
	}
	d := declared{file: f.name, base: "wordpress", dialect: settings.DialectMySQL}
	parts := map[string]string{"DB_NAME": asDatabase, "DB_USER": asUser, "DB_PASSWORD": asPassword, "DB_HOST": asHost}
	for _, at := range phpDefine().FindAllStringSubmatchIndex(c.text, 2*len(parts)) {
		name := strings.ToUpper(c.text[at[2]:at[3]])
		r := c.at(at[1])
		r.open++
		v := r.value()
		if d.has(parts[name]) {
			s.note(f.name, v.line, "%s is defined more than once, and berth runs nothing that would tell which counts; name the connection in .berth/config.yaml", name)
			return
		}
		d.parts = append(d.parts, part{parts[name], name, v})
		if name == "DB_NAME" {
			d.line = v.line
		}
	}
	if !d.has(asDatabase) {
		return
	}
	for i, p := range d.parts {
		if p.as == asHost && p.value.kind == text {
			host, port := wordPressHost(p.value.text)
			d.parts[i].value.text = host
			d.parts = append(d.parts, part{asPort, p.name, value{kind: number, text: port, line: p.value.line}})
		}
	}
	s.declare(d)
}

// wordPressHost takes host:port, host:/socket and [::1]:port apart, as wpdb
// does.
func wordPressHost(given string) (host, port string) {
	if before, socket, ok := strings.Cut(given, ":/"); ok && !strings.Contains(before, ":") {
		return "/" + socket, ""
	}
	at := strings.LastIndexByte(given, ':')
	if at < 0 || strings.HasSuffix(given, "]") || strings.Count(given, ":") > 1 && !strings.HasPrefix(given, "[") {
		return strings.Trim(given, "[]"), ""
	}
	return strings.Trim(given[:at], "[]"), given[at+1:]
}
