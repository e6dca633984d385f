package rosqlite

import (
	"strings"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Complete reports whether SQLite takes text, up to its last semicolon, for
// one or more whole statements. It is SQLite's own sqlite3_complete, which
// knows where the body of a trigger ends; without a database, so it says
// nothing about whether they are correct.
func Complete(text string) bool {
	if strings.IndexByte(text, 0) >= 0 {
		return false // it would be read up to there
	}
	tls := libc.NewTLS()
	defer tls.Close()
	c, err := libc.CString(text)
	if err != nil {
		return false
	}
	defer libc.Xfree(tls, c)
	return sqlite3.Xsqlite3_complete(tls, c) == 1
}
