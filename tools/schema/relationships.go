package schema

import (
	"encoding/json"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// relationship is one foreign key as an edge between tables.
type relationship struct {
	Name            string                 `json:"name"`
	Table           designer.TableRef      `json:"table"`
	ReferencedTable designer.TableRef      `json:"referencedTable"`
	Mappings        []designer.NameMapping `json:"mappings"`
}

type relationships struct {
	envelope
	Relationships []json.RawMessage `json:"relationships"`
	page
}

// edge is a foreign key with its table.
type edge struct {
	from *designer.Table
	key  designer.ForeignKey
}

// relationships lists the foreign keys of the schema, those from and to one
// table, or those that touch a table a pattern selects.
func (t *Tool) relationships(w *work) (any, *failure) {
	if refused := w.meant(); refused != nil {
		return nil, refused
	}
	var reply relationships
	var missing *failure
	refused := t.view(w, func(s *designer.Schema) {
		reply.envelope = w.envelope(s.Version())
		var edges []edge
		edges, missing = edgesOf(s, w.request)
		reply.fill(s, edges, w.request.Options)
	})
	if refused == nil && missing != nil {
		missing.CurrentVersion = reply.Version
		refused = w.here(missing)
	}
	return reply, refused
}

func (reply *relationships) fill(s *designer.Schema, edges []edge, o requestOptions) {
	shown := o.cut(len(edges))
	left := room(maxReply - overhead)
	reply.Relationships = fillWith(&left, edges[shown.from:shown.to], func(e edge) any {
		r := relationship{Name: clipTo(e.key.Name, maxName), Table: refOf(e.from)}
		r.ReferencedTable, r.Mappings = endOf(s, e.from, e.key)
		return r
	})
	reply.page = shown.page(len(reply.Relationships), o.paged() || o.Pattern != "")
}

// edgesOf returns the foreign keys a call asks for, by the schema and name of
// their table.
func edgesOf(s *designer.Schema, r *request) ([]edge, *failure) {
	tables, want := s.Tables(), func(edge) bool { return true }
	if ref := r.Payload.Table; ref != nil {
		t, e := s.Table(*ref)
		if e != nil {
			return nil, refusal(e)
		}
		tables = s.Incoming(t.ID)
		if !slices.Contains(tables, t) {
			tables = append([]*designer.Table{t}, tables...)
		}
		want = func(e edge) bool { return e.from.ID == t.ID || e.key.RefTable == t.ID }
	}
	match := matcher(r.Options.Pattern)
	var edges []edge
	for _, t := range tables {
		for _, k := range t.ForeignKeys {
			e := edge{t, k}
			if want(e) && (r.Options.Pattern == "" || e.touches(s, match)) {
				edges = append(edges, e)
			}
		}
	}
	return edges, nil
}

func (e edge) touches(s *designer.Schema, match func(schema, name string) bool) bool {
	if match(e.from.Schema, e.from.Name) {
		return true
	}
	if to := s.ByID(e.key.RefTable); to != nil {
		return match(to.Schema, to.Name)
	}
	return e.key.Dangling != nil && match(e.key.Dangling.Schema, e.key.Dangling.Table)
}

func refOf(t *designer.Table) designer.TableRef {
	return designer.TableRef{Schema: clipTo(t.Schema, maxName), Name: clipTo(t.Name, maxName)}
}
