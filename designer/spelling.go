package designer

// TakeSpelling returns the design with the database's spelling, after design
// was published to a database that was as base says. reread is what the
// database is now, with the ids of design: see [Schema.Adopt].
//
// Servers keep an expression in their own words (PostgreSQL makes `a>0` to
// `(a > 0)`), call a type by another of its names, name what was left unnamed,
// shorten an index that is longer than a key can be (MySQL), and leave out a
// collation that is an expression's own. Where a table
// that the publishing changed differs from reread in no more than that,
// reread's is taken. An expression that is still the one of
// base was not published and stays as the design has it. So
//
//	DiffOf(TakeSpelling(base, design, reread), reread)
//
// is empty where the whole design was published, and says what was not where
// it was not. None of the three schemas changes.
func TakeSpelling(base, design, reread *Schema) *Schema {
	catalog := reread.Catalog()
	catalog.Types = design.NamedTypes()
	for i, t := range catalog.Types {
		got, was := reread.NamedType(t.ID), base.NamedType(t.ID)
		if got == nil {
			continue
		}
		if was == nil || !was.Equal(t) {
			next := t.Clone()
			next.Domain = design.dialect.respelled(orZero(was).Domain, t.Domain, got.Domain)
			t = next
		}
		if catalog.Types[i] = t; got.Equal(t) {
			catalog.Types[i] = got
		}
	}
	next := New(design.dialect, &Options{NewID: design.newID, DefaultSchema: design.defaultSchema, Catalog: catalog})
	changes := make([]TableChange, 0, design.Len())
	for _, want := range design.Tables() {
		got, was := reread.ByID(want.ID), base.ByID(want.ID)
		if got != nil {
			want = design.dialect.respell(was, want, got)
		}
		changes = append(changes, TableChange{After: want})
	}
	next.put(changes)
	return next
}

// respell returns want in the words of got; was is nil for a new table.
func (d *Dialect) respell(was, want, got *Table) *Table {
	if was != nil && (was == want || DiffTables(was, want).Empty()) {
		if DiffTables(want, got).Empty() {
			return got
		}
		return want // what nobody touched has to be as it was
	}
	if was == nil {
		was = &Table{}
	}
	next := want.Clone()
	for i := range next.Columns {
		if c := got.ColumnByID(next.Columns[i].ID); c != nil {
			d.respellColumn(orZero(was.ColumnByID(c.ID)), &next.Columns[i], c)
		}
	}
	for i := range next.Checks {
		k := &next.Checks[i]
		if g := findByID(got.Checks, k.ID, checkID); g != nil {
			d.takeText(orZero(findByID(was.Checks, k.ID, checkID)).Expression, &k.Expression, g.Expression)
		}
	}
	for i := range next.Indexes {
		x := &next.Indexes[i]
		if g := findByID(got.Indexes, x.ID, indexID); g != nil {
			d.respellIndex(orZero(findByID(was.Indexes, x.ID, indexID)), x, g)
		}
	}
	if k, g := next.PrimaryKey, got.PrimaryKey; k != nil && g != nil && k.Name == "" {
		k.Name = g.Name
		if len(k.Options) == 0 { // the server chose, such as whether it is clustered
			k.Options = cloneOptions(g.Options)
		}
	}
	if DiffTables(next, got).Empty() {
		return got
	}
	return next
}

func (d *Dialect) respellColumn(was Column, want, got *Column) {
	d.takeText(was.DefaultValue, &want.DefaultValue, got.DefaultValue)
	d.takeText(was.ComputedFormula, &want.ComputedFormula, got.ComputedFormula)
	if d.Columns.InheritCollation && got.Collation == "" {
		want.Collation = ""
	}
	for _, key := range d.Columns.Texts {
		if text, has := want.Options[key]; has { // a clone's own map
			d.takeText(was.Options[key], &text, got.Options[key])
			want.Options[key] = text
		}
	}
	switch {
	case d.sameType(want.DataType, got.DataType):
		want.DataType = got.DataType
	case want.IsComputed && (want.DataType == "" || d.Columns.Computed == ComputedDerived): // the server derives it
		want.DataType, want.MaxLength, want.Precision, want.Scale = got.DataType, got.MaxLength, got.Precision, got.Scale
	}
	if want.IsComputed && d.Columns.Computed == ComputedDerived && (want.IsNullable || !want.ComputedPersisted) {
		want.IsNullable = got.IsNullable
	}
}

func (d *Dialect) respellIndex(was Index, want, got *Index) {
	d.takeText(was.Where, &want.Where, got.Where)
	for i := range want.Parts {
		if len(got.Parts) != len(want.Parts) {
			break
		}
		var old IndexKey
		if i < len(was.Parts) {
			old = was.Parts[i]
		}
		d.takeText(old.Expression, &want.Parts[i].Expression, got.Parts[i].Expression)
		takeLength(old, &want.Parts[i], got.Parts[i])
		if was.ID == "" && got.Parts[i].Collation == "" && want.Parts[i].Expression != "" {
			want.Parts[i].Collation = "" // the expression's own, which only the server knows
		}
	}
}

// takeLength makes want as short as the server made it: MySQL indexes of a
// value as much as a key can hold. A length from before was not published.
func takeLength(was IndexKey, want *IndexKey, got IndexKey) {
	shorter := got.Length > 0 && (want.Length == 0 || got.Length < want.Length)
	if shorter && want.Column == got.Column && (was.Column != got.Column || was.Length != got.Length) {
		want.Length = got.Length
	}
}

// takeText makes want the database's text, unless there is an expression on
// one side only or the database still has the one from before. That an
// expression was made another by its parentheses alone, and was not published,
// goes unnoticed.
func (d *Dialect) takeText(was string, want *string, got string) {
	if *want == "" || got == "" || got == was && !d.sql().SameButParens(was, *want) {
		return
	}
	*want = got
}

func checkID(k Check) ID { return k.ID }
func indexID(x Index) ID { return x.ID }

func findByID[T any](list []T, id ID, of func(T) ID) *T {
	for i := range list {
		if of(list[i]) == id {
			return &list[i]
		}
	}
	return nil
}

func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
