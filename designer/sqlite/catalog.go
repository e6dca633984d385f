package sqlite

import "database/sql"

// catalog is what the queries brought, as SQLite says it, by table name.
type catalog struct {
	objects     []object
	kinds       map[string]tableKind
	columns     map[string][]columnRow
	foreignKeys map[string][]foreignKeyRow
	indexes     map[string][]indexRow
}

type object struct{ kind, name, table, sql string }

type tableKind struct {
	kind                 string // "table", "virtual", "shadow", "view"
	withoutRowID, strict bool
}

type columnRow struct {
	name, dataType string
	notNull        bool
	keyPos         int // position in the primary key, from 1; 0: not in it
	hidden         int // 2: generated virtual, 3: generated stored
}

type foreignKeyRow struct {
	id, seq            int
	table, from        string
	to                 sql.NullString // NULL: the primary key of the table
	onUpdate, onDelete string
}

type indexRow struct {
	name, origin string // origin: "c", "u" or "pk"
	unique       bool
	keys         []indexKeyRow
}

type indexKeyRow struct {
	column     sql.NullString // NULL: an expression, or the rowid
	descending bool
	collation  string
}

func (c *catalog) readObject(scan func(...any) error) error {
	var o object
	if err := scan(&o.kind, &o.name, &o.table, &o.sql); err != nil {
		return err
	}
	c.objects = append(c.objects, o)
	return nil
}

func (c *catalog) readKind(scan func(...any) error) error {
	var name string
	var k tableKind
	if err := scan(&name, &k.kind, &k.withoutRowID, &k.strict); err != nil {
		return err
	}
	c.kinds[name] = k
	return nil
}

func (c *catalog) readColumn(scan func(...any) error) error {
	var table string
	var r columnRow
	if err := scan(&table, &r.name, &r.dataType, &r.notNull, &r.keyPos, &r.hidden); err != nil {
		return err
	}
	c.columns[table] = append(c.columns[table], r)
	return nil
}

func (c *catalog) readForeignKey(scan func(...any) error) error {
	var table string
	var r foreignKeyRow
	if err := scan(&table, &r.id, &r.seq, &r.table, &r.from, &r.to, &r.onUpdate, &r.onDelete); err != nil {
		return err
	}
	c.foreignKeys[table] = append(c.foreignKeys[table], r)
	return nil
}

// readIndexKey gets the keys of one index one after another.
func (c *catalog) readIndexKey(scan func(...any) error) error {
	var table string
	var x indexRow
	var k indexKeyRow
	if err := scan(&table, &x.name, &x.unique, &x.origin, &k.column, &k.descending, &k.collation); err != nil {
		return err
	}
	list := c.indexes[table]
	if n := len(list); n == 0 || list[n-1].name != x.name {
		list = append(list, x)
	}
	last := &list[len(list)-1]
	last.keys = append(last.keys, k)
	c.indexes[table] = list
	return nil
}
