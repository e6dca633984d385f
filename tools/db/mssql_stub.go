package db

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/berth-dev/berth/tools/db/readonly"
)

// mssqlStub is the document's adapter stub: it fabricates a result whose
// shape is plausible and whose rows follow from its input alone. It opens no
// socket and has no credentials.
type mssqlStub struct{ maxRows, maxBytes int }

// stubRows is how many rows the stub makes where the call does not say.
const stubRows = 3

// recordTemplate is a shape of the stub's results.
type recordTemplate struct {
	columns []recordColumn
	row     func(n int, seed uint32) []any // n from 1
}

// recordTemplates are chosen from by the input's digest.
func recordTemplates() []recordTemplate {
	return []recordTemplate{
		{[]recordColumn{{"Id", "int"}, {"Name", "nvarchar(50)"}, {"CreatedAt", "datetime2"}},
			func(n int, seed uint32) []any {
				return []any{int64(n), fmt.Sprintf("Sample %d-%d", seed%97, n), fmt.Sprintf("2025-01-%02dT00:00:00Z", 1+(int(seed%28)+n)%28)}
			}},
		{[]recordColumn{{"OrderId", "int"}, {"CustomerId", "int"}, {"Total", "decimal(10,2)"}},
			func(n int, seed uint32) []any {
				return []any{int64(1000 + n), int64(seed % 500), fmt.Sprintf("%d.%02d", 10+int(seed%90)*n, seed%100)}
			}},
		{[]recordColumn{{"Key", "uniqueidentifier"}, {"Value", "nvarchar(100)"}, {"IsActive", "bit"}},
			func(n int, seed uint32) []any {
				return []any{fmt.Sprintf("%08x-0000-4000-8000-%012d", seed, n), fmt.Sprintf("Value %d", n), n%2 == 1}
			}},
	}
}

// execute makes the rows. What is not one reading statement is refused as it
// would be live.
func (m mssqlStub) execute(_ context.Context, q mssqlRequest) (recordset, error) {
	if _, r := readonly.ParseMSSQL(q.query, readonly.NewMSSQLWords(), false); r != nil {
		return recordset{}, r
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(q.database), q.database, q.query))
	seed := binary.BigEndian.Uint32(sum[:])
	templates := recordTemplates()
	t := templates[sum[4]%byte(len(templates))]
	wanted := cmp.Or(q.maxRows, stubRows)
	rows := wanted
	if m.maxRows > 0 {
		rows = min(wanted, m.maxRows)
	}
	r := newRecords(rows, m.maxBytes)
	names, types := make([]string, len(t.columns)), make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i], types[i] = c.Name, c.Type
	}
	if err := r.Columns(names, types); err != nil {
		return recordset{}, err
	}
	for i := range rows {
		if more, err := r.Row(t.row(i+1, seed)); err != nil {
			return recordset{}, fmt.Errorf("make a row: %w", err)
		} else if !more {
			break
		}
	}
	note := "No SQL Server connection is configured: these rows are made up by the adapter stub, the same for the same input."
	if made := len(r.Rows()); made < wanted {
		note += fmt.Sprintf(" It makes no more than %d here: the project's settings limit a reply to %d rows and %d bytes.", made, m.maxRows, m.maxBytes)
	}
	return recordset{Columns: t.columns, Rows: r.Rows(), notes: note}, nil
}
