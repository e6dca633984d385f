package mssql

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stands makes the script of a schema on a server of rules.
func stands(t *testing.T, s *designer.Schema) *ruleServer {
	t.Helper()
	plan, err := Engine{}.Script(s)
	require.NoError(t, err)
	server := newRuleServer()
	require.NoError(t, server.run(plan), "%s", plan.Script())
	return server
}

// leads checks that the plan from one schema to another keeps the rules and
// makes what the other's script makes. It reports whether there is a plan.
func leads(t *testing.T, from, to *designer.Schema) bool {
	t.Helper()
	plan, err := Engine{}.Plan(designer.DiffOf(from, to))
	if err != nil {
		var none *designer.PlanError
		require.ErrorAs(t, err, &none)
		return false
	}
	understood(t, plan)
	server := stands(t, from)
	require.NoError(t, server.run(plan), "%s", plan.Script())
	want := stands(t, to)
	for schema := range server.schemas {
		want.schemas[schema] = true // none is ever dropped
	}
	require.Equal(t, want.state(), server.state(), "%s", plan.Script())
	return true
}

// withoutViews is everything but views, of which the rules know nothing.
func withoutViews() designer.Definition {
	d := everything()
	d.Views = nil
	return d
}

func TestPlansKeepTheRulesOfTheServer(t *testing.T) {
	for name, edits := range plans {
		t.Run(name, func(t *testing.T) {
			from := build(t, withoutViews())
			assert.True(t, leads(t, from, change(t, from, edits)))
		})
	}
}

// A walk of random edits, planned a few at a time. BERTH_TEST_SEED says where
// it starts.
func TestRandomPlansKeepTheRulesOfTheServer(t *testing.T) {
	seed := uint64(1)
	if text := os.Getenv("BERTH_TEST_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			n = rand.Uint64()
		}
		seed = n
	}
	t.Logf("seed %d", seed)
	d := &drawer{t: t, random: rand.New(rand.NewPCG(seed, 0)), ops: map[designer.Op]int{}}
	base := build(t, withoutViews())
	planned, refused, edits := 0, 0, 0
	for range 150 {
		to := change(t, base, "[]")
		made := d.edit(to, 1+d.random.IntN(6))
		if designer.DiffOf(base, to).Empty() {
			continue
		}
		if !leads(t, base, to) {
			refused++
			continue
		}
		planned, edits, base = planned+1, edits+made, to
	}
	t.Logf("%d edits in %d plans, %d refused; %d tables; %v", edits, planned, refused, base.Len(), d.ops)
	assert.Greater(t, planned, 100)
	assert.Less(t, 5*refused, planned, "a walk that is mostly refused proves nothing")
	for _, op := range designer.Ops() {
		if seed != 1 || op.IsOfType() && len(Dialect().NamedTypes.Classes) == 0 {
			continue // a few hundred edits may miss one
		}
		assert.NotZero(t, d.ops[op], "no %s was planned", op)
	}
}

// drawer draws edits.
type drawer struct {
	t      *testing.T
	random *rand.Rand
	n      int
	ops    map[designer.Op]int
}

// edit makes n edits that the designer accepts.
func (d *drawer) edit(s *designer.Schema, n int) (made int) {
	for tries := 0; made < n && tries < 200; tries++ {
		text := d.draw(s)
		list, refused := edits.Decode(json.RawMessage("[" + text + "]"))
		require.Nil(d.t, refused, "%s: %v", text, refused)
		for _, e := range list {
			c, refused := s.Apply(e)
			if refused != nil {
				break
			}
			if len(c.Tables) > 0 {
				made++
				d.ops[e.Op]++
			}
		}
	}
	return made
}

func pick[T any](d *drawer, list []T) T { return list[d.random.IntN(len(list))] }

// name is a new one of a kind, sometimes an odd one, sometimes one that was
// used. Tables and constraints share one place: their kinds differ.
func (d *drawer) name(kind string) string {
	d.n++
	return kind + fmt.Sprintf(pick(d, []string{"n%d", "N%d", "a name %d", "select]%d", "it's%d", "\"q\"%d", "größe%d"}), d.random.IntN(d.n)+d.n/2)
}

func (d *drawer) draw(s *designer.Schema) string {
	t := pick(d, s.Tables())
	if t.Options[OptionVersioning] != "" { // most edits of which no plan makes
		t = pick(d, s.Tables())
	}
	q := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(d.t, err)
		return string(text)
	}
	at := fmt.Sprintf(`"table":{"schema":%s,"name":%s}`, q(t.Schema), q(t.Name))
	c := designer.Column{Name: "none"}
	if len(t.Columns) > 0 {
		c = pick(d, t.Columns)
	}
	set := func(what string) string {
		return fmt.Sprintf(`{"op":"set_column",%s,"column":{"name":%s},"set":{%s}}`, at, q(c.Name), what)
	}
	index, check, key := "none", "none", "none"
	if len(t.Indexes) > 0 {
		index = pick(d, t.Indexes).Name
	}
	if len(t.Checks) > 0 {
		check = pick(d, t.Checks).Name
	}
	if len(t.ForeignKeys) > 0 {
		key = pick(d, t.ForeignKeys).Name
	}
	types := []string{"int", "int", "smallint", "bigint", "varchar(20)", "varchar(90)", "varchar(20)", "nvarchar(9)", "int", "bigint", "varchar(20)", "nvarchar(40)", "decimal(9,2)", "date", "datetime2(3)", "bit", "varbinary(30)", "uniqueidentifier"}
	yes := strconv.FormatBool(d.random.IntN(2) == 0)
	to := pick(d, s.Tables())
	choice := d.random.IntN(31)
	if choice == 1 && s.Len() < 6 {
		choice = 0
	}
	switch choice {
	case 0, 29:
		return fmt.Sprintf(`{"op":"add_table","table":{"schema":%s,"name":%s},"initialColumns":[{"name":"id","dataType":"int","isPrimaryKey":true,"isIdentity":%s},{"name":"b","dataType":"varchar(20)","defaultValue":"'x'"}]}`,
			q(pick(d, []string{"dbo", "sales", "new"})), q(d.name("t")), yes)
	case 1:
		return fmt.Sprintf(`{"op":"drop_table",%s}`, at)
	case 2, 3:
		return fmt.Sprintf(`{"op":"set_table",%s,"set":{"name":%s}}`, at, q(d.name("t")))
	case 4:
		return fmt.Sprintf(`{"op":"set_table",%s,"set":{"schema":%s,"name":%s}}`, at, q(pick(d, []string{"dbo", "sales", "new"})), q(d.name("t")))
	case 5, 6:
		return fmt.Sprintf(`{"op":"add_column",%s,"column":{"name":%s,"dataType":%s,"isNullable":%s,"defaultValue":%s}}`, at, q(d.name("c")), q(pick(d, types)), yes, q(pick(d, []string{"", "0"})))
	case 7:
		if c.IsComputed {
			return set(`"computedPersisted":` + yes)
		}
		return fmt.Sprintf(`{"op":"add_column",%s,"column":{"name":%s,"isComputed":true,"computedPersisted":%s,"computedFormula":%s}}`, at, q(d.name("c")), yes, q(quote(c.Name)+"+1"))
	case 8, 9:
		return fmt.Sprintf(`{"op":"drop_column",%s,"column":{"name":%s}}`, at, q(c.Name))
	case 10, 11, 12:
		return set(`"name":` + q(d.name("c")))
	case 13:
		return set(`"name":"held",`+`"isNullable":`+yes) + "," + fmt.Sprintf(`{"op":"set_column",%s,"column":{"name":%s},"set":{"name":%s}}`, at, q(pick(d, t.Columns).Name), q(c.Name))
	case 14, 15, 16:
		return set(`"dataType":` + q(pick(d, types)))
	case 17:
		return set(`"isNullable":` + yes)
	case 18:
		return set(`"defaultValue":` + q(pick(d, []string{"", "0", "1"})))
	case 19:
		return set(`"isIdentity":` + yes)
	case 20:
		return set(`"isPrimaryKey":` + yes)
	case 21:
		return set(`"isComputed":` + yes + `,"computedFormula":` + map[string]string{"true": `"1+1"`, "false": `""`}[yes])
	case 22:
		return fmt.Sprintf(`{"op":"add_index",%s,"index":{"unique":%s,"columns":[%s,{"name":%s,"descending":true}],"where":%s}}`, at, yes, q(c.Name), q(pick(d, t.Columns).Name),
			q(pick(d, []string{"", quote(c.Name) + " IS NOT NULL"})))
	case 23:
		return fmt.Sprintf(`{"op":"set_index",%s,"index":{"name":%s},"set":{"name":%s}}`, at, q(index), q(d.name("k")))
	case 24:
		return fmt.Sprintf(`{"op":"drop_index",%s,"index":{"name":%s}}`, at, q(index))
	case 25:
		return fmt.Sprintf(`{"op":"add_check",%s,"check":{"expression":%s}}`, at, q(quote(c.Name)+" <> 7"))
	case 26:
		return fmt.Sprintf(`{"op":"drop_check",%s,"check":{"name":%s}}`, at, q(check))
	case 27:
		refer := to.Columns[0]
		if to.PrimaryKey != nil {
			for _, c := range to.Columns {
				if c.ID == to.PrimaryKey.Columns[0] {
					refer = c
				}
			}
		}
		name := d.name("c")
		return fmt.Sprintf(`{"op":"add_column",%s,"column":{"name":%s,"dataType":%s}},{"op":"add_foreign_key",%s,"foreignKey":{"name":%s,"referencedTable":{"schema":%s,"name":%s},"mappings":[{"column":%s,"referencedColumn":%s}]}}`,
			at, q(name), q(typeText(refer)), at, q(d.name("k")), q(to.Schema), q(to.Name), q(name), q(refer.Name))
	case 28:
		return fmt.Sprintf(`{"op":"drop_foreign_key",%s,"foreignKey":{"name":%s}}`, at, q(key))
	}
	return fmt.Sprintf(`{"op":"set_foreign_key",%s,"foreignKey":{"name":%s},"set":{"name":%s,"onDeleteAction":%s}}`,
		at, q(key), q(d.name("k")), q(pick(d, []string{"no_action", "cascade"})))
}
