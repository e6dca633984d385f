package discovery

import (
	"path"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// isSupabase matches the settings of Supabase's local stack.
func isSupabase(name string) bool {
	return path.Base(name) == "config.toml" && path.Base(path.Dir(name)) == "supabase"
}

// supabasePort is the one of a file that names none.
const supabasePort = "54322"

// readSupabase finds the database of the local stack. The file has its port;
// user, password and database are always postgres (supabase.com/docs, Local
// Development).
func readSupabase(s *search, f file) {
	all, line, err := parseTOML(f.data)
	if err != nil {
		s.note(f.name, line, "%v", err)
		return
	}
	port, ok := all["db.port"]
	if !ok {
		port = setting{value: supabasePort, line: 1}
	}
	address, err := settings.FieldAddress(settings.DialectPostgres, settings.Fields{Host: "127.0.0.1", Port: port.value,
		User: "postgres", Password: "postgres", Database: "postgres"})
	if err != nil {
		s.note(f.name, port.line, "db.port: %v", err)
		return
	}
	s.found(candidate{base: "supabase", address: address, file: f.name, line: port.line})
}
