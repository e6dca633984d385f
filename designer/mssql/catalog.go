package mssql

import "github.com/berth-dev/berth/designer"

// part names a column, an index or another part of an object.
type part struct{ object, id int }

// catalog is what the queries brought, as SQL Server says it.
type catalog struct {
	collation   string
	schemas     []string
	tables      []tableRow
	columns     map[int][]columnRow
	identities  map[part]identityRow
	masks       map[part]string
	indexes     map[int][]indexRow
	indexKeys   map[part][]indexKeyRow
	xmlIndexes  map[part]xmlIndexRow
	foreignKeys map[int][]foreignKeyRow
	mappings    map[int][]designer.NameMapping
	checks      map[int][]checkRow
	comments    map[part]string
	modules     []moduleRow
	sequences   []sequenceRow
	types       []typeRow
	synonyms    []designer.Object
	xmlSchemas  []designer.Object
	unread      map[int]unreadRow // what the server cannot describe
	kinds       map[int]kindRow
	encrypted   map[part]int
	places      map[part]string               // quoted
	orders      map[int][]orderRow            // of triggers
	masked      bool                          // a column is
	features    map[string]bool               // see featureQuery
	uses        map[int][]designer.Dependency // by view or function
}

func newCatalog() *catalog {
	return &catalog{
		columns: map[int][]columnRow{}, identities: map[part]identityRow{}, masks: map[part]string{}, indexes: map[int][]indexRow{},
		indexKeys: map[part][]indexKeyRow{}, xmlIndexes: map[part]xmlIndexRow{}, foreignKeys: map[int][]foreignKeyRow{},
		features: map[string]bool{}, unread: map[int]unreadRow{}, kinds: map[int]kindRow{}, encrypted: map[part]int{}, places: map[part]string{}, orders: map[int][]orderRow{}, uses: map[int][]designer.Dependency{}, mappings: map[int][]designer.NameMapping{}, checks: map[int][]checkRow{}, comments: map[part]string{},
	}
}

func (c *catalog) readers() []reader {
	return []reader{
		{what: "collation", query: collationQuery, row: func(s scanner) error { return s(&c.collation) }},
		{what: "schemas", query: schemaQuery, row: func(s scanner) error { return appendRow(&c.schemas, s) }},
		{what: "tables", query: tableQuery, row: c.readTable},
		{what: "columns", query: columnQuery, row: c.readColumn, of: "c.object_id", forget: func(o int) { delete(c.columns, o) }},
		{what: "identities", query: identityQuery, row: c.readIdentity},
		{what: "masks", query: maskQuery, row: c.readMask, when: func() bool { return c.masked }},
		{what: "indexes", query: indexQuery, row: c.readIndex, of: "x.object_id", forget: func(o int) { delete(c.indexes, o) }},
		{what: "columns of indexes", query: indexColumnQuery, row: c.readIndexKey},
		{what: "XML indexes", query: xmlIndexQuery, row: c.readXMLIndex},
		{what: "foreign keys", query: foreignKeyQuery, row: c.readForeignKey, of: "f.parent_object_id", forget: func(o int) { delete(c.foreignKeys, o) }},
		{what: "columns of foreign keys", query: foreignKeyColumnQuery, row: c.readMapping},
		{what: "checks", query: checkQuery, row: c.readCheck, of: "k.parent_object_id", forget: func(o int) { delete(c.checks, o) }},
		{what: "comments", query: commentQuery, row: c.readComment},
		{what: "views and routines", query: moduleQuery, row: c.readModule, of: "o.object_id", forget: c.forgetModule},
		{what: "triggers of the database", query: databaseTriggerQuery, row: c.readDatabaseTrigger},
		{what: "sequences", query: sequenceQuery, row: c.readSequence},
		{what: "types", query: typeQuery, row: c.readType},
		{what: "what the catalogue has", query: featureQuery, optional: true, row: c.readFeature},
		{what: "kinds of tables", text: func() string { return kindQuery(c.features) }, optional: true, row: c.readKind, when: c.knowsKinds},
		{what: "encrypted columns", query: encryptedQuery, optional: true, row: c.readEncrypted, when: func() bool { return c.features["columns.encryption_type"] }},
		{what: "places", query: placeQuery, optional: true, row: c.readPlace, when: func() bool { return c.features["data_spaces"] }},
		{what: "order of triggers", query: triggerOrderQuery, optional: true, row: c.readTriggerOrder, when: func() bool { return c.features["trigger_events"] }},
		{what: "XML schema collections", query: xmlSchemaQuery, row: c.readXMLSchema, when: func() bool { return c.features["xml collections"] }},
		{what: "what views use", query: dependencyQuery, optional: true, row: c.readUse, when: func() bool { return c.features["sql_expression_dependencies"] }},
		{what: "synonyms", query: synonymQuery, row: c.readSynonym},
	}
}

func appendRow[T any](list *[]T, s scanner) error {
	var v T
	if err := s(&v); err != nil {
		return err
	}
	*list = append(*list, v)
	return nil
}

// The rows of the catalogue queries.

type tableRow struct {
	object            int
	schema, name      string
	temporal          int    // 2: keeps a history
	history           string // quoted name of the history's table
	memory, fileTable bool
	external          bool
}

// kindRow is what newer servers say of a table.
type kindRow struct {
	node, edge int
	ledger     int    // 0: none
	retention  string // of its history, "": for ever
}

// orderRow says that a trigger fires first, or else last, for an event.
type orderRow struct {
	event string
	first bool
}

type columnRow struct {
	id                           int
	name                         string
	typ                          typeName
	collation                    string
	nullable, identity, computed bool
	sparse, rowGUID, hidden      bool
	generated                    int // 1: row start, 2: row end
	columnSet, masked            bool
	defaultName                  string
	defaultUnnamed               bool
	defaultText, formula         string
	persisted                    bool
	xmlCollection                string // quoted
}

// typeName is a type as sys.types and sys.columns say it.
type typeName struct {
	name, schema     string
	user             bool // the user's own
	length           int  // in bytes; -1: MAX
	precision, scale int
}

type identityRow struct {
	seed, increment   string // whole numbers; "": not told
	notForReplication bool
}

type indexRow struct {
	id                                   int
	name                                 string
	kind                                 int // sys.indexes.type
	unique, primary, constraint, unnamed bool
	filter                               string
	fillFactor                           int
	padded, ignoreDup, disabled          bool
	compression                          int
}

type indexKeyRow struct {
	column               string
	descending, included bool
}

type xmlIndexRow struct{ primary, kind string }

type foreignKeyRow struct {
	object                     int
	name                       string
	unnamed                    bool
	refSchema, refTable        string
	onDelete, onUpdate         int
	disabled, untrusted, notFR bool
}

type checkRow struct {
	name                       string
	unnamed                    bool
	text                       string
	disabled, untrusted, notFR bool
}

type moduleRow struct {
	object               int
	schema, name, kind   string
	parent               int
	table, text          string
	quotedID, ansiNulls  bool
	disabled, ofDatabase bool
	orders               []orderRow
}

type sequenceRow struct {
	schema, name                  string
	typ                           typeName
	start, increment, least, most string
	cycles, cached                bool
	cache                         int
}

type typeRow struct {
	schema, name string
	base         typeName
	nullable     bool
	tableObject  int // of a table type
	assembly     bool
}

func (c *catalog) readTable(s scanner) error {
	var r tableRow
	err := s(&r.object, &r.schema, &r.name, &r.temporal, &r.history, &r.memory, &r.fileTable, &r.external)
	c.tables = append(c.tables, r)
	return err
}

func (c *catalog) readColumn(s scanner) error {
	var object int
	var r columnRow
	err := s(&object, &r.id, &r.name, &r.typ.name, &r.typ.schema, &r.typ.user, &r.typ.length, &r.typ.precision, &r.typ.scale,
		&r.collation, &r.nullable, &r.identity, &r.computed, &r.sparse, &r.rowGUID, &r.hidden, &r.generated,
		&r.columnSet, &r.masked, &r.defaultName, &r.defaultUnnamed, &r.defaultText, &r.formula, &r.persisted,
		&r.xmlCollection)
	c.columns[object] = append(c.columns[object], r)
	c.masked = c.masked || r.masked
	return err
}

func (c *catalog) readIdentity(s scanner) error {
	var at part
	var r identityRow
	err := s(&at.object, &at.id, &r.seed, &r.increment, &r.notForReplication)
	c.identities[at] = r
	return err
}

func (c *catalog) readMask(s scanner) error {
	var at part
	var function string
	err := s(&at.object, &at.id, &function)
	c.masks[at] = function
	return err
}

func (c *catalog) readIndex(s scanner) error {
	var object int
	var r indexRow
	err := s(&object, &r.id, &r.name, &r.kind, &r.unique, &r.primary, &r.constraint, &r.unnamed, &r.filter,
		&r.fillFactor, &r.padded, &r.ignoreDup, &r.disabled, &r.compression)
	c.indexes[object] = append(c.indexes[object], r)
	return err
}

func (c *catalog) readIndexKey(s scanner) error {
	var at part
	var r indexKeyRow
	err := s(&at.object, &at.id, &r.column, &r.descending, &r.included)
	c.indexKeys[at] = append(c.indexKeys[at], r)
	return err
}

func (c *catalog) readXMLIndex(s scanner) error {
	var at part
	var r xmlIndexRow
	err := s(&at.object, &at.id, &r.primary, &r.kind)
	c.xmlIndexes[at] = r
	return err
}

func (c *catalog) readForeignKey(s scanner) error {
	var table int
	var r foreignKeyRow
	err := s(&r.object, &table, &r.name, &r.unnamed, &r.refSchema, &r.refTable, &r.onDelete, &r.onUpdate,
		&r.disabled, &r.untrusted, &r.notFR)
	c.foreignKeys[table] = append(c.foreignKeys[table], r)
	return err
}

func (c *catalog) readMapping(s scanner) error {
	var key int
	var m designer.NameMapping
	err := s(&key, &m.Column, &m.ReferencedColumn)
	c.mappings[key] = append(c.mappings[key], m)
	return err
}

func (c *catalog) readCheck(s scanner) error {
	var table int
	var r checkRow
	err := s(&table, &r.name, &r.unnamed, &r.text, &r.disabled, &r.untrusted, &r.notFR)
	c.checks[table] = append(c.checks[table], r)
	return err
}

func (c *catalog) readComment(s scanner) error {
	var at part
	var text string
	err := s(&at.object, &at.id, &text)
	c.comments[at] = text
	return err
}

func (c *catalog) readModule(s scanner) error {
	var r moduleRow
	err := s(&r.object, &r.schema, &r.name, &r.kind, &r.parent, &r.table, &r.text, &r.quotedID, &r.ansiNulls, &r.disabled)
	c.modules = append(c.modules, r)
	return err
}

func (c *catalog) readDatabaseTrigger(s scanner) error {
	r := moduleRow{kind: "TR", ofDatabase: true}
	err := s(&r.object, &r.name, &r.text, &r.quotedID, &r.ansiNulls, &r.disabled)
	c.modules = append(c.modules, r)
	return err
}

func (c *catalog) readSequence(s scanner) error {
	var r sequenceRow
	err := s(&r.schema, &r.name, &r.typ.name, &r.typ.schema, &r.typ.user, &r.typ.precision, &r.start, &r.increment,
		&r.least, &r.most, &r.cycles, &r.cached, &r.cache)
	c.sequences = append(c.sequences, r)
	return err
}

func (c *catalog) readType(s scanner) error {
	var r typeRow
	err := s(&r.schema, &r.name, &r.base.name, &r.base.length, &r.base.precision, &r.base.scale, &r.nullable,
		&r.tableObject, &r.assembly)
	c.types = append(c.types, r)
	return err
}

func (c *catalog) readFeature(s scanner) error {
	var name string
	err := s(&name)
	c.features[name] = true
	return err
}

func (c *catalog) readKind(s scanner) error {
	var object int
	var r kindRow
	err := s(&object, &r.node, &r.edge, &r.ledger, &r.retention)
	c.kinds[object] = r
	return err
}

func (c *catalog) readEncrypted(s scanner) error {
	var at part
	var how int
	err := s(&at.object, &at.id, &how)
	c.encrypted[at] = how
	return err
}

func (c *catalog) readPlace(s scanner) error {
	var at part
	var name string
	err := s(&at.object, &at.id, &name)
	c.places[at] = name
	return err
}

func (c *catalog) readTriggerOrder(s scanner) error {
	var object int
	var r orderRow
	err := s(&object, &r.event, &r.first)
	c.orders[object] = append(c.orders[object], r)
	return err
}

func (c *catalog) readXMLSchema(s scanner) error {
	o := designer.Object{Kind: designer.ObjectXMLSchema}
	var text string
	err := s(&o.Schema, &o.Name, &text)
	if text != "" {
		o.Definition = "CREATE XML SCHEMA COLLECTION " + qualified(o.Schema, o.Name) + " AS " + literal(text)
	}
	c.xmlSchemas = append(c.xmlSchemas, o)
	return err
}

func (c *catalog) readUse(s scanner) error {
	var object int
	var u designer.Dependency
	err := s(&object, &u.Schema, &u.Name)
	c.uses[object] = append(c.uses[object], u)
	return err
}

func (c *catalog) readSynonym(s scanner) error {
	o := designer.Object{Kind: designer.ObjectSynonym}
	var base string
	err := s(&o.Schema, &o.Name, &base)
	o.Definition = "CREATE SYNONYM " + qualified(o.Schema, o.Name) + " FOR " + base
	c.synonyms = append(c.synonyms, o)
	return err
}
