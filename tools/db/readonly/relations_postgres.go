package readonly

import (
	"context"
	"strings"

	"github.com/berth-dev/berth/designer/sqltext"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
)

// relationPostgres is what the server says of a relation that runs something
// when it is read.
type relationPostgres struct {
	text          string // number of the one that reads it
	oid, parent   string // parent: the view that reads it; "0": the text does
	kind, name    string
	view, policy  string // what it runs; "": nothing
	wrapper       string // of a foreign table
	options, more string // of it and of its server
	planned       string // what the planner simplifies for it; "": nothing that somebody made
}

const relationColumns = 11

// relations asks for the relations that run something when they are read, or
// first whether there may be any.
func (m *PostgresCache) relations(l *nameList) CatalogQuery {
	if m.isNotPlain(l.names) {
		return allRelations(l)
	}
	return CatalogQuery{notPlainPostgres, 1, []string{TextArray(l.names)}}
}

// allRelations asks with every name of a text at once: some are schemas of
// others.
func allRelations(l *nameList) CatalogQuery {
	return CatalogQuery{relationsPostgres, relationColumns, l.args(false)}
}

// relationsNamed judges the relations that the names l in texts may mean. rows
// is what was asked first.
func (r *PostgresReach) relationsNamed(ctx context.Context, texts []sourcePostgres, l *nameList, asked CatalogQuery, rows [][]string) error {
	if asked.SQL == notPlainPostgres {
		if len(rows) == 0 {
			return nil
		}
		r.memory.note(rows)
		var err error
		if rows, err = ask(ctx, r.server, allRelations(l)); err != nil {
			return err
		}
	}
	return r.relations(texts, rows)
}

// relations adds what the views and policies among tables run, and refuses
// foreign tables of wrappers that are not known to read only.
func (r *PostgresReach) relations(texts []sourcePostgres, rows [][]string) error {
	found := map[string]relationPostgres{}
	for _, c := range rows {
		found[c[1]] = relationPostgres{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10]}
	}
	for _, c := range rows {
		f := found[c[1]]
		if f.kind == "f" {
			if refusal := judgeForeign(f.name, f.wrapper, f.options); refusal != nil {
				return refusal
			}
		}
		if r.related[f.oid] {
			continue
		}
		r.related[f.oid] = true
		via := textOf(texts, f.text).via
		for parent, depth := found[f.parent], 0; parent.oid != "" && depth < len(found); parent, depth = found[parent.parent], depth+1 {
			via = reached("the view "+parent.name, via)
		}
		for _, t := range []struct {
			what, text string
			kind       textKind
		}{{"the view ", f.view, viewText}, {"a row security policy of ", f.policy, viewText}, {"planning what reads ", f.planned, plannedText}} {
			if t.text == "" {
				continue
			}
			if err := r.add(sourcePostgres{sqltext.Significant(PostgresTokens(t.text)), reached(t.what+f.name, via), t.kind, ""}, len(t.text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// judgeForeign refuses what a foreign table of name may do beyond reading: what
// another server is sent runs there, in a transaction of its own.
func judgeForeign(name, wrapper, options string) *Refusal {
	switch {
	case wrapper == "file_fdw" && strings.Contains(options, "program="):
		return Refuse("foreign table", "%s runs a program when it is read", replytext.Shown(name))
	case wrapper != "file_fdw":
		return Refuse("foreign table", "%s belongs to the wrapper %s, which is not known to read only", replytext.Shown(name), replytext.Quote(wrapper))
	}
	return nil
}
