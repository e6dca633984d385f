package lint

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/lint/rule"
)

func keyRules() []Rule {
	return []Rule{
		{ID: rule.NoPrimaryKey, Severity: Warning, table: noPrimaryKey,
			Says: "a table has no primary key", Why: "rows cannot be named, replication and most tools need one",
			Peers: "azimutt primary-key-missing, entity-index-none; drawdb no_primary_key"},
		{ID: rule.BusinessKey, Severity: Info, Off: true, table: businessKey,
			Says: "a primary key of one column is neither an id nor a foreign key", Why: "what people type changes, and every reference with it",
			Peers: "azimutt primary-key-not-business"},
		{ID: rule.NullableUnique, Severity: Info, table: nullableUnique,
			Says: "a unique key has a column that may be NULL", Why: "NULL is unlike NULL: rows repeat; SQL Server takes one such row only"},
		{ID: rule.SmallIdentity, Severity: Warning, Dialects: noSQLite, table: smallIdentity, Edit: "the type becomes bigint",
			Says: "an identity column counts in fewer than 32 bits", Why: "an insert fails once the numbers run out, the ones of deleted rows too"},
		{ID: rule.IntIdentity, Severity: Info, Off: true, Dialects: noSQLite, table: intIdentity, Edit: "the type becomes bigint",
			Says: "an identity column counts in 32 bits", Why: "two thousand million inserts are not out of reach of a busy table"},
		{ID: rule.UnsuitableKey, Severity: Warning, table: unsuitableKey,
			Says: "a key is of JSON, XML, bytes without bound, geometry or a float", Why: "equality is not what it seems, and every index holds the whole value"},
	}
}

// noSQLite are the dialects whose integers differ in size.
var noSQLite = []string{"postgres", "mysql", "mssql"}

func noPrimaryKey(p *pass, t *designer.Table) {
	if t.PrimaryKey != nil || len(t.Columns) == 0 {
		return
	}
	for _, x := range t.Indexes {
		if x.Unique && ordinary(x) && !slices.ContainsFunc(keyColumns(x), func(id designer.ID) bool { return t.ColumnByID(id).IsNullable }) {
			p.say(t, subject{}, "Table %s has no primary key; its unique key on %s could be one", p.nameOf(t), columnsOf(t, keyColumns(x)))
			return
		}
	}
	p.say(t, subject{}, "Table %s has no primary key", p.nameOf(t))
}

func businessKey(p *pass, t *designer.Table) {
	if t.PrimaryKey == nil || len(t.PrimaryKey.Columns) != 1 {
		return
	}
	c := *t.ColumnByID(t.PrimaryKey.Columns[0])
	for _, k := range t.ForeignKeys {
		if slices.Contains(columnsFrom(k), c.ID) {
			return
		}
	}
	switch p.kind(c) {
	case designer.KindUUID:
		return
	}
	if name := strings.ToLower(c.Name); c.IsIdentity || strings.HasSuffix(name, "id") || strings.HasSuffix(name, "key") {
		return
	}
	p.say(t, column(c), "The primary key of %s is %s, which looks like something people change", p.nameOf(t), clip.Name(c.Name))
}

func nullableUnique(p *pass, t *designer.Table) {
	for _, x := range t.Indexes {
		if !x.Unique || x.Where != "" || x.Options["nulls_not_distinct"] != "" {
			continue
		}
		for _, id := range keyColumns(x) {
			c := t.ColumnByID(id)
			if c == nil || !c.IsNullable {
				continue
			}
			if p.d.Name == "mssql" {
				p.say(t, subject{column: c.Name, object: x.Name}, "Unique key %s of %s takes one row only where %s is NULL", keyName(x.Name), p.nameOf(t), clip.Name(c.Name))
			} else {
				p.say(t, subject{column: c.Name, object: x.Name}, "Unique key %s of %s takes any number of rows where %s is NULL", keyName(x.Name), p.nameOf(t), clip.Name(c.Name))
			}
			break
		}
	}
}

func smallIdentity(p *pass, t *designer.Table) {
	identityOf(p, t, designer.KindInt8, designer.KindUint8, designer.KindInt16, designer.KindUint16, designer.KindInt24)
}

func intIdentity(p *pass, t *designer.Table) {
	identityOf(p, t, designer.KindInt32, designer.KindUint32)
}

// limits are the last numbers of the types that count.
var limits = map[designer.TypeKind]string{
	designer.KindInt8: "127", designer.KindUint8: "255", designer.KindInt16: "32,767", designer.KindUint16: "65,535",
	designer.KindInt24: "8,388,607", designer.KindInt32: "2,147,483,647", designer.KindUint32: "4,294,967,295",
}

func identityOf(p *pass, t *designer.Table, kinds ...designer.TypeKind) {
	for _, c := range t.Columns {
		kind := p.kind(c)
		if !c.IsIdentity || !slices.Contains(kinds, kind) {
			continue
		}
		wide := "bigint"
		if strings.HasSuffix(c.DataType, " unsigned") {
			wide += " unsigned"
		}
		p.say(t, column(c).with(p.retype(t, c, wide)),
			"%s.%s is %s: its numbers end at %s", p.nameOf(t), clip.Name(c.Name), clip.Name(c.DataType), limits[kind])
	}
}

// unsuitable are the kinds that make poor keys.
var unsuitable = map[designer.TypeKind]string{
	designer.KindJSON: "JSON", designer.KindXML: "XML", designer.KindBlob: "bytes without a bound",
	designer.KindGeometry: "a geometry", designer.KindGeography: "a geography",
	designer.KindFloat32: "a float", designer.KindFloat64: "a float",
}

func unsuitableKey(p *pass, t *designer.Table) {
	look := func(what string, ids []designer.ID, name string) {
		for _, id := range ids {
			c := t.ColumnByID(id)
			if c == nil {
				continue
			}
			if word, bad := unsuitable[p.kind(*c)]; bad {
				p.say(t, subject{column: c.Name, object: name}, "%s of %s has the column %s, which is %s", what, p.nameOf(t), clip.Name(c.Name), word)
			}
		}
	}
	if t.PrimaryKey != nil {
		look("The primary key", t.PrimaryKey.Columns, "")
	}
	for _, x := range t.Indexes {
		if x.Unique {
			look("Unique key "+keyName(x.Name), keyColumns(x), x.Name)
		}
	}
}
