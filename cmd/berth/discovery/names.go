package discovery

import (
	"net"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// connections names the candidates and drops those that a candidate before
// them means too.
func (s *search) connections() []Connection {
	var list []Connection
	var places []string
	taken := map[string]bool{}
	for _, c := range s.candidates {
		if !s.publish(&c) {
			continue
		}
		at := Place(c.address.Dialect, c.address.Path, c.address.Server)
		if slices.Contains(places, at) {
			continue
		}
		places = append(places, at)
		list = append(list, Connection{Name: unique(c.name(), taken), Dialect: c.address.Dialect, Path: c.address.Path,
			ReadOnly: c.address.ReadOnly, Server: c.address.Server, File: c.file, Line: c.line, Listed: c.listed})
	}
	return list
}

// Place names a database, the same however it is spelled: dialect, server and
// database, or the file.
func Place(dialect, file string, server settings.Server) string {
	if dialect == settings.DialectSQLite {
		return dialect + " " + file
	}
	host := strings.ToLower(server.Host)
	if host == "" || host == "localhost" || host == "::1" || host == "0.0.0.0" {
		host = "127.0.0.1"
	}
	port := server.Port
	if port == 0 {
		port = defaultPort(dialect)
	}
	if server.Instance != "" {
		return dialect + " " + host + `\` + strings.ToLower(server.Instance) + " " + server.Database
	}
	return dialect + " " + net.JoinHostPort(host, strconv.Itoa(port)) + " " + server.Database
}

func defaultPort(dialect string) int {
	switch dialect {
	case settings.DialectPostgres:
		return 5432
	case settings.DialectMySQL:
		return 3306
	case settings.DialectMSSQL:
		return 1433
	}
	return 0
}

// name is the base, behind the folder of the file where that is not the root
// or a folder that such files always lie in.
func (c candidate) name() string {
	if c.listed {
		return plain(c.base)
	}
	dir := path.Dir(c.file)
	for _, usual := range []string{"src/main/resources", "config/packages", "config", "prisma", "supabase", "conf"} {
		if dir == usual {
			dir = "."
		} else if rest, ok := strings.CutSuffix(dir, "/"+usual); ok {
			dir = rest
		}
	}
	if dir == "." {
		return plain(c.base)
	}
	return plain(strings.ReplaceAll(dir, "/", "-") + "-" + c.base)
}

// maxName bounds a name in bytes, as settings do.
const maxName = 60

// plain leaves of a text what a connection's name may have.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, text)
	for strings.Contains(text, "--") {
		text = strings.ReplaceAll(text, "--", "-")
	}
	if text = strings.Trim(text, "-._"); text == "" {
		text = "database"
	}
	return strings.TrimRight(text[:min(len(text), maxName)], "-._")
}

// unique numbers a name that is taken, ignoring case.
func unique(name string, taken map[string]bool) string {
	out := name
	for n := 2; taken[strings.ToLower(out)]; n++ {
		out = name + "-" + strconv.Itoa(n)
	}
	taken[strings.ToLower(out)] = true
	return out
}
