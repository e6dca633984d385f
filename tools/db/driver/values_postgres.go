package driver

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Types that are not shown as the server writes them. Their numbers are
// fixed.
const (
	oidBool        = 16
	oidBytea       = 17
	oidInt8        = 20
	oidInt2        = 21
	oidInt4        = 23
	oidOID         = 26
	oidFloat4      = 700
	oidFloat8      = 701
	oidTimestamp   = 1114
	oidTimestamptz = 1184
)

// valuePostgres makes a sink's value of what the server sent; text: bytes too
// are text. Numbers with a
// fraction stay text, so that they keep their digits and scale; so does every
// type that JSON does not have.
func valuePostgres(oid uint32, text bool, v []byte) any {
	if v == nil {
		return nil
	}
	switch oid {
	case oidBytea:
		if text {
			return bytesOfText(v)
		}
		return v
	case oidBool:
		return string(v) == "t"
	case oidInt8, oidInt4, oidInt2, oidOID:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
	case oidFloat4, oidFloat8:
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			return f
		}
	case oidTimestamp, oidTimestamptz:
		return rfc3339(string(v))
	}
	return string(v)
}

// bytesOfText returns the bytes that the server wrote as text. What is no such
// text stays as it is.
func bytesOfText(v []byte) []byte {
	digits, ok := bytes.CutPrefix(v, []byte(`\x`))
	if !ok {
		return v
	}
	decoded := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(decoded, digits); err != nil {
		return v
	}
	return decoded
}

// rfc3339 writes a time as PostgreSQL's ISO style has it the way RFC 3339
// does: a T between date and time, and minutes in the offset. What RFC 3339
// cannot say (infinity, years before 1 or after 9999, offsets with seconds)
// stays as it is.
func rfc3339(s string) string {
	const date = len("2006-01-02")
	if len(s) <= date || s[date] != ' ' || strings.HasSuffix(s, "BC") {
		return s
	}
	clock := s[date+1:]
	sign := strings.IndexAny(clock, "+-")
	if sign < 0 {
		return s[:date] + "T" + clock
	}
	switch offset := clock[sign:]; len(offset) {
	case len("+00"):
		return s[:date] + "T" + clock + ":00"
	case len("+00:00"):
		return s[:date] + "T" + clock
	}
	return s
}

// postgresMessage is what the server says of a query, with its hint.
func postgresMessage(e *pgconn.PgError) string {
	text := "PostgreSQL: " + e.Message
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}
