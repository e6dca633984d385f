package rowedit

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/mssql"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/designer/postgres"
	"github.com/berth-dev/berth/tools/db/browse"
)

// target is the table whose rows are changed.
type target struct {
	dialect *designer.Dialect
	asked   browse.Table
	def     designer.TableDefinition
	key     []string // columns by which a row is found
}

// newTarget finds the table in what the database has by its name, and its key.
func newTarget(d *designer.Dialect, def designer.Definition, asked browse.Table) (*target, error) {
	if len(def.Tables) == 0 {
		for _, v := range def.Views {
			return nil, invalid("%s is a view, and rows are changed in tables; change them in the table that the view reads", clip.Quote(v.Name))
		}
		return nil, invalid("the database has no table %s any more; refresh the design", clip.Quote(asked.Name))
	}
	t := &target{dialect: d, asked: asked, def: def.Tables[0]}
	if engine := t.def.Options[mysql.OptionEngine]; engine != "" && d.Name == dialectMySQL && !transactional(engine) {
		return nil, invalid("table %s is of the storage engine %s, which has no transactions: what it has written cannot be taken back, so its rows are not changed here", clip.Quote(asked.Name), clip.Quote(engine))
	}
	if t.key = t.findKey(); t.key == nil {
		return nil, invalid("table %s has no primary key and no unique key without NULL, so that no row of it is told from another; give it one first", clip.Quote(asked.Name))
	}
	return t, nil
}

// transactional reports whether a storage engine of MySQL and MariaDB takes
// back what a transaction has written.
func transactional(engine string) bool {
	return slices.ContainsFunc([]string{"InnoDB", "RocksDB", "MyRocks", "TokuDB", "ndbcluster", "ndb"}, func(e string) bool { return strings.EqualFold(e, engine) })
}

// findKey returns the primary key, or the shortest unique key whose columns
// take no NULL; nil: there is none.
func (t *target) findKey() []string {
	if t.def.PrimaryKey != nil {
		return t.def.PrimaryKey.Columns
	}
	var best []string
	for _, x := range t.def.Indexes {
		if columns := t.whole(x); columns != nil && (best == nil || len(columns) < len(best)) {
			best = columns
		}
	}
	return best
}

// whole returns the columns of an index that tells every row from every other.
func (t *target) whole(x designer.IndexDefinition) []string {
	if !x.Unique || x.Where != "" || x.Options[postgres.OptionInvalid] != "" {
		return nil
	}
	var columns []string
	for _, p := range x.Parts {
		c := t.column(p.Column)
		if c == nil || c.IsNullable || p.Length > 0 {
			return nil
		}
		columns = append(columns, c.Name)
	}
	return columns
}

func (t *target) column(name string) *designer.Column {
	for i := range t.def.Columns {
		if name != "" && t.def.Columns[i].Name == name {
			return &t.def.Columns[i]
		}
	}
	return nil
}

// writable refuses a column that the database fills in itself.
func (t *target) writable(c *designer.Column) error {
	switch {
	case c.IsComputed:
		return invalid("column %s is computed by the database and cannot be written", clip.Quote(c.Name))
	case c.IsIdentity:
		return invalid("column %s is numbered by the database and is not written here", clip.Quote(c.Name))
	case t.kind(c) == designer.KindRowVersion:
		return invalid("column %s is the row's version, which the database writes", clip.Quote(c.Name))
	case c.Options[mssql.OptionGenerated] != "" && t.dialect.Name == dialectSQLServer:
		return invalid("column %s is written by the database", clip.Quote(c.Name))
	}
	return nil
}

// kind is the kind of a column's type; "" where it is none of those that the
// dialects share.
func (t *target) kind(c *designer.Column) designer.TypeKind {
	name := c.DataType
	if info, ok := t.dialect.Type(name); ok && info.Kind != "" {
		return info.Kind
	}
	if signed, ok := strings.CutSuffix(strings.ToLower(name), " unsigned"); ok {
		if info, ok := t.dialect.Type(signed); ok {
			return info.Kind
		}
	}
	return ""
}
