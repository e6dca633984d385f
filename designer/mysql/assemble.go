package mysql

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// definition makes of the rows what the designer takes.
func (c *catalog) definition() (designer.Definition, error) {
	def := designer.Definition{Tables: []designer.TableDefinition{}}
	slices.SortFunc(c.tables, func(a, b tableRow) int { return cmp.Compare(a.name, b.name) })
	for _, r := range c.tables {
		if r.kind != "BASE TABLE" && r.kind != "SYSTEM VERSIONED" {
			continue
		}
		t, err := c.table(r)
		if err != nil {
			return designer.Definition{}, fmt.Errorf("read table %q: %w", r.name, err)
		}
		def.Tables = append(def.Tables, t)
	}
	def.Views = c.viewDefinitions()
	def.Objects = c.objects()
	return def, nil
}

func (c *catalog) table(r tableRow) (designer.TableDefinition, error) {
	t := designer.TableDefinition{Name: r.name, Columns: []designer.Column{}, Comment: r.comment}
	checks := map[string]string{} // of single columns
	for _, k := range c.checks[r.name] {
		if k.level == "Column" {
			checks[k.name] = c.expression(k.clause)
			continue
		}
		d := designer.CheckDefinition{Name: k.name, Expression: c.expression(k.clause)}
		if k.enforced == "NO" {
			setOption(&d.Options, OptionNotEnforced, yes)
		}
		t.Checks = append(t.Checks, d)
	}
	for _, col := range c.columns[r.name] {
		t.Columns = append(t.Columns, c.column(col, r, checks[col.name]))
	}
	if len(t.Columns) == 0 {
		return t, fmt.Errorf("it has no columns any more: it was changed while it was read; read again")
	}
	for _, x := range c.indexes[r.name] {
		if x.name == "PRIMARY" {
			t.PrimaryKey = primaryKey(x)
		} else {
			t.Indexes = append(t.Indexes, c.index(x, r.engine))
		}
	}
	for _, k := range c.keys[r.name] {
		t.ForeignKeys = append(t.ForeignKeys, foreignKey(k, c.rules[[2]string{r.name, k.name}]))
	}
	for _, tr := range c.triggers {
		if tr.table == r.name {
			t.Triggers = append(t.Triggers, tr.name)
		}
	}
	slices.Sort(t.Triggers)
	c.tableOptions(&t, r)
	return t, nil
}

func (c *catalog) column(r columnRow, t tableRow, check string) designer.Column {
	col := designer.Column{Name: r.name, IsNullable: r.nullable == "YES", Comment: r.comment}
	c.setType(&col, r.columnType)
	if col.DataType == "longtext" && r.collation == "utf8mb4_bin" && check == "json_valid("+quoteName(r.name)+")" {
		col.DataType, check, r.collation = "json", "", ""
	}
	if r.collation != t.collation {
		col.Collation = r.collation
	}
	col.DefaultValue = c.defaultOf(r, col.DataType)
	if check != "" {
		setOption(&col.Options, OptionCheck, check)
	}
	if r.srid != "" {
		setOption(&col.Options, OptionSRID, r.srid)
	}
	c.columnExtra(&col, r)
	return col
}

// setType fills in the type; a type that was there before is not parsed
// again.
func (c *catalog) setType(col *designer.Column, columnType string) {
	t, known := c.types[columnType]
	if !known {
		setType(&t, columnType)
		c.types[columnType] = t
	}
	col.DataType, col.TypeText, col.MaxLength, col.Precision, col.Scale = t.DataType, t.TypeText, t.MaxLength, t.Precision, t.Scale
	col.Values, col.Options = slices.Clone(t.Values), maps.Clone(t.Options)
}

// columnExtra reads the attributes that stand together in one text.
func (c *catalog) columnExtra(col *designer.Column, r columnRow) {
	extra := strings.ToUpper(r.extra)
	if strings.Contains(extra, "AUTO_INCREMENT") {
		col.IsIdentity, col.IdentitySeed, col.IdentityIncrement = true, 1, 1
	}
	if strings.Contains(extra, "VIRTUAL GENERATED") || strings.Contains(extra, "STORED GENERATED") || strings.Contains(extra, "PERSISTENT GENERATED") {
		col.IsComputed, col.ComputedFormula = true, c.expression(r.formula)
		col.ComputedPersisted = !strings.Contains(extra, "VIRTUAL")
	}
	if i := strings.Index(extra, "ON UPDATE "); i >= 0 {
		on := r.extra[i+len("ON UPDATE "):]
		if end := strings.IndexAny(on, ", "); end >= 0 {
			on = on[:end]
		}
		setOption(&col.Options, OptionOnUpdate, timestamps(on))
	}
	if strings.Contains(extra, "INVISIBLE") {
		setOption(&col.Options, OptionInvisible, yes)
	}
	if strings.Contains(extra, "WITHOUT SYSTEM VERSIONING") {
		setOption(&col.Options, OptionUnversioned, yes)
	}
}

// tableOptions reads what a table has otherwise than the default.
func (c *catalog) tableOptions(t *designer.TableDefinition, r tableRow) {
	if !strings.EqualFold(r.engine, "InnoDB") && r.engine != "" {
		setOption(&t.Options, OptionEngine, r.engine)
	}
	if r.collation != c.collation {
		setOption(&t.Options, OptionCollation, r.collation)
	}
	if r.kind == "SYSTEM VERSIONED" {
		setOption(&t.Options, OptionVersioned, yes)
	}
	if p := c.partitions[r.name]; len(p) > 0 {
		setOption(&t.Options, OptionPartitionBy, partitionText(p))
	}
	for key, value := range createOptions(r.options) {
		setOption(&t.Options, key, value)
	}
}

// partitionText is what stands after PARTITION BY. Names that the server
// would give by itself are left to it where nothing else is said.
func partitionText(rows []partitionRow) string {
	first := rows[0]
	text := first.method + " (" + first.expression + ")"
	subs := 0
	for _, r := range rows {
		if r.name == first.name && r.subName != "" {
			subs++
		}
	}
	if subs > 0 {
		text += " SUBPARTITION BY " + first.subMethod + " (" + first.subExpressed + ") SUBPARTITIONS " + strconv.Itoa(subs)
	}
	ranged := strings.HasPrefix(first.method, "RANGE")
	listed := strings.HasPrefix(first.method, "LIST")
	var parts []string
	last := ""
	for _, r := range rows {
		if r.name == last {
			continue // another of its subpartitions
		}
		last = r.name
		part := "PARTITION " + quoteName(r.name)
		switch {
		case ranged && strings.EqualFold(r.values, "MAXVALUE"):
			part += " VALUES LESS THAN MAXVALUE"
		case ranged:
			part += " VALUES LESS THAN (" + r.values + ")"
		case listed && strings.EqualFold(r.values, "MAXVALUE"), listed && strings.EqualFold(r.values, "DEFAULT"):
			part += " DEFAULT"
		case listed:
			part += " VALUES IN (" + r.values + ")"
		}
		if r.comment != "" {
			part += " COMMENT = " + quoteString(r.comment)
		}
		parts = append(parts, part)
	}
	if !ranged && !listed && first.comment == "" {
		return text + " PARTITIONS " + strconv.Itoa(len(parts))
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}
