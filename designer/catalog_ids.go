package designer

// CatalogIDs is what a server calls a table and its columns by, whatever their
// names: PostgreSQL's oid and attnum, SQL Server's object_id and column_id. A
// number is never given to another column of the table. By them a column that
// was renamed in the database is known again. See [Definition].
type CatalogIDs struct {
	Schema string `json:"schema,omitempty"` // "": the default schema
	Name   string `json:"name"`
	Number int64  `json:"number"` // of the table; another one after it was made again
	// Columns are the names by number, from 1; "": there is none, or no more.
	Columns []string `json:"columns"`
}

// maxNumber bounds the numbers of columns that are kept.
const maxNumber = 10_000

// Add enters a column.
func (n *CatalogIDs) Add(number int, name string) {
	if number < 1 || number > maxNumber {
		return
	}
	for len(n.Columns) < number {
		n.Columns = append(n.Columns, "")
	}
	n.Columns[number-1] = name
}

// columnNumbers are the numbers by name, nil where the server keeps none.
func (n *CatalogIDs) columnNumbers() map[string]int {
	if n == nil {
		return nil
	}
	out := make(map[string]int, len(n.Columns))
	for i, name := range n.Columns {
		if name != "" {
			out[name] = i + 1
		}
	}
	return out
}

// numbersOf lists numbers by schema and name of their table.
func numbersOf(list []CatalogIDs, defaultSchema string) map[[2]string]*CatalogIDs {
	out := make(map[[2]string]*CatalogIDs, len(list))
	for i := range list {
		schema := list[i].Schema
		if schema == "" {
			schema = defaultSchema
		}
		out[[2]string{schema, list[i].Name}] = &list[i]
	}
	return out
}
