package postgres

import (
	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/sqltext"
)

// DefaultSchema is the schema that names without one mean, unless a
// connection says otherwise.
const DefaultSchema = "public"

// maxName is how many bytes of a name the server keeps.
const maxName = 63

// Dialect returns what the designer has to know of PostgreSQL. The result is
// the caller's.
func Dialect() *designer.Dialect {
	return &designer.Dialect{
		Name:          "postgres",
		Title:         "PostgreSQL",
		Types:         types(),
		MaxNameLength: maxName,
		LengthInBytes: true,
		Reserved:      sqltext.WordSet(reservedWords),
		Actions: []designer.Action{designer.Cascade, designer.NoAction, designer.SetNull,
			designer.SetDefault, designer.Restrict},
		CommonSchemas:        []string{DefaultSchema},
		SameFamily:           sameFamily,
		UnindexedForeignKeys: true,
		SchemaWideIndexNames: true,
		SQL:                  sqltext.PostgreSQL(),
		Arrays:               true,
		CanonicalTypes:       true,
		StoredFormulas:       true,
		EnumTypes:            true,
		Settle:               settle,
	}
}

// Engine is PostgreSQL at work: see [engine.Engine].
type Engine struct{}

var _ engine.Engine = Engine{}

// Dialect implements [engine.Engine].
func (Engine) Dialect() *designer.Dialect { return Dialect() }
