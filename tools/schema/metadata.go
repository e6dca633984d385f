package schema

import (
	"encoding/json"

	"github.com/berth-dev/berth/designer"
)

// metadata is what a design may be made of: the schemas a table may be put
// into, the data types and foreign key actions the database has.
type metadata struct {
	Dialect           string            `json:"dialect"`
	DefaultSchema     string            `json:"defaultSchema"`
	SchemaNames       []json.RawMessage `json:"schemaNames"`
	DataTypes         []json.RawMessage `json:"dataTypes"`
	ForeignKeyActions []designer.Action `json:"foreignKeyActions"`
	page
}

// dataType tells which attributes a type takes.
type dataType struct {
	Name      string `json:"name"`
	MaxLength string `json:"maxLength,omitempty"` // "required", "optional"; with ", MAX" where that is allowed
	Precision bool   `json:"precision,omitempty"`
	Scale     bool   `json:"scale,omitempty"`
	Identity  bool   `json:"identity,omitempty"`
}

type metadataReply struct {
	envelope
	Metadata metadata `json:"metadata"`
}

// metadata lists the types in full; the schemas, of which a database may
// have thousands, are paged.
func (t *Tool) metadata(w *work) (any, *failure) {
	if refused := w.meant(); refused != nil {
		return nil, refused
	}
	var reply metadataReply
	refused := t.view(w, func(s *designer.Schema) {
		reply.envelope = w.envelope(s.Version())
		reply.Metadata = metadataOf(s, w.request.Options)
	})
	return reply, refused
}

func metadataOf(s *designer.Schema, o requestOptions) metadata {
	d := s.Dialect()
	left := room(maxReply - overhead)
	m := metadata{Dialect: d.Title, DefaultSchema: clipTo(s.DefaultSchema(), maxName),
		DataTypes: fillWith(&left, d.Types, func(i designer.TypeInfo) any { return typeOf(i) }), ForeignKeyActions: d.Actions}
	names := s.Schemas()
	shown := o.cut(len(names))
	m.SchemaNames = fillWith(&left, names[shown.from:shown.to], func(n string) any { return clipTo(n, maxName) })
	m.page = shown.page(len(m.SchemaNames), o.paged())
	return m
}

func typeOf(i designer.TypeInfo) dataType {
	t := dataType{Name: i.Name, Precision: i.Precision != designer.Range{}, Scale: i.Scale != designer.Range{}, Identity: i.Identity}
	switch i.Length {
	case designer.Required:
		t.MaxLength = "required"
	case designer.Optional:
		t.MaxLength = "optional"
	}
	if i.AllowsMax && t.MaxLength != "" {
		t.MaxLength += ", MAX"
	}
	return t
}
