package settings

import (
	"maps"
	"slices"
	"strconv"
)

// Found judges a connection that was found in another program's file of the
// project, as those of the project's own settings are judged. It returns the
// server as it may be reached, and what the connection asks; one ask that is
// not trusted withholds it. name and place are for people.
func (s *Settings) Found(name, dialect string, v Server, file string, line int) (Server, []Ask) {
	v.Below = s.root
	c := rawConnection{Connection: Connection{Name: name, Dialect: dialect, Server: v}, known: true}
	bound := []string{dialect, v.Host, strconv.Itoa(v.Port), v.Instance, v.User, v.Database, v.SSLMode}
	for _, name := range slices.Sorted(maps.Keys(v.Params)) {
		bound = append(bound, name, v.Params[name])
	}
	var asks []Ask
	for _, r := range v.requests(dialect, s.root, s.root, c.named()) {
		r.bound = append(slices.Clone(bound), r.bound...)
		r.kind = "found " + r.kind
		a := s.ask(r, "", file, line)
		a.Key = keyConnections + "." + name
		asks = append(asks, a)
	}
	v.Params = maps.Clone(v.Params)
	_ = v.placeCertificates(dialect, s.root) // relative names are below the root
	return v, asks
}
