// Package rowset takes the rows of a query: for a tool's reply, as objects for
// the REST route, or into a file. It knows no database and no tool.
//
//	              ┌─▶ Reply    {"columns":…,"rows":[[…]]} and notes, bounded
//	driver ─ rows ┼─▶ Objects  [{…}], bounded
//	              └─▶ File     CSV or JSON lines, everything
//
// Start from [Sink]. Invariants: no integer is rounded and no value is cut
// without a mark; a reply holds no hidden character and no more bytes than it
// was given; a file holds values exactly as the database has them.
package rowset

// Sink takes the rows of a query.
type Sink interface {
	// Columns comes once, before the first row; types are as declared and
	// may be empty.
	Columns(names, types []string) error
	// Row takes one row of int64, float64, bool, string, []byte and nil,
	// which are the caller's again when it returns. It returns false to have
	// no more of them.
	Row(values []any) (more bool, err error)
}

// Limited is a [Sink] that keeps a limited number of rows.
type Limited interface {
	// Limit is the largest number of rows that the sink keeps.
	Limit() int
	// Types may come once after the last row, in place of those that came with
	// the columns.
	Types(types []string)
}
