package schema

import (
	"context"
	"errors"
	"slices"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/session"
)

// A design without a database is published to another connection: its tables
// are taken into that connection's design, as one step that undo takes back,
// and that design is published as any other is. So a person is asked about
// exactly what runs, conflicts are found, and an interrupted publish resumes.

// isDesign reports whether a source is a design without a database.
func isDesign(s session.Source) bool {
	design, ok := s.(interface{ IsDesign() bool })
	return ok && design.IsDesign()
}

// handOver takes the tables of a design without a database into the design of
// the connection that the call names, with which the call continues. It does
// nothing for the design of a database.
func (t *Tool) handOver(ctx context.Context, in *invocation) *failure {
	to := in.request.Payload.To
	source, err := t.opts.Connections.Source(ctx, in.designer.ID())
	if err != nil || !isDesign(source) {
		if to != "" && err == nil {
			return invalid("payload.to is for a design without a database; %s is published to its own: leave payload.to out", quote(in.designer.Name()))
		}
		return nil // without a source the call says why
	}
	target, refused := t.target(ctx, in)
	if refused != nil {
		return refused
	}
	if v := in.request.Payload.ExpectedVersion; v != "" && v != in.designer.Version() {
		return t.stale(in, &failure{Reason: designer.StaleState})
	}
	name, from := in.designer.Name(), in.designer
	s, err := from.Snapshot()
	if err != nil {
		return t.internal(in, err)
	}
	if s.Len() == 0 {
		return invalid("the design %s has no tables yet: add some with apply_edits, then publish", quote(name))
	}
	if s.Dialect().Name != target.Dialect().Name {
		return invalid("%s is a design for %s, and %s is a database of %s: export the design as json and import that there with payload.dialect %s, "+
			"or name a connection of %s", quote(name), s.Dialect().Title, quote(target.Name()), target.Dialect().Title, s.Dialect().Name, s.Dialect().Title).
			near(t.targets(ctx)...)
	}
	into, err := t.opts.Manager.Open(ctx, target)
	if err != nil {
		return t.unreadable(in, ConnectionInfo{Name: target.Name()}, err)
	}
	in.designer = into
	out, err := into.Import(ctx, session.Import{Definition: portable(s), Origin: string(in.call.Origin), Client: clientName(in.call),
		Description: "Take over the design " + shortName(name)})
	if err != nil {
		return t.internal(in, err)
	}
	if out.Err != nil {
		return t.editRefused(in, out)
	}
	in.request.Payload.ExpectedVersion = "" // it was the other design's
	return nil
}

// portable is a design's definition, its tables and types, of which those of the
// default schema are in the default schema of wherever it is taken: that has a
// name of its own there.
func portable(s *designer.Schema) designer.Definition {
	def := s.Definition()
	own := func(schema string) bool { return designer.Fold(schema) == designer.Fold(s.DefaultSchema()) }
	tables := slices.Clone(def.Tables)
	for i, t := range tables {
		if own(t.Schema) {
			tables[i].Schema = ""
		}
		keys := slices.Clone(t.ForeignKeys)
		for j, k := range keys {
			if own(k.ReferencedTable.Schema) {
				keys[j].ReferencedTable.Schema = ""
			}
		}
		tables[i].ForeignKeys = keys
	}
	types := editedTypes(s)
	for i := range types {
		if own(types[i].Schema) {
			types[i].Schema = ""
		}
	}
	return designer.Definition{Tables: tables, Objects: types}
}

// target finds the connection that payload.to names.
func (t *Tool) target(ctx context.Context, in *invocation) (session.Source, *failure) {
	to, names := in.request.Payload.To, t.targets(ctx)
	if len(names) == 0 {
		return nil, invalid("%s is a design without a database, and this project has no database to publish it to: "+
			"a person names one with berth connect ADDRESS, a SQLite file or a URL", quote(in.designer.Name()))
	}
	if to == "" {
		return nil, invalid("%s is a design without a database: payload.to names the connection to publish it to (berth publish --to)",
			quote(in.designer.Name())).near(names...)
	}
	c, refused := t.connection(ctx, &request{ConnectionName: to})
	if refused != nil {
		return nil, refused
	}
	source, err := t.opts.Connections.Source(ctx, c.ID)
	if err != nil {
		return nil, t.unreadable(in, c, err)
	}
	if isDesign(source) {
		return nil, invalid("payload.to names %s, which is a design without a database too", quote(to)).near(names...)
	}
	return source, nil
}

// targets are the names of the connections that have a database.
func (t *Tool) targets(ctx context.Context) (names []string) {
	known, err := t.opts.Connections.List(ctx)
	if err != nil {
		return nil
	}
	for _, c := range known {
		if s, err := t.opts.Connections.Source(ctx, c.ID); err == nil && !isDesign(s) {
			names = append(names, c.Name)
		}
	}
	return names
}

// triedOn is a note that says where a design without a database is tried, or
// why it cannot be. Both nil: it has a database.
func triedOn(ctx context.Context, db session.Database) (notes []string, refused *failure) {
	s, ok := db.(interface {
		TriedOn(ctx context.Context) (string, error)
	})
	if !ok || !isDesign(db) {
		return nil, nil
	}
	where, err := s.TriedOn(ctx)
	var plain interface{ Plain() string }
	if errors.As(err, &plain) {
		return nil, invalid("%s", plain.Plain())
	}
	return []string{"tried in " + where}, nil
}
