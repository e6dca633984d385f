package rowedit

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// The dialects, by their names.
const (
	dialectSQLite    = "sqlite"
	dialectPostgres  = "postgres"
	dialectMySQL     = "mysql"
	dialectSQLServer = "mssql"
)

// rules are what differs between the dialects.
type rules interface {
	// written is a new value of a column.
	written(c *designer.Column, v Value) (term, error)
	// key is a value that a column of the key equals, so that an index finds it.
	key(c *designer.Column, v Value) (term, error)
	// same compares a column with one of some terms, exactly. No terms: values
	// of the column cannot be compared.
	same(c *designer.Column, name string, v Value) (left string, terms []term, err error)
	// hole is the n-th placeholder, from 1.
	hole(n int) string
	// literal is a value as the dialect's SQL writes it.
	literal(value any) string
}

func rulesOf(t *target) rules {
	switch t.dialect.Name {
	case dialectPostgres:
		return postgresRules{t}
	case dialectMySQL:
		return mysqlRules{t}
	case dialectSQLServer:
		return mssqlRules{t}
	}
	return sqliteRules{t}
}

// term is a value with what stands around it.
type term struct {
	before string
	value  any // int64, uint64, float64, string or []byte
	after  string
}

// cast is a value made one of a type.
func cast(value any, typeText string) term { return term{"CAST(", value, " AS " + typeText + ")"} }

// writer writes a statement twice: to be run and to be shown.
type writer struct {
	rules       rules
	text, shown strings.Builder
	values      []any
}

func (w *writer) both(text string) {
	w.text.WriteString(text)
	w.shown.WriteString(text)
}

func (w *writer) term(t term) {
	w.values = append(w.values, t.value)
	w.both(t.before)
	w.text.WriteString(w.rules.hole(len(w.values)))
	w.shown.WriteString(w.rules.literal(t.value))
	w.both(t.after)
}

func (w *writer) statement() Statement {
	return Statement{Text: w.text.String(), Values: w.values, Shown: w.shown.String()}
}

// literalOf writes numbers, and texts and bytes by the functions given.
func literalOf(value any, text func(string) string, bytes func(digits string) string) string {
	switch v := value.(type) {
	case string:
		return text(v)
	case []byte:
		return bytes(hex.EncodeToString(v))
	case float64:
		if math.IsInf(v, 0) {
			return strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 64)[:1], "+") + "9e999"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}
