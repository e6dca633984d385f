package designer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"
)

// digest is a 256-bit number, little-endian by word. Table digests are added
// up modulo 2^256, so that one table's can be taken out and put back in
// whatever order the tables come.
type digest [4]uint64

func (d *digest) add(o digest) {
	var carry uint64
	for i := range d {
		d[i], carry = bits.Add64(d[i], o[i], carry)
	}
}

func (d *digest) subtract(o digest) {
	var borrow uint64
	for i := range d {
		d[i], borrow = bits.Sub64(d[i], o[i], borrow)
	}
}

// versionSalt changes when what a version covers changes, so that tokens of
// two releases never agree by accident.
const versionSalt = "berth schema 2\x00"

// version renders the token of a schema with these tables.
func (d digest) version(tables int) string {
	buf := []byte(versionSalt)
	for _, w := range d {
		buf = binary.LittleEndian.AppendUint64(buf, w)
	}
	buf = binary.LittleEndian.AppendUint64(buf, uint64(tables))
	sum := sha256.Sum256(buf)
	return hex.EncodeToString(sum[:16])
}

// tableDigest hashes what publish can change about t: names and types
// folded, no ids, no order of columns, and none of what is carried only
// (triggers, the database's spelling of a type). Foreign keys count by the
// names of what they point at.
func (s *Schema) tableDigest(t *Table) digest {
	names := t.ColumnNames()
	var e encoder
	e.name(t.Schema)
	e.name(t.Name)
	e.text(t.Comment)
	e.key(t, names)
	e.set(len(t.Columns), func(i int, e *encoder) { e.column(t.Columns[i]) })
	e.set(len(t.ForeignKeys), func(i int, e *encoder) {
		e.foreignKey(t.ForeignKeys[i], names, s.reference(t.ForeignKeys[i]))
	})
	e.set(len(t.Indexes), func(i int, e *encoder) { e.index(t.Indexes[i], names) })
	e.set(len(t.Checks), func(i int, e *encoder) {
		e.name(t.Checks[i].Name)
		e.text(t.Checks[i].Expression)
		e.some(t.Checks[i].Options)
	})
	e.options(t.Options)
	if t.PrimaryKey != nil {
		e.some(t.PrimaryKey.Options)
	}
	return e.digest()
}

// digest hashes what was written.
func (e *encoder) digest() (d digest) {
	sum := sha256.Sum256(e.buf)
	for i := range d {
		d[i] = binary.LittleEndian.Uint64(sum[8*i:])
	}
	return d
}

// encoder writes values so that no two sequences of them share an encoding:
// texts and lists carry their length.
type encoder struct{ buf []byte }

func (e *encoder) number(n int64) { e.buf = binary.AppendVarint(e.buf, n) }

func (e *encoder) text(s string) {
	e.number(int64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) name(s string) { e.text(Fold(s)) }

func (e *encoder) flag(b bool) {
	if b {
		e.buf = append(e.buf, 1)
	} else {
		e.buf = append(e.buf, 0)
	}
}

// set writes n items in the order of their encodings.
func (e *encoder) set(n int, write func(i int, e *encoder)) {
	var all encoder
	ends := make([]int, n)
	for i := range n {
		write(i, &all)
		ends[i] = len(all.buf)
	}
	items := make([]string, n)
	start := 0
	for i, end := range ends {
		items[i] = string(all.buf[start:end])
		start = end
	}
	slices.Sort(items)
	e.number(int64(n))
	for _, item := range items {
		e.text(item)
	}
}

func (e *encoder) key(t *Table, names map[ID]string) {
	e.flag(t.PrimaryKey != nil)
	if t.PrimaryKey == nil {
		return
	}
	e.name(t.PrimaryKey.Name)
	e.number(int64(len(t.PrimaryKey.Columns)))
	for _, id := range t.PrimaryKey.Columns {
		e.name(names[id])
	}
}

func (e *encoder) column(c Column) {
	e.name(c.Name)
	e.name(c.DataType)
	e.name(c.MaxLength)
	e.number(int64(c.Precision))
	e.number(int64(c.Scale))
	e.flag(c.IsNullable)
	e.flag(c.IsIdentity)
	e.number(c.IdentitySeed)
	e.number(c.IdentityIncrement)
	e.text(c.DefaultValue)
	e.flag(c.IsComputed)
	e.text(c.ComputedFormula)
	e.flag(c.ComputedPersisted)
	e.name(c.Collation)
	e.text(c.Comment)
	e.some(c.Options)
	if len(c.Values) > 0 {
		e.flag(true)
		e.texts(c.Values)
	}
}

func (e *encoder) foreignKey(k ForeignKey, names map[ID]string, target Reference) {
	e.name(k.Name)
	e.name(target.Schema)
	e.name(target.Table)
	e.set(len(k.Mappings), func(i int, e *encoder) {
		e.name(names[k.Mappings[i].Column])
		e.name(target.Columns[i])
	})
	e.text(string(k.OnDelete))
	e.text(string(k.OnUpdate))
	e.text(string(k.Deferrable))
	e.some(k.Options)
}

func (e *encoder) index(x Index, names map[ID]string) {
	e.name(x.Name)
	e.flag(x.Unique)
	e.flag(x.Constraint)
	e.text(x.Where)
	e.number(int64(len(x.Parts)))
	for _, p := range x.Parts {
		e.name(names[p.Column])
		e.text(p.Expression)
		e.flag(p.Descending)
		e.name(p.Collation)
		e.text(p.Nulls)
		e.name(p.OpClass)
		e.number(int64(p.Length))
	}
	e.set(len(x.Include), func(i int, e *encoder) { e.name(names[x.Include[i]]) })
	e.name(x.Method)
	e.some(x.Options)
}

func (e *encoder) texts(list []string) {
	e.number(int64(len(list)))
	for _, s := range list {
		e.text(s)
	}
}

// some writes options that most objects do not have. It ends an item of a
// set, so that its absence is not ambiguous.
func (e *encoder) some(o map[string]string) {
	if len(o) > 0 {
		e.flag(false)
		e.options(o)
	}
}

func (e *encoder) options(o map[string]string) {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	e.number(int64(len(keys)))
	for _, k := range keys {
		e.text(k)
		e.text(o[k])
	}
}
