package serve

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/engine"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/designer/sqlite"
)

// engines are the kinds of databases there are.
func engines() []engine.Engine {
	return []engine.Engine{sqlite.Engine{}, postgres.Engine{}, mysql.Engine{}, mssql.Engine{}}
}

// engineOf finds an engine by its dialect's name.
func engineOf(name string) (engine.Engine, bool) {
	for _, e := range engines() {
		if d := e.Dialect(); d != nil && d.Name == name {
			return e, true
		}
	}
	return nil, false
}

// Dialect returns the dialect that designs are stored under by this name, nil if
// there is none.
func Dialect(name string) *designer.Dialect { return dialect(name) }

// dialect finds a dialect by the name under which a design is stored.
func dialect(name string) *designer.Dialect {
	if e, ok := engineOf(name); ok {
		return e.Dialect()
	}
	return nil
}

// script renders a whole design as a script of its own dialect.
func script(s *designer.Schema) (designer.Plan, error) {
	e, ok := engineOf(s.Dialect().Name)
	if !ok {
		return designer.Plan{}, fmt.Errorf("dialect %q is not known", s.Dialect().Name)
	}
	return e.Script(s)
}
