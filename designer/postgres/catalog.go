package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/berth-dev/berth/designer"
)

// oid is what the server numbers its objects by.
type oid int64

// catalog is what the queries brought, as the server says it.
type catalog struct {
	arrays *pgtype.Map // reads arrays of text

	schemas []string
	// defaultSchema is what names without a schema mean to the connection; "":
	// nothing.
	defaultSchema string
	relations     []*relation // sorted by schema and name
	byOID         map[oid]*relation
	types         map[oid]columnType
	sequences     []sequence
	constraints   map[oid][]*constraint // by table
	indexes       map[oid][]*index      // by table
	comments      map[commentKey]string
	views         []view
	objects       []object
	named         map[objectKey]designer.Dependency // what others can use, but for relations
	uses          map[objectKey][]designer.Dependency
	grants        map[objectKey][]string // of views and routines
}

func newCatalog() *catalog {
	return &catalog{
		arrays: pgtype.NewMap(), byOID: map[oid]*relation{}, types: map[oid]columnType{},
		constraints: map[oid][]*constraint{}, indexes: map[oid][]*index{}, comments: map[commentKey]string{},
		named: map[objectKey]designer.Dependency{}, uses: map[objectKey][]designer.Dependency{}, grants: map[objectKey][]string{},
	}
}

// objectKey identifies an object by its catalogue and number in it.
type objectKey struct {
	catalogue string
	oid       oid
}

// commentKey is an object, or a column of it.
type commentKey struct {
	catalogue string
	oid       oid
	column    int64
}

// relation is a table, partition, view, foreign table or sequence.
type relation struct {
	oid                  oid
	schema, name         string
	kind                 string // as pg_class.relkind
	partition, unlogged  bool
	parameters           string // of storage, as WITH (…) has them
	tablespace, method   string
	partitionKey, bound  string
	rowSecurity, replica string
	ofType               string // that a typed table is of
	parents              []oid  // that it inherits from
	columns              []*column
	numbers              map[int64]int // attribute number to index in columns
}

// columnType is the type of a column; of an array, that of its elements.
type columnType struct {
	array        bool
	schema, name string
	kind         string // as pg_type.typtype
	cast         string // how a cast to it is spelled, array and all
}

type column struct {
	number                     int64
	name                       string
	typ                        oid
	modifier                   int64
	notNull                    bool
	identity, generated        string // as pg_attribute has them
	expression                 string // default or formula
	collationID                oid
	collation, collationSchema string // where it is not the type's own
	typeText                   string // where the modifier is not a usual one
	inherited                  bool
	storage, compression       string
	statistics                 int64
	parameters                 string // of the planner, as SET (…) has them
}

type sequence struct {
	oid                        oid
	schema, name, dataType     string
	start, increment, min, max int64
	cache                      int64
	cycle, unlogged            bool
	owner                      oid // table; 0: none
	ownerColumn                int64
}

type constraint struct {
	oid                                   oid
	name, kind                            string
	deferrable, deferred, valid, enforced bool
	noInherit                             bool
	index, target                         oid
	onUpdate, onDelete, match             string
	columns, references, setColumns       []int64 // attribute numbers
	expression, operators                 string
	inherited                             bool
	elsewhere                             []string // schema, table and columns of a target that is not read
}

type index struct {
	oid                     oid
	name                    string
	unique, valid, identity bool // identity: of replicas
	clustered               bool // that the table was last ordered by
	nullsNotDistinct        bool
	method, where           string
	parameters, tablespace  string
	keys                    int // the first of columns; the others are included
	columns                 []indexColumn
}

type indexColumn struct {
	number, options            int64 // number 0: an expression
	expression                 string
	opClass, opClassOptions    string
	statistics                 int64
	collationID                oid
	collation, collationSchema string
}

type view struct {
	oid        oid
	definition string
	extras     []string
}

type object struct {
	key objectKey
	designer.Object
}

func (c *catalog) readSchema(scan scanner) error {
	var name string
	err := scan(&name)
	c.schemas = append(c.schemas, name)
	return err
}

func (c *catalog) readRelation(scan scanner) error {
	r := &relation{numbers: map[int64]int{}}
	var parents string
	err := scan(&r.oid, &r.schema, &r.name, &r.kind, &r.partition, &r.unlogged, &r.parameters, &r.tablespace, &r.method,
		&r.partitionKey, &r.bound, &r.rowSecurity, &r.replica, &parents, &r.ofType)
	for _, n := range numbers(parents) {
		r.parents = append(r.parents, oid(n))
	}
	c.relations = append(c.relations, r)
	c.byOID[r.oid] = r
	return err
}

// numbers reads "1,2,3".
func numbers(list string) []int64 {
	var out []int64
	for s := range strings.SplitSeq(list, ",") {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

func (c *catalog) readType(scan scanner) error {
	var id, element oid
	var t columnType
	err := scan(&id, &element, &t.schema, &t.name, &t.kind, &t.cast)
	t.array = element != 0
	c.types[id] = t
	return err
}

func (c *catalog) readColumn(scan scanner) error {
	var table oid
	a := &column{}
	err := scan(&table, &a.number, &a.name, &a.typ, &a.modifier, &a.notNull, &a.identity, &a.generated, &a.expression,
		&a.collationID, &a.collation, &a.collationSchema, &a.typeText, &a.inherited, &a.storage, &a.compression, &a.statistics, &a.parameters)
	if r := c.byOID[table]; r != nil {
		r.columns = append(r.columns, a)
	}
	return err
}

// sortColumns brings the columns of every table into their order.
func (c *catalog) sortColumns() {
	for _, r := range c.relations {
		slices.SortFunc(r.columns, func(a, b *column) int { return int(a.number - b.number) })
		for i, a := range r.columns {
			r.numbers[a.number] = i
		}
	}
}

func (c *catalog) readSequence(scan scanner) error {
	var s sequence
	err := scan(&s.oid, &s.schema, &s.name, &s.dataType, &s.start, &s.increment, &s.min, &s.max, &s.cache, &s.cycle,
		&s.owner, &s.ownerColumn, &s.unlogged)
	c.sequences = append(c.sequences, s)
	return err
}

func (c *catalog) readConstraint(scan scanner) error {
	var table oid
	k := &constraint{}
	var columns, references, setColumns string
	err := scan(&k.oid, &table, &k.name, &k.kind, &k.deferrable, &k.deferred, &k.valid, &k.enforced, &k.noInherit,
		&k.index, &k.target, &k.onUpdate, &k.onDelete, &k.match, &columns, &references, &setColumns,
		&k.expression, &k.operators, &k.inherited, c.arrays.SQLScanner(&k.elsewhere))
	k.columns, k.references, k.setColumns = numbers(columns), numbers(references), numbers(setColumns)
	c.constraints[table] = append(c.constraints[table], k)
	return err
}

// readIndexKey gets the keys of one index one after another.
func (c *catalog) readIndexKey(scan scanner) error {
	var table oid
	x := &index{}
	var k indexColumn
	var position int64
	err := scan(&table, &x.oid, &x.name, &x.unique, &x.method, &x.where, &x.parameters, &x.tablespace, &x.valid, &x.identity,
		&x.clustered, &x.nullsNotDistinct, &x.keys, &position, &k.number, &k.options, &k.expression,
		&k.opClass, &k.opClassOptions, &k.statistics, &k.collationID, &k.collation, &k.collationSchema)
	list := c.indexes[table]
	if n := len(list); n == 0 || list[n-1].oid != x.oid {
		list = append(list, x)
		c.indexes[table] = list
	}
	last := list[len(list)-1]
	last.columns = append(last.columns, k)
	return err
}

func (c *catalog) readComment(scan scanner) error {
	var k commentKey
	var text string
	err := scan(&k.catalogue, &k.oid, &k.column, &text)
	c.comments[k] = text
	return err
}

func (c *catalog) readView(scan scanner) error {
	var v view
	err := scan(&v.oid, &v.definition, c.arrays.SQLScanner(&v.extras))
	c.views = append(c.views, v)
	return err
}

func (c *catalog) readObject(scan scanner) error {
	var o object
	err := scan(&o.Kind, &o.key.catalogue, &o.key.oid, &o.Schema, &o.Name, &o.Table,
		c.arrays.SQLScanner(&o.Values), &o.Definition, c.arrays.SQLScanner(&o.Extras))
	c.objects = append(c.objects, o)
	c.named[o.key] = designer.Dependency{Schema: o.Schema, Name: o.Name, Kind: useKind(o.Kind)}
	return err
}

// useKind returns the kind that a [designer.Dependency] gives of an object.
func useKind(k designer.ObjectKind) designer.ObjectKind {
	switch k {
	case designer.ObjectType, designer.ObjectRoutine, designer.ObjectSequence, designer.ObjectPartition, kindView:
		return ""
	}
	return k
}

// readUse comes last: it knows what everything is called.
func (c *catalog) readUse(scan scanner) error {
	var of, used objectKey
	var column int64
	if err := scan(&of.catalogue, &of.oid, &used.catalogue, &used.oid, &column); err != nil {
		return err
	}
	use, known := c.named[used]
	if r := c.byOID[used.oid]; r != nil && used.catalogue == "pg_class" {
		use, known = designer.Dependency{Schema: r.schema, Name: r.name}, true
		if i, ok := r.numbers[column]; ok {
			use.Column = r.columns[i].name
		}
	}
	if known && of != used {
		c.uses[of] = append(c.uses[of], use)
	}
	return nil
}

// catalogQuery is a query with what takes its rows.
type catalogQuery struct {
	what, query string
	row         func(scan scanner) error
}

func readEach(ctx context.Context, tx *sql.Tx, all ...catalogQuery) error {
	for _, r := range all {
		if err := each(ctx, tx, r.query, r.row); err != nil {
			return fmt.Errorf("read %s of the schema: %w", r.what, err)
		}
	}
	return nil
}

// readCatalog runs the queries.
func readCatalog(ctx context.Context, tx *sql.Tx) (*catalog, error) {
	v, defaultSchema, err := readSession(ctx, tx)
	if err != nil {
		return nil, err
	}
	parts, err := readParts(ctx, tx, v)
	if err != nil {
		return nil, err
	}
	c := newCatalog()
	c.defaultSchema = defaultSchema
	err = readEach(ctx, tx, allReadings(c, v, parts)...)
	if err != nil {
		return nil, err
	}
	c.sortColumns()
	return c, readEach(ctx, tx, catalogQuery{"dependencies", useQuery, c.readUse})
}

// readParts returns the parts of which there is something.
func readParts(ctx context.Context, tx *sql.Tx, v version) ([]part, error) {
	all := everyPart(v)
	conditions := make([]string, len(all))
	for i, p := range all {
		conditions[i] = p.there
	}
	var there string // t or f for each
	if err := tx.QueryRowContext(ctx, "SELECT concat("+strings.Join(conditions, ", ")+")").Scan(&there); err != nil {
		return nil, fmt.Errorf("read what the schema has: %w", err)
	}
	var some []part
	for i, p := range all {
		if i >= len(there) || there[i] == 't' {
			some = append(some, p)
		}
	}
	return some, nil
}

// allReadings are the queries of the whole schema but the last, which needs
// what they brought.
func allReadings(c *catalog, v version, parts []part) []catalogQuery {
	return []catalogQuery{
		{"schemas", schemaQuery(), c.readSchema},
		{"relations", relationQuery(everyTable), c.readRelation},
		{"types of columns", typeQuery(everyTable), c.readType},
		{"columns", columnQuery(v, everyTable), c.readColumn},
		{"sequences", sequenceQuery(everyTable), c.readSequence},
		{"constraints", constraintQuery(v, everyTable), c.readConstraint},
		{"indexes", indexQuery(v, everyTable), c.readIndexKey},
		{"comments", commentQuery(everyTable), c.readComment},
		{"views", viewQuery(v, everyTable), c.readView},
		{"objects", objectQuery(v, parts), c.readObject},
		{"rights", rightsQuery(), c.readRights},
		{"rights on columns", columnRightsQuery(), c.readColumnRights},
	}
}
