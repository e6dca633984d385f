package source

import (
	"context"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/tools/db/pool"
)

// Source is one connection as the designer reads it.
type Source struct {
	all    *Sources
	config pool.Config
}

// All returns every known connection, those of the settings first.
func (s *Sources) All(ctx context.Context) []*Source {
	var all []*Source
	for _, cfg := range s.connections.Known(ctx) {
		all = append(all, &Source{s, cfg})
	}
	return all
}

// Source returns the connection of that name; "" means the default. The error
// names the known ones.
func (s *Sources) Source(ctx context.Context, name string) (*Source, error) {
	cfg, err := s.connections.Pick(ctx, name)
	if err != nil {
		return nil, err
	}
	return &Source{s, cfg}, nil
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
	server, database := s.all.connections.Place(s.config)
	return designer.Target{Server: server, Database: database}
}

// DefaultSchema is what an empty schema name means: on MySQL, where a schema
// is a database, the connection's own.
func (s *Source) DefaultSchema() string { return s.config.DefaultSchema() }

// Read reads the whole schema. A database that cannot be opened is a
// [*dial.ConnectError].
func (s *Source) Read(ctx context.Context) (designer.Definition, error) {
	if s.config.Design {
		return designer.Definition{}, nil // what it proposes begins with nothing
	}
	c := s.all.connections
	d, err := c.Database(s.config)
	if err != nil {
		return designer.Definition{}, err
	}
	var def designer.Definition
	err = c.ReadCatalogue(ctx, s.config, d, func(ctx context.Context) error {
		read, err := d.Definition(ctx)
		if err == nil {
			def = read
		}
		return err
	})
	if err != nil {
		return designer.Definition{}, s.config.Explain(err)
	}
	s.all.logUnreadable(s.config.Name, def)
	return def, nil
}

// logUnreadable logs what the server could not describe.
func (s *Sources) logUnreadable(connection string, def designer.Definition) {
	const text = "an object of the database could not be read and is left out"
	for _, v := range def.Views {
		if why := v.Options[designer.OptionUnreadable]; why != "" {
			s.warn(text, "connection", connection, "schema", v.Schema, "name", v.Name, "error", why)
		}
	}
	for _, o := range def.Objects {
		if why := o.Options[designer.OptionUnreadable]; why != "" {
			s.warn(text, "connection", connection, "schema", o.Schema, "name", o.Name, "error", why)
		}
	}
}
