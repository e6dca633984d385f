package db

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/sqlite"
)

// Source is one connection as the designer reads it.
type Source struct {
	connections *Connections
	config      Config
}

// Sources lists every known connection, those of the settings first.
func (c *Connections) Sources(ctx context.Context) []*Source {
	var all []*Source
	for _, cfg := range c.known(ctx) {
		all = append(all, &Source{c, cfg})
	}
	return all
}

// Source returns the connection of that name; "" means the default. The error
// names the known ones.
func (c *Connections) Source(ctx context.Context, name string) (*Source, error) {
	cfg, err := c.pick(ctx, name)
	if err != nil {
		return nil, err
	}
	return &Source{c, cfg}, nil
}

// ID identifies the connection for good: it is its name.
func (s *Source) ID() string { return s.config.Name }

// Name is what the project calls the connection.
func (s *Source) Name() string { return s.config.Name }

// Dialect returns the dialect's data.
func (s *Source) Dialect() *designer.Dialect { return s.engine().Dialect() }

// Target names the database: "sqlite" and the file's path below the project's
// root, with forward slashes; else host:port or host\instance, and the
// database.
func (s *Source) Target() designer.Target {
	server, database := s.connections.place(s.config)
	return designer.Target{Server: server, Database: database}
}

// DefaultSchema is what an empty schema name means: on MySQL, where a schema
// is a database, the connection's own.
func (s *Source) DefaultSchema() string {
	switch s.config.Dialect {
	case dialectPostgres:
		return searchPath(s.config.Address.Params["search_path"])
	case dialectMySQL:
		return s.config.Address.Database
	case dialectMSSQL:
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

// place says where a connection's database is, for people and targets: the
// server, and the database on it.
func (c *Connections) place(cfg Config) (server, database string) {
	if cfg.isSQLite() {
		return dialectSQLite, c.shownPath(cfg)
	}
	return cfg.Address.server(cfg.Dialect), cfg.Address.Database
}

// Read reads the whole schema. A database that cannot be opened is a
// [*ConnectError].
func (s *Source) Read(ctx context.Context) (designer.Definition, error) {
	c := s.connections
	d, err := c.database(s.config)
	if err != nil {
		return designer.Definition{}, err
	}
	var def designer.Definition
	err = c.readCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		read, err := d.definition(ctx)
		if err == nil {
			def = read
		}
		return err
	})
	if err != nil {
		return designer.Definition{}, worded(s.config, err)
	}
	for _, v := range def.Views {
		if why := v.Options[designer.OptionUnreadable]; why != "" {
			c.logger().Warn("an object of the database could not be read and is left out", "connection", s.config.Name, "schema", v.Schema, "name", v.Name, "error", why)
		}
	}
	for _, o := range def.Objects {
		if why := o.Options[designer.OptionUnreadable]; why != "" {
			c.logger().Warn("an object of the database could not be read and is left out", "connection", s.config.Name, "schema", o.Schema, "name", o.Name, "error", why)
		}
	}
	return def, nil
}
