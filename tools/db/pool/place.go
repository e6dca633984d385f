package pool

import (
	"strings"

	"github.com/berth-dev/berth/designer/sqlite"
	"github.com/berth-dev/berth/tools/db/dial"
)

// DefaultSchema is what an empty schema name means: on MySQL, where a schema
// is a database, the connection's own.
func (cfg Config) DefaultSchema() string {
	if cfg.Design && cfg.Dialect == dial.MySQL {
		return cfg.Name // a schema is a database there
	}
	switch cfg.Dialect {
	case dial.PostgreSQL:
		return searchPath(cfg.Address.Params["search_path"])
	case dial.MySQL:
		return cfg.Address.Database
	case dial.SQLServer:
		return "dbo"
	}
	return sqlite.DefaultSchema
}

// searchPath is the first schema of PostgreSQL's parameter that is written
// plainly; a quoted one or $user is left to the server.
func searchPath(path string) string {
	first, _, _ := strings.Cut(path, ",")
	first = strings.TrimSpace(first)
	if first == "" || strings.ContainsAny(first, `"$ `) {
		return "public"
	}
	return strings.ToLower(first)
}

// Place says where a connection's database is, for people and targets: the
// server, and the database on it.
func (c *Connections) Place(cfg Config) (server, database string) {
	if cfg.Design {
		return DesignServer, cfg.Name
	}
	if cfg.IsSQLite() {
		return dial.SQLite, c.shownPath(cfg)
	}
	return cfg.Address.Server(cfg.Dialect), cfg.Address.Database
}
