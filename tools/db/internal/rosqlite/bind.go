package rosqlite

import (
	"fmt"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// transient has SQLite keep a copy of what is bound (SQLITE_TRANSIENT).
const transient = ^uintptr(0)

// bind gives a statement its values, which are int64, float64, string or
// []byte, as many as it has placeholders.
func (r *rows) bind(values []any) error {
	if n := int(sqlite3.Xsqlite3_bind_parameter_count(r.c.tls, r.statement)); n != len(values) {
		return fmt.Errorf("%d values for %d placeholders", len(values), n)
	}
	for i, v := range values {
		rc, err := r.bindOne(int32(i+1), v)
		if err != nil {
			return err
		}
		if rc != sqlite3.SQLITE_OK {
			return errorOf(r.c.tls, r.c.db, rc)
		}
	}
	return nil
}

func (r *rows) bindOne(i int32, value any) (rc int32, err error) {
	tls := r.c.tls
	switch v := value.(type) {
	case int64:
		return sqlite3.Xsqlite3_bind_int64(tls, r.statement, i, v), nil
	case float64:
		return sqlite3.Xsqlite3_bind_double(tls, r.statement, i, v), nil
	case string:
		text, err := libc.CString(v)
		if err != nil {
			return 0, errNoMemory
		}
		defer libc.Xfree(tls, text)
		return sqlite3.Xsqlite3_bind_text(tls, r.statement, i, text, int32(len(v)), transient), nil
	case []byte:
		blob, err := libc.CString(string(v)) // its length is given, whatever is in it
		if err != nil {
			return 0, errNoMemory
		}
		defer libc.Xfree(tls, blob)
		return sqlite3.Xsqlite3_bind_blob(tls, r.statement, i, blob, int32(len(v)), transient), nil
	}
	return 0, fmt.Errorf("a value of type %T cannot be bound", value)
}
