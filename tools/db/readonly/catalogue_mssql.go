package readonly

import (
	"context"
	"strings"
)

// nameList is a list of names as T-SQL literals.
func nameList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "N'" + strings.ReplaceAll(n, "'", "''") + "'"
	}
	return strings.Join(quoted, ", ")
}

// objects returns the objects of names in any schema of the database. Names are
// compared ignoring case, whatever the server does.
func (r *MSSQLReach) objects(ctx context.Context, names []string) ([]mssqlObject, error) {
	if len(names) == 0 {
		return nil, nil
	}
	in := "LOWER(o.name) IN (" + nameList(names) + ")"
	query := `SELECT o.name, RTRIM(o.type), m.definition FROM sys.objects o LEFT JOIN sys.sql_modules m ON m.object_id = o.object_id
WHERE o.type IN ('V', 'FN', 'IF', 'TF', 'FS', 'FT', 'AF', 'X', 'PC') AND ` + in + `
UNION ALL SELECT o.name, 'SN', o.base_object_name FROM sys.synonyms o WHERE ` + in + `
UNION ALL SELECT o.name, '` + mssqlComputed + `', c.definition FROM sys.computed_columns c JOIN sys.tables o ON o.object_id = c.object_id WHERE ` + in
	// These came with later versions.
	later, err := ask(ctx, r.server, Question{"SELECT OBJECT_ID(N'sys.security_predicates'), OBJECT_ID(N'sys.external_tables')", 2, nil})
	if err != nil {
		return nil, err
	}
	if len(later) != 1 || later[0][0] != "" { // in doubt, ask: the server says what it does not have
		query += `
UNION ALL SELECT o.name, '` + mssqlPredicate + `', p.predicate_definition FROM sys.security_predicates p JOIN sys.tables o ON o.object_id = p.target_object_id WHERE ` + in
	}
	if len(later) != 1 || later[0][1] != "" {
		query += `
UNION ALL SELECT o.name, '` + mssqlExternal + `', NULL FROM sys.external_tables o WHERE ` + in
	}
	rows, err := ask(ctx, r.server, Question{query, 3, nil})
	if err != nil {
		return nil, err
	}
	all := make([]mssqlObject, len(rows))
	for i, row := range rows {
		all[i] = mssqlObject{row[0], strings.TrimSpace(row[1]), row[2]}
	}
	return all, nil
}

// otherDatabases returns those of names that are databases, but not the
// session's own.
func (r *MSSQLReach) otherDatabases(ctx context.Context, names []string) ([]string, error) {
	rows, err := ask(ctx, r.server, Question{"SELECT name FROM sys.databases WHERE LOWER(name) IN (" + nameList(names) + ") AND name <> DB_NAME()", 1, nil})
	if err != nil {
		return nil, err
	}
	var all []string
	for _, row := range rows {
		all = append(all, row[0])
	}
	return all, nil
}
