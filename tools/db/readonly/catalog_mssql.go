package readonly

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
)

// The questions to SQL Server are fixed texts whose parameters are @p1, @p2 …
// Names are compared ignoring case, whatever the server does.

// parameters lists n parameters.
func parameters(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", @p%d", i+1)
	}
	return strings.TrimPrefix(b.String(), ", ")
}

// MSSQLCache is what is known of a server from one query to the next: that
// it has catalogues which came with later versions. The zero value knows
// nothing. It is safe for concurrent use.
type MSSQLCache struct{ predicates, external atomic.Bool }

// laterMSSQL asks for the catalogues that came with later versions.
const laterMSSQL = "SELECT OBJECT_ID(N'sys.security_predicates'), OBJECT_ID(N'sys.external_tables')"

// later asks which catalogues there are, until all of them were seen. In doubt
// they are asked: the server says what it does not have.
func (r *MSSQLReach) later(ctx context.Context) error {
	if r.memory.predicates.Load() && r.memory.external.Load() {
		return nil
	}
	rows, err := ask(ctx, r.server, CatalogQuery{laterMSSQL, 2, nil})
	if err != nil {
		return err
	}
	r.memory.predicates.Store(len(rows) != 1 || rows[0][0] != "")
	r.memory.external.Store(len(rows) != 1 || rows[0][1] != "")
	return nil
}

// objectsMSSQL finds the objects of n names in any schema of the database.
func objectsMSSQL(n int, m *MSSQLCache) string {
	in := "LOWER(o.name) IN (" + parameters(n) + ")"
	query := `SELECT o.name, RTRIM(o.type), m.definition FROM sys.objects o LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id
WHERE o.type IN ('V', 'FN', 'IF', 'TF', 'FS', 'FT', 'AF', 'X', 'PC') AND ` + in + `
UNION ALL SELECT o.name, 'SN', o.base_object_name FROM sys.synonyms o WHERE ` + in + `
UNION ALL SELECT o.name, '` + mssqlComputed + `', c.definition FROM sys.computed_columns c JOIN sys.tables o ON o.object_id = c.object_id WHERE ` + in
	if m.predicates.Load() {
		query += `
UNION ALL SELECT o.name, '` + mssqlPredicate + `', p.predicate_definition FROM sys.security_predicates p JOIN sys.tables o ON o.object_id = p.target_object_id WHERE ` + in
	}
	if m.external.Load() {
		query += `
UNION ALL SELECT o.name, '` + mssqlExternal + `', NULL FROM sys.external_tables o WHERE ` + in
	}
	return query
}

// databasesMSSQL finds those of n names that are databases, and says of each
// whether it is the session's own.
func databasesMSSQL(n int) string {
	return "SELECT name, CASE WHEN name = DB_NAME() THEN 'own' ELSE '' END FROM sys.databases WHERE LOWER(name) IN (" + parameters(n) + ")"
}

// look returns the objects of names, and which of the first parts are databases
// that the server shows, by their names in lower case: true is the session's
// own.
func (r *MSSQLReach) look(ctx context.Context, names []string, firsts []firstPart) (all []mssqlObject, databases map[string]bool, err error) {
	if len(names)+len(firsts) == 0 {
		return nil, nil, nil
	}
	if err := r.later(ctx); err != nil {
		return nil, nil, err
	}
	var questions []CatalogQuery
	for asked := filled(namesOf(firsts)); len(asked) > 0; {
		n := min(len(asked), maxSlots)
		questions = append(questions, CatalogQuery{databasesMSSQL(n), 2, asked[:n]})
		asked = asked[n:]
	}
	for names = filled(names); len(names) > 0; {
		n := min(len(names), maxSlots)
		questions = append(questions, CatalogQuery{objectsMSSQL(n, r.memory), 3, names[:n]})
		names = names[n:]
	}
	answers, err := r.server.Ask(ctx, questions...)
	if err != nil {
		return nil, nil, err
	}
	databases = map[string]bool{}
	for i, rows := range answers {
		for _, row := range rows {
			if questions[i].Columns == 3 {
				all = append(all, mssqlObject{row[0], strings.TrimSpace(row[1]), row[2]})
				continue
			}
			name := strings.ToLower(row[0])
			own, known := databases[name] // two may differ in case alone
			databases[name] = row[1] == "own" && (own || !known)
		}
	}
	return all, databases, nil
}

// namesOf are the names of first parts in lower case, each once.
func namesOf(firsts []firstPart) (names []string) {
	seen := map[string]bool{}
	for _, f := range firsts {
		if name := strings.ToLower(f.name); !seen[name] {
			names, seen[name] = append(names, name), true
		}
	}
	return names
}
