package schema

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer"
)

type relationshipsReply struct {
	Success bool   `json:"success"`
	Version string `json:"version"`
	databaseIdentity
	Relationships []jsontext.Value `json:"relationships"`
	Total         int              `json:"total,omitzero"` // where the list is not all there is
	NextOffset    int              `json:"nextOffset,omitzero"`
}

// relationship is a foreign key as an edge between two tables.
type relationship struct {
	Name            string                 `json:"name,omitempty"`
	Table           designer.TableName     `json:"table"`
	ReferencedTable designer.TableName     `json:"referencedTable"`
	Mappings        []designer.NameMapping `json:"mappings"`
}

// getRelationships lists foreign keys across the schema: all of them, those
// from or to one table, or those with a table that matches a pattern at
// either end.
func (t *Tool) getRelationships(in *invocation) (any, *failure) {
	reply := &relationshipsReply{Success: true, databaseIdentity: in.identity()}
	refused := t.view(in, func(s *designer.Schema) *failure {
		reply.Version = s.Version()
		edges, refused := edgesOf(s, in.request)
		if refused != nil {
			return refused
		}
		o := in.request.Options
		from, to := window{o.Offset, o.Limit}.cut(len(edges))
		reply.Relationships, _ = take(room(reply), to-from, func(i int) any { return edges[from+i].describe(s) })
		if shown := len(reply.Relationships); shown < len(edges) {
			reply.Total = len(edges)
			if from+shown < len(edges) {
				reply.NextOffset = from + shown
			}
		}
		return nil
	})
	if refused != nil {
		return nil, refused
	}
	return reply, nil
}

// edge is a foreign key with the table it belongs to.
type edge struct {
	table *designer.Table
	key   designer.ForeignKey
}

func edgesOf(s *designer.Schema, r *request) ([]edge, *failure) {
	tables := s.Tables()
	var only *designer.Table
	if ref := r.Payload.Table; ref != nil {
		var err *designer.Error
		if only, err = s.Table(*ref); err != nil {
			return nil, fromDesigner(err)
		}
	}
	var edges []edge
	for _, table := range tables {
		for _, key := range table.ForeignKeys {
			if only != nil && table.ID != only.ID && key.RefTable != only.ID {
				continue
			}
			if p := r.Options.Pattern; p != "" && !matchTable(table, p) && !matchTarget(s, key, p) {
				continue
			}
			edges = append(edges, edge{table, key})
		}
	}
	return edges, nil
}

func matchTarget(s *designer.Schema, key designer.ForeignKey, pattern string) bool {
	target := s.ByID(key.RefTable)
	return target != nil && matchTable(target, pattern)
}

func (e edge) describe(s *designer.Schema) relationship {
	referenced, mappings := reference(s, e.table, e.key)
	return relationship{Name: e.key.Name,
		Table:           designer.TableName{Schema: e.table.Schema, Name: e.table.Name},
		ReferencedTable: referenced, Mappings: mappings}
}
