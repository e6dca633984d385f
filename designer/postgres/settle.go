package postgres

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// defaultCollation names the database's own collation, which a column of a text
// has unless it says another.
const defaultCollation = "default"

// settle takes out of a table that an edit has changed what no longer means
// anything there, and what the server would not give back.
func settle(t *designer.Table) {
	for i := range t.Columns {
		settleColumn(&t.Columns[i])
	}
	for i := range t.ForeignKeys {
		settleForeignKey(&t.ForeignKeys[i])
	}
	for i := range t.Indexes {
		settleIndex(t, &t.Indexes[i])
	}
}

func settleColumn(c *designer.Column) {
	if info, is := known.Type(c.DataType); is {
		c.DataType = info.Name
	}
	if !c.IsIdentity {
		forget(&c.Options, OptionIdentity, OptionSequenceType, OptionMinValue, OptionMaxValue, OptionCache, OptionCycle)
	}
	if e := elementOf(*c); e.known && (e.family != texts || c.Collation == defaultCollation) {
		c.Collation = ""
	}
	if !isStoredApart(*c) {
		forget(&c.Options, OptionStorage, OptionCompression)
	}
}

// isStoredApart reports whether values of the column's type can be compressed
// and kept beside the row. What is not known may be.
func isStoredApart(c designer.Column) bool {
	e := elementOf(c)
	return !e.known || e.array || e.family == texts || e.family == decimals || e.family == bits ||
		slices.Contains([]string{"bytea", "json", "jsonb", "xml", "tsvector", "tsquery", "jsonpath", "path", "polygon"}, e.name)
}

// forget takes options out of a map that may be written to.
func forget(o *map[string]string, keys ...string) {
	for _, k := range keys {
		delete(*o, k)
	}
	if len(*o) == 0 {
		*o = nil
	}
}

func settleForeignKey(k *designer.ForeignKey) {
	if k.OnDelete != designer.SetNull && k.OnDelete != designer.SetDefault {
		forget(&k.Options, OptionSetColumns)
	}
}

func settleIndex(t *designer.Table, x *designer.Index) {
	if !x.Unique {
		forget(&x.Options, OptionNullsNotDistinct, OptionReplicaIdentity)
	}
	if x.Where != "" {
		forget(&x.Options, OptionReplicaIdentity)
	}
	for i := range x.Parts {
		k := &x.Parts[i]
		if k.Column == "" {
			continue
		}
		c := columnByID(t, k.Column)
		e := elementOf(c)
		if e.known && k.Collation == cmp.Or(c.Collation, defaultCollation) {
			k.Collation = ""
		}
		if e.known && e.family != texts {
			k.Collation = ""
			if class := strings.TrimPrefix(k.OpClass, "public."); strings.HasPrefix(class, "text_") ||
				strings.HasPrefix(class, "varchar_") || strings.HasPrefix(class, "bpchar_") {
				k.OpClass = ""
			}
		}
	}
}
