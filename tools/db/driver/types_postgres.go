package driver

import (
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// postgresType is a type with its length.
type postgresType struct {
	oid  uint32
	mods int32
}

// typesPostgres are the names of the server's own types, as far as they were
// asked for.
type typesPostgres struct {
	mu    sync.Mutex
	named map[postgresType]string
}

const (
	firstOwnOID  = 16384 // of what did not come with the server
	maxKeptTypes = 1000
)

// names returns the names of the columns' types, "" where one is not known.
func (t *typesPostgres) names(fields []pgconn.FieldDescription) (types []string, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	types, known = make([]string, len(fields)), true
	for i, f := range fields {
		name, ok := t.named[postgresType{f.DataTypeOID, f.TypeModifier}]
		types[i], known = name, known && ok
	}
	return types, known
}

// keep keeps the name of a column's type.
func (t *typesPostgres) keep(f pgconn.FieldDescription, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.named == nil {
		t.named = map[postgresType]string{}
	}
	if f.DataTypeOID < firstOwnOID && len(t.named) < maxKeptTypes {
		t.named[postgresType{f.DataTypeOID, f.TypeModifier}] = name
	}
}

// namingTypes has the server name the columns' types, with their lengths. The
// names of its own types are kept.
func (s *postgresSession) namingTypes(fields []pgconn.FieldDescription, types []string) []statementPostgres {
	names, known := s.types.names(fields)
	if copy(types, names); known {
		return nil
	}
	oids, mods := make([]string, len(fields)), make([]string, len(fields))
	for i, f := range fields {
		oids[i], mods[i] = strconv.FormatUint(uint64(f.DataTypeOID), 10), strconv.Itoa(int(f.TypeModifier))
	}
	var rows [][]string
	asks := question(readonly.PostgresTypeNames(oids, mods), &rows)
	read := asks.read
	asks.read = func(r *pgconn.ResultReader) error {
		if err := read(r); err != nil {
			return err
		}
		if len(rows) != len(fields) {
			return dial.BadAnswer("it names %d types of %d columns", len(rows), len(fields))
		}
		for i, row := range rows {
			types[i] = row[0]
			s.types.keep(fields[i], row[0])
		}
		return nil
	}
	return []statementPostgres{asks}
}
