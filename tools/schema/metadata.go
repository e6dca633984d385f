package schema

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
)

type metadataReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Metadata *metadata `json:"metadata"`
}

// metadata is what a caller may write in edits, schema names and data types,
// and what there is beside the tables.
type metadata struct {
	Dialect            string            `json:"dialect"`
	DefaultSchema      string            `json:"defaultSchema,omitempty"`
	SchemaNames        []jsontext.Value  `json:"schemaNames"`
	SchemaCount        int               `json:"schemaCount,omitzero"` // where the names are not all there
	NextOffset         int               `json:"nextOffset,omitzero"`
	DataTypes          []jsontext.Value  `json:"dataTypes"`
	TypesWithLength    []string          `json:"typesWithLength,omitempty"`    // take maxLength
	TypesWithPrecision []string          `json:"typesWithPrecision,omitempty"` // take precision, most of them scale
	IdentityTypes      []string          `json:"identityTypes,omitempty"`
	Types              []jsontext.Value  `json:"types,omitempty"` // that edits make, with their values
	ForeignKeyActions  []designer.Action `json:"foreignKeyActions"`
	MaxNameLength      int               `json:"maxNameLength,omitzero"`
	Carried            []jsontext.Value  `json:"carried,omitempty"` // what get_table reads and no edit changes: views, partitions, virtual tables
	CarriedCount       int               `json:"carriedCount,omitzero"`
}

func (t *Tool) getMetadata(in *invocation) (any, *failure) {
	reply := &metadataReply{Success: true, databaseIdentity: in.identity()}
	refused := t.view(in, func(s *designer.Schema) *failure {
		reply.Version = s.Version()
		d := s.Dialect()
		m := &metadata{Dialect: d.Name, DefaultSchema: s.DefaultSchema(),
			ForeignKeyActions: d.ForeignKeys.Actions, MaxNameLength: d.Names.MaxLength}
		m.addTypes(d)
		m.addNamedTypes(s)
		reply.Metadata = m
		m.addCarried(carriedNames(s))
		m.addSchemas(s.Schemas(), window{in.request.Options.Offset, in.request.Options.Limit}, room(reply))
		return nil
	})
	return reply, refused
}

func (m *metadata) addTypes(d *designer.Dialect) {
	m.DataTypes, _ = take(maxReply/4, len(d.Types), func(i int) any { return d.Types[i].Name })
	for _, t := range d.Types[:len(m.DataTypes)] {
		if t.Length != designer.NotTaken {
			m.TypesWithLength = append(m.TypesWithLength, t.Name)
		}
		if t.Precision != (designer.Range{}) || t.Scale != (designer.Range{}) {
			m.TypesWithPrecision = append(m.TypesWithPrecision, t.Name)
		}
		if t.Identity {
			m.IdentityTypes = append(m.IdentityTypes, t.Name)
		}
	}
}

// addNamedTypes lists the types of the design's own, as many as fit. Their
// names are all among the data types.
func (m *metadata) addNamedTypes(s *designer.Schema) {
	list := editedTypes(s)
	m.Types, _ = take(maxReply/4, len(list), func(i int) any { return ownTypeOf(list[i]) })
}

func (m *metadata) addSchemas(names []string, w window, budget int) {
	from, to := w.cut(len(names))
	m.SchemaNames, _ = take(budget, to-from, func(i int) any { return names[from+i] })
	if shown := len(m.SchemaNames); shown < len(names) {
		m.SchemaCount = len(names)
		if from+shown < len(names) {
			m.NextOffset = from + shown
		}
	}
}

// addCarried lists the first of what there is beside the tables, and counts it
// where that is not all.
func (m *metadata) addCarried(list []carriedName) {
	m.Carried, _ = take(maxReply/4, len(list), func(i int) any { return list[i] })
	if len(m.Carried) < len(list) {
		m.CarriedCount = len(list)
	}
}
