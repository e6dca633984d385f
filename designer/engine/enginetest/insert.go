package enginetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// rowCounts counts the rows put into each table, so that their values differ.
type rowCounts map[designer.ID]int

// alwaysGiven is the name of a column of the shop that gets a value in every
// row although it need not have one.
const alwaysGiven = "place"

// parentsFirst orders the tables so that each comes after those it refers to,
// as far as that can be.
func parentsFirst(s *designer.Schema) []*designer.Table {
	var order []*designer.Table
	seen := map[designer.ID]bool{}
	var visit func(t *designer.Table)
	visit = func(t *designer.Table) {
		if t == nil || seen[t.ID] {
			return
		}
		seen[t.ID] = true
		for _, k := range t.ForeignKeys {
			visit(s.ByID(k.RefTable))
		}
		order = append(order, t)
	}
	for _, t := range s.Tables() {
		visit(t)
	}
	return order
}

// insert puts rows into a table and returns the reasons of those that the
// server refused.
func (b *bench) insert(t *designer.Table, rows int) (refused []error) {
	b.t.Helper()
	parents := map[designer.ID]tableRows{}
	for _, k := range t.ForeignKeys {
		if parent := b.base.ByID(k.RefTable); parent != nil {
			parents[parent.ID] = b.tableRows(parent)
		}
	}
	var all []string
	for range rows {
		b.fill[t.ID]++
		all = append(all, b.insertStatement(t, parents))
	}
	if b.together(all) == nil {
		return nil
	}
	for _, statement := range all {
		if err := b.together([]string{statement}); err != nil {
			refused = append(refused, fmt.Errorf("%s: %w", statement, err))
		}
	}
	return refused
}

// together runs the statements in one transaction.
func (b *bench) together(statements []string) error {
	b.t.Helper()
	ctx, cancel := patiently()
	defer cancel()
	tx, err := b.db.BeginTx(ctx, nil)
	require.NoError(b.t, err)
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			require.NoError(b.t, tx.Rollback())
			return err
		}
	}
	return tx.Commit()
}

func (b *bench) insertStatement(t *designer.Table, parents map[designer.ID]tableRows) string {
	var names, values []string
	for _, c := range t.Columns {
		if c.IsIdentity || c.IsComputed {
			continue
		}
		names = append(names, b.quote(c.Name))
		values = append(values, b.value(t, c, parents))
	}
	if len(names) == 0 {
		if b.Server.Name == "mysql" {
			return "INSERT INTO " + b.tableName(t) + " () VALUES ()"
		}
		return "INSERT INTO " + b.tableName(t) + " DEFAULT VALUES"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", b.tableName(t), strings.Join(names, ", "), strings.Join(values, ", "))
}

// value is the SQL text of a column's value in the filler's row: one that the
// parent has, sometimes none where none is allowed, else a new one.
func (b *bench) value(t *designer.Table, c designer.Column, parents map[designer.ID]tableRows) string {
	n := b.fill[t.ID]
	for _, k := range t.ForeignKeys {
		for _, m := range k.Mappings {
			if m.Column != c.ID {
				continue
			}
			parent := parents[k.RefTable]
			if list := parent.columns[m.RefColumn]; len(list) > 0 && list[n%len(list)] != null {
				return b.literalOf(c, list[n%len(list)])
			}
			if c.IsNullable {
				return "NULL"
			}
		}
	}
	key := t.PrimaryKey != nil && slices.Contains(t.PrimaryKey.Columns, c.ID)
	of := b.base.TypeOf(c)
	if c.IsNullable && !key && (of == nil || of.Domain == nil || !of.Domain.NotNull) && n%5 == 3 && c.Name != alwaysGiven {
		return "NULL"
	}
	if len(c.Values) > 0 {
		return "'" + c.Values[n%len(c.Values)] + "'"
	}
	if of != nil && of.Domain != nil {
		base, err := b.Engine.Dialect().ReadType(of.Domain.Base)
		if err != nil {
			panic(err) // a type of the dialect's own, always
		}
		base.Name, base.ID, of, c = c.Name, c.ID, nil, base
	}
	if of != nil {
		value := b.literalOf(c, of.Values[n%max(1, len(of.Values)-1)].Name) // the last one can go
		if strings.HasSuffix(c.DataType, "[]") {
			return "ARRAY[" + value + "]::" + b.quote(of.Schema) + "." + b.quote(of.Name) + "[]"
		}
		return value
	}
	kind := b.kindOf(c)
	if write := b.Literals[kind]; write != nil {
		return write(n)
	}
	return literal(kind, c, n)
}

// kindOf returns what a column holds, "" where the dialect does not know.
func (b *bench) kindOf(c designer.Column) designer.TypeKind {
	info, ok := b.Engine.Dialect().Type(c.DataType)
	if !ok {
		return ""
	}
	return info.Kind
}

// literalOf writes a value that was read.
func (b *bench) literalOf(c designer.Column, value string) string {
	if _, err := strconv.ParseFloat(value, 64); err == nil && isNumber(b.kindOf(c)) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

func isNumber(k designer.TypeKind) bool {
	switch k {
	case designer.KindInt8, designer.KindUint8, designer.KindInt16, designer.KindUint16, designer.KindInt24,
		designer.KindInt32, designer.KindUint32, designer.KindInt64, designer.KindUint64,
		designer.KindDecimal, designer.KindFloat32, designer.KindFloat64:
		return true
	}
	return false
}

// literal is the n-th value of a kind, as most dialects write it.
func literal(kind designer.TypeKind, c designer.Column, n int) string {
	switch kind {
	case designer.KindInt8, designer.KindUint8:
		return strconv.Itoa(n % 120)
	case designer.KindDecimal:
		whole := c.Precision - c.Scale
		if whole > 6 || c.Precision == 0 {
			whole = 6
		}
		limit := 1
		for range whole {
			limit *= 10
		}
		return strconv.Itoa(n % limit)
	case designer.KindBool, designer.KindBit:
		return strconv.Itoa(n % 2)
	case designer.KindDate:
		return fmt.Sprintf("'2024-%02d-%02d'", n%12+1, n%28+1)
	case designer.KindTimestamp, designer.KindTimestampTZ:
		return fmt.Sprintf("'2024-%02d-%02d 10:%02d:%02d'", n%12+1, n%28+1, n/60%60, n%60)
	case designer.KindTime:
		return fmt.Sprintf("'10:%02d:%02d'", n/60%60, n%60)
	case designer.KindUUID:
		return fmt.Sprintf("'00000000-0000-4000-8000-%012d'", n)
	case designer.KindJSON:
		return fmt.Sprintf(`'{"n": %d}'`, n)
	}
	if isNumber(kind) || kind == designer.KindMoney {
		return strconv.Itoa(n)
	}
	text := "v" + strconv.Itoa(n)
	if length, err := strconv.Atoi(c.MaxLength); err == nil && length < len(text) {
		text = text[len(text)-length:]
	}
	return "'" + text + "'"
}
