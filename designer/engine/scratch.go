package engine

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ScratchPrefix begins the name of a database that an engine makes on a server
// to try a plan or to read a script, and drops again:
//
//	berth_scratch_<owner>_<made>_<random>
//
// owner is [Scratch.Owner], 16 hex digits; made is the time of creation in
// seconds since 1970, 8 hex digits; random is 16 hex digits. A database without
// an owner, as of older versions, has no owner part.
const ScratchPrefix = "berth_scratch_"

// ScratchAge is how old a scratch database without an owner must be to be
// dropped when another one is created.
const ScratchAge = 24 * time.Hour

// Scratch keeps the record of scratch databases, so that those of a process
// that was killed can be found.
type Scratch struct {
	// Owner identifies the owner: 16 hex digits.
	Owner string
	// Begin is called before a scratch database is created. An error prevents
	// that.
	Begin func(name string) error
	// End is called when one was dropped (true) or may still exist (false).
	End func(name string, dropped bool)
}

type scratchKey struct{}

// WithScratch returns a context with which engines record in s the scratch
// databases that they create.
func WithScratch(ctx context.Context, s Scratch) context.Context {
	return context.WithValue(ctx, scratchKey{}, s)
}

// BeginScratch records and returns the name for a new scratch database. The
// caller must call [EndScratch] once for each name.
func BeginScratch(ctx context.Context) (name string, err error) {
	random := make([]byte, 8)
	_, _ = rand.Read(random) // never fails
	name = fmt.Sprintf("%08x_%s", time.Now().Unix(), hex.EncodeToString(random))
	s, owned := ctx.Value(scratchKey{}).(Scratch)
	if !owned {
		return ScratchPrefix + name, nil
	}
	name = ScratchPrefix + s.Owner + "_" + name
	return name, s.Begin(name)
}

// EndScratch records that a scratch database was dropped, or, with err, that
// this failed.
func EndScratch(ctx context.Context, name string, err error) {
	if s, owned := ctx.Value(scratchKey{}).(Scratch); owned {
		s.End(name, err == nil)
	}
}

// ScratchNames returns the names that a query of one text column lists: each
// dialect has its own query for the scratch databases of a server.
func ScratchNames(ctx context.Context, q interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, args ...any) ([]string, error) {
	names, err := textColumn(q.QueryContext(ctx, query, args...))
	if err != nil {
		return nil, fmt.Errorf("list scratch databases: %w", err)
	}
	return names, nil
}

func textColumn(rows *sql.Rows, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports errors
	var list []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// ScratchOwner returns the owner of a scratch database by its name, "" if it
// has none, and reports whether it is the name of a scratch database.
func ScratchOwner(name string) (owner string, ok bool) {
	fields, ok := scratchFields(name)
	switch {
	case !ok:
		return "", false
	case len(fields) == 3:
		return fields[0], isHex(fields[0], 16) && isHex(fields[1], 8) && isHex(fields[2], 16)
	case len(fields) == 2:
		_, ok := scratchMade(fields)
		return "", ok
	}
	return "", len(fields) == 1 && isHex(fields[0], 16) // of older versions, on SQL Server
}

// ScratchStale reports whether a name is that of a scratch database which
// nobody owns and which is older than [ScratchAge].
func ScratchStale(name string, now time.Time) bool {
	fields, ok := scratchFields(name)
	if !ok || len(fields) != 2 {
		return false
	}
	made, ok := scratchMade(fields)
	return ok && now.Sub(made) > ScratchAge
}

func scratchFields(name string) ([]string, bool) {
	rest, ok := strings.CutPrefix(name, ScratchPrefix)
	return strings.Split(rest, "_"), ok
}

// scratchMade reads when one without an owner was made. On PostgreSQL older
// versions wrote that to base 36, in 6 digits, before 26 random letters.
func scratchMade(fields []string) (time.Time, bool) {
	base := 16
	if len(fields[0]) == 6 && len(fields[1]) == 26 {
		base = 36
	} else if len(fields[0]) != 8 {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseInt(fields[0], base, 64)
	return time.Unix(seconds, 0), err == nil && seconds >= 0
}

func isHex(text string, digits int) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == digits && text == strings.ToLower(text)
}
