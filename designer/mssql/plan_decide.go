package mssql

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// decideColumns decides how each column changes that differs.
func (tp *tablePlan) decideColumns() error {
	for i := range tp.diff.Columns {
		d := &tp.diff.Columns[i]
		switch {
		case d.Added():
			if err := tp.checkComputed(nil, d.To); err != nil {
				return err
			}
		case d.Dropped():
			tp.columns[d.From.ID] = dropColumn
		default:
			if err := tp.decideColumn(d); err != nil {
				return err
			}
		}
	}
	changed := slices.ContainsFunc(tp.diff.Columns, func(d designer.ColumnDiff) bool { return d.To != nil && d.To.IsComputed })
	if err := tp.checkFormulas(changed); err != nil {
		return err
	}
	return tp.checkRebuild()
}

// checkFormulas refuses a formula that uses a computed column, where a
// computed column has changed.
func (tp *tablePlan) checkFormulas(changed bool) error {
	for i := range tp.to.table.Columns {
		c := &tp.to.table.Columns[i]
		for j := range tp.to.table.Columns {
			used := &tp.to.table.Columns[j]
			if changed && c.IsComputed && used.IsComputed && i != j && mentions(c.ComputedFormula, used.Name) {
				return tp.error(fmt.Sprintf("column %s is computed from %s, which is computed itself: SQL Server does not allow that; repeat its formula", c.Name, used.Name))
			}
		}
	}
	return nil
}

func (tp *tablePlan) decideColumn(d *designer.ColumnDiff) error {
	from, to := d.From, d.To
	if err := tp.checkOptions(from, to); err != nil {
		return err
	}
	switch {
	case to.IsComputed:
		if err := tp.checkComputed(from, to); err != nil {
			return err
		}
		if d.Computed || d.Nullable {
			tp.columns[from.ID] = renewColumn
		}
	case from.IsComputed && !to.IsIdentity:
		tp.columns[from.ID] = convertColumn
	case d.Identity && to.Options[OptionIdentity] != "":
		return tp.error(fmt.Sprintf("column %s: no plan changes what an identity counts from and by where that is %s; change it by hand", to.Name, beyond(to)))
	case d.Identity:
		tp.rebuild = fmt.Sprintf("the identity of column %s cannot be altered", to.Name)
	}
	if to.IsComputed || from.IsComputed || !d.Type && !d.Nullable && !d.Collation {
		return nil
	}
	how, err := tp.decideType(d)
	tp.columns[from.ID] = how
	return err
}

// beyond words why the numbers of an identity are an option.
func beyond(c *designer.Column) string {
	if c.Options[OptionIdentity] == identityUnknown {
		return "not known: the server does not tell it"
	}
	return "beyond 64 bits"
}

// decideType decides how a column gets another type, collation or nullability.
func (tp *tablePlan) decideType(d *designer.ColumnDiff) (columnChange, error) {
	from, to := *d.From, *d.To
	how := implicit
	if d.Type {
		how = conversionOf(from, to)
	}
	switch {
	case how == impossible:
		return 0, tp.error(fmt.Sprintf("column %s cannot change from %s to %s: SQL Server converts no such values; add a column of the new type and drop this one",
			from.Name, typeText(from), typeText(to)))
	case how == regenerated, how == implicit && classOf(from.DataType) == classRowVersion:
		return renewColumn, nil
	case how == explicit:
		return convertColumn, nil
	case widens(d):
		return widenColumn, nil
	}
	return alterColumn, nil
}

// widens reports whether a column of varying length gets a larger one and
// nothing else, which SQL Server allows beneath indexes and checks.
func widens(d *designer.ColumnDiff) bool {
	varies := map[string]bool{"varchar": true, "nvarchar": true, "varbinary": true}
	masked := d.To.Options[OptionMasked] != "" // its mask goes and comes back, which takes a column that nothing uses
	return d.Type && !d.Nullable && !d.Collation && !masked && varies[strings.ToLower(d.From.DataType)] &&
		strings.EqualFold(d.From.DataType, d.To.DataType) && shorter(d.From.MaxLength, d.To.MaxLength) &&
		!strings.EqualFold(d.To.MaxLength, "max") && !d.Default
}

// checkOptions refuses to change what no edit changes.
func (tp *tablePlan) checkOptions(from, to *designer.Column) error {
	a, b := maps.Clone(from.Options), maps.Clone(to.Options)
	if !to.IsIdentity {
		delete(a, OptionNotForReplication)
		delete(a, OptionIdentity)
	}
	if to.IsComputed {
		a = nil
	}
	delete(a, OptionDefaultName)
	delete(b, OptionDefaultName)
	for key := range b {
		if a[key] != b[key] {
			return tp.error(fmt.Sprintf("column %s: no plan sets %s; change it by hand", to.Name, key))
		}
	}
	for key := range a {
		if _, kept := b[key]; !kept {
			return tp.error(fmt.Sprintf("column %s: no plan takes %s away; change it by hand", to.Name, key))
		}
	}
	return nil
}

// checkComputed refuses what cannot be said of a computed column.
func (tp *tablePlan) checkComputed(from, to *designer.Column) error {
	if !to.IsComputed {
		return nil
	}
	virtual := from != nil && from.IsComputed && !from.ComputedPersisted && !from.IsNullable // the server found it so
	switch {
	case !to.ComputedPersisted && !virtual && (tp.inKey(to.ID) || !to.IsNullable && (from == nil || from.IsNullable)):
		return tp.error(fmt.Sprintf("column %s is computed: only a persisted one can be NOT NULL or part of a key; set computedPersisted", to.Name))
	case from != nil && from.IsComputed && from.ComputedFormula == to.ComputedFormula && typeText(*from) != typeText(*to):
		return tp.error(fmt.Sprintf("column %s is computed: its type follows from its formula; convert in the formula", to.Name))
	case to.Collation != "" && (from == nil || from.Collation != to.Collation):
		return tp.error(fmt.Sprintf("column %s is computed: its collation follows from its formula; say COLLATE in the formula", to.Name))
	}
	return nil
}

// inKey reports whether a column is part of the primary key afterwards.
func (tp *tablePlan) inKey(id designer.ID) bool {
	k := tp.to.table.PrimaryKey
	return k != nil && slices.Contains(k.Columns, id)
}

// decideComputed renews the computed columns whose formula uses a column that
// changes, and gives up widening what such a formula uses.
func (tp *tablePlan) decideComputed() {
	for again := true; again; {
		again = false
		for i := range tp.from.table.Columns {
			c := &tp.from.table.Columns[i]
			if c.IsComputed && tp.columns[c.ID] == keepColumn && tp.reachedText(c.ComputedFormula, true) {
				tp.columns[c.ID] = renewColumn
				again = true
			}
		}
	}
}

func (tp *tablePlan) decideDefaults() {
	for i := range tp.from.table.Columns {
		c := &tp.from.table.Columns[i]
		to := tp.to.column(c.ID)
		gone := tp.reached(c.ID) || tp.defaultChanges(c, to)
		if gone && c.DefaultValue != "" {
			tp.dropDefaults[c.ID] = true
		}
		if gone && to != nil && to.DefaultValue != "" && tp.columns[c.ID] != renewColumn {
			tp.addDefaults[c.ID] = true
		}
	}
}

func (tp *tablePlan) defaultChanges(from, to *designer.Column) bool {
	return to != nil && (from.DefaultValue != to.DefaultValue || from.Options[OptionDefaultName] != to.Options[OptionDefaultName])
}

// checkKind refuses what a table of its kind does not allow, and what would take
// from it what the model does not say.
func (tp *tablePlan) checkKind() error {
	t := tp.from.table
	if kind := t.Options[OptionStorage]; kind != "" && tp.changesMore() {
		return tp.error("it is a " + kind + " table, which no plan changes; change it by hand")
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		how := tp.columns[c.ID]
		if c.Options[OptionEncrypted] != "" && (tp.rebuild != "" || how != keepColumn && how != dropColumn) {
			return tp.error("column " + c.Name + " is encrypted (Always Encrypted), and only a client with its key can change it")
		}
	}
	if t.Options[OptionVersioning] != "" {
		if err := tp.checkHistory(); err != nil {
			return err
		}
	}
	return tp.checkPlaces()
}

// changesMore reports whether more than comments changes.
func (tp *tablePlan) changesMore() bool {
	d := tp.diff
	return d.Renamed || d.Moved || d.Options || d.PrimaryKey || len(d.ForeignKeys)+len(d.Indexes)+len(d.Checks) > 0 ||
		slices.ContainsFunc(d.Columns, func(c designer.ColumnDiff) bool {
			return c.Added() || c.Dropped() || c.Renamed || c.Type || c.Nullable || c.Default || c.Identity || c.Computed || c.Collation || c.Options
		})
}

// checkHistory refuses what is not done to a table while it keeps a history:
// "Change the schema of a system-versioned temporal table", and of the key
// "Create a system-versioned temporal table". What drops a column drops it from
// the history as well.
func (tp *tablePlan) checkHistory() error {
	const first = ": set SYSTEM_VERSIONING = OFF by hand, change both tables and set it ON again"
	if tp.dropKey {
		return tp.error("it keeps a history, and is never without its primary key" + first)
	}
	for i := range tp.from.table.Columns {
		c := &tp.from.table.Columns[i]
		switch how := tp.columns[c.ID]; {
		case how == keepColumn && !tp.renamed(c.ID):
		case c.Options[OptionGenerated] != "":
			return tp.error("column " + c.Name + " is of the period of its history, and stays as it is" + first)
		case how == convertColumn || how == renewColumn:
			return tp.error("column " + c.Name + " cannot be re-created: the table keeps a history, whose values of it would be lost" + first)
		}
	}
	for _, d := range tp.diff.Columns {
		if d.Added() && (d.To.IsComputed || d.To.IsIdentity || d.To.Options[OptionRowGUID] != "") {
			return tp.error("column " + d.To.Name + " is computed, an identity or ROWGUIDCOL, which is not added to a table that keeps a history" + first)
		}
	}
	return nil
}

// checkPlaces refuses to make again what lies on a partition scheme or a
// filegroup: it would lie elsewhere.
func (tp *tablePlan) checkPlaces() error {
	t := tp.from.table
	says := func(what, place string) error {
		return tp.error(what + " lies on " + place + " and would have to be re-created, which no plan does there; change it by hand")
	}
	if place := t.Options[OptionPlace]; place != "" && tp.rebuild != "" {
		return says("the table", place)
	}
	if k := t.PrimaryKey; k != nil && k.Options[OptionPlace] != "" && tp.dropKey {
		return says("its primary key", k.Options[OptionPlace])
	}
	for i := range t.Indexes {
		if x := &t.Indexes[i]; x.Options[OptionPlace] != "" && (tp.rebuild != "" || tp.indexes.add[x.ID]) {
			return says("index "+x.Name, x.Options[OptionPlace])
		}
	}
	return nil
}

// conversion describes how a column gets from one type to another.
type conversion int

const (
	implicit    conversion = iota // ALTER COLUMN does it
	explicit                      // CONVERT does it, into a new column
	regenerated                   // the server makes new values up
	impossible
)

// conversionOf follows the table of conversions in "CAST and CONVERT
// (Transact-SQL)" and what ALTER TABLE says of types that it does not alter.
// What is not known is left to the server.
func conversionOf(from, to designer.Column) conversion {
	a, b := classOf(from.DataType), classOf(to.DataType)
	switch {
	case b == classRowVersion:
		return regenerated
	case a == classUnknown || b == classUnknown:
		return implicit
	case a == classRowVersion: // ALTER COLUMN takes none
		return among(b, explicit, classBinary, classNumber, classText)
	case a == b:
		return sameClass(from, to, a)
	}
	return between(a, b, to)
}

func sameClass(from, to designer.Column, c typeClass) conversion {
	if c == classSpatial && !strings.EqualFold(from.DataType, to.DataType) {
		return impossible
	}
	if c == classOldText && !strings.EqualFold(from.DataType, to.DataType) {
		return explicit
	}
	return implicit
}

// between is of two classes that differ.
func between(a, b typeClass, to designer.Column) conversion {
	switch a {
	case classNumber:
		return firstOf(among(b, implicit, classFloat, classText, classBinary, classDateTime, classVariant), impossible)
	case classFloat:
		return firstOf(among(b, implicit, classNumber, classText, classDateTime, classVariant), among(b, explicit, classBinary))
	case classText:
		return firstOf(among(b, implicit, classNumber, classFloat, classDateTime, classDate, classTime, classGUID, classXML, classOldText),
			among(b, explicit, classBinary, classImage, classHierarchy, classVariant))
	case classBinary:
		return firstOf(among(b, implicit, classText, classNumber, classDateTime, classGUID, classXML, classImage),
			among(b, explicit, classDate, classTime, classHierarchy, classVariant))
	case classDateTime:
		return firstOf(among(b, implicit, classText, classDate, classTime, classVariant), among(b, explicit, classNumber, classFloat, classBinary))
	case classDate, classTime:
		return fromDate(a, b)
	case classGUID:
		return firstOf(among(b, implicit, classText, classBinary), among(b, explicit, classVariant))
	case classVariant:
		return explicit
	case classXML, classHierarchy:
		return among(b, explicit, classText, classBinary)
	case classOldText, classImage:
		return fromOldText(a, b, to)
	}
	return impossible
}

func fromDate(a, b typeClass) conversion {
	switch {
	case b == classTime || b == classDate || b == classDateTime:
		return explicit // which of them convert by themselves differs by type
	case a == classDate || a == classTime:
		return firstOf(among(b, implicit, classText), among(b, explicit, classBinary, classVariant))
	}
	return impossible
}

// fromOldText alters into the MAX type that took a type's place, and converts
// into the others.
func fromOldText(a, b typeClass, to designer.Column) conversion {
	next := b == classText && a == classOldText || b == classBinary && a == classImage
	switch {
	case next && strings.EqualFold(to.MaxLength, "max"):
		return implicit
	case next:
		return explicit
	}
	return impossible
}

// among is c where the class is one of those listed, else impossible.
func among(class typeClass, c conversion, list ...typeClass) conversion {
	for _, one := range list {
		if one == class {
			return c
		}
	}
	return impossible
}

// firstOf is the easier of two ways.
func firstOf(a, b conversion) conversion {
	if a != impossible {
		return a
	}
	return b
}
