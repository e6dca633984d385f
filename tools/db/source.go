package db

import (
	"context"

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
func (s *Source) Dialect() *designer.Dialect { return sqlite.Dialect() }

// Target names the database: "sqlite" and the file's path below the project's
// root, with forward slashes.
func (s *Source) Target() designer.Target {
	return designer.Target{Server: "sqlite", Database: s.connections.shownPath(s.config)}
}

// DefaultSchema is what an empty schema name means.
func (s *Source) DefaultSchema() string { return sqlite.DefaultSchema }

// Read reads the whole schema. A database that cannot be opened is a
// [*ConnectError].
func (s *Source) Read(ctx context.Context) (designer.Definition, error) {
	c := s.connections
	d, err := c.database(s.config)
	if err != nil {
		return designer.Definition{}, err
	}
	var def designer.Definition
	err = c.await(ctx, c.timeout(s.config), func(ctx context.Context) error {
		read, err := d.definition(ctx)
		if err == nil {
			def = read
		}
		return err
	})
	if err != nil {
		return designer.Definition{}, named(s.config, err)
	}
	return def, nil
}
