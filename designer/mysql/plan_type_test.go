package mysql_test

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/mysql"
	"github.com/berth-dev/berth/e2e/long"
)

// samples are values that a type tells apart, two of them as like each other as
// the type allows.
var samples = []struct{ dataType, values string }{
	{"tinyint", "1,2,-3"}, {"smallint", "1,2,300"}, {"int", "1,2,2024,16777216,16777217,20240102"}, {"bigint", "1,2,9007199254740992,9007199254740993,20240102100000,20240102100001"},
	{"int unsigned", "1,2"}, {"boolean", "0,1"}, {"decimal(20,6)", "1,1.4,1.000001,2,123456789012.000001"}, {"decimal(9,0)", "1,2,999999999"},
	{"float", "1,1.4,2,1.00001"}, {"double", "1,1.4,2,1.000000000000001"}, {"bit(8)", "1,2,200"}, {"year", "2024,2025"},
	{"varchar(30)", "'1','1.001','1.0010001','2024-01-02','2024-01-02 10:00:00','2024-01-02 11:00:00','10:00:00.1','10:00:00.2','abc'"},
	{"longtext", "'1','1.001','1.0010001','2024-01-02','2024-01-02 10:00:00','2024-01-02 11:00:00','abc'"},
	{"char(30)", "'1','1.001','1.0010001','abc'"}, {"varbinary(30)", "'1','1.001','abc'"}, {"longblob", "'1','1.001','abc'"},
	{"date", "'2024-01-02','2024-01-03'"}, {"datetime(6)", "'2024-01-02 10:00','2024-01-02 10:00:00.1','2024-01-02 10:00:00.120000','2024-01-03 10:00'"},
	{"datetime", "'2024-01-02 10:00','2024-01-02 11:00','2024-01-03 10:00'"}, {"timestamp(3)", "'2024-01-02 10:00','2024-01-02 10:00:00.1','2024-01-02 10:00:00.12','2024-01-03 10:00'"},
	{"time(6)", "'10:00','10:00:00.1','10:00:00.12','34:00'"}, {"time", "'10:00','11:00','34:00'"},
}

// narrowed are types that have less room than the samples.
var narrowed = []string{"varchar(4)", "char(4)", "tinytext", "varbinary(4)", "decimal(5,1)", "datetime(3)", "bit(4)", "json"}

// Two values that become one are a loss, whatever the types are called: the
// server says which do, and the plan has to say data_loss of the pair.
func TestAPairOfTypesThatLosesValuesIsSaidToDoSo(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	db.SetMaxOpenConns(1)
	targets := slices.Clone(narrowed)
	for _, s := range samples {
		targets = append(targets, s.dataType)
	}
	lost, played := 0, long.Sample(t, 8, samples)
	for _, from := range played {
		for _, target := range targets {
			statement, risks := retyping(t, from.dataType, target)
			if statement == "" {
				continue
			}
			was, is := survivors(t, db, from.dataType, from.values, statement)
			if is < was {
				lost++
				assert.Contains(t, risks, designer.RiskDataLoss, "%s to %s: of %d values %d are left", from.dataType, target, was, is)
			}
		}
	}
	t.Logf("%d pairs lose values", lost)
	assert.Greater(t, lost, 50*len(played)/len(samples), "the samples are too unlike each other to show a loss")
	for _, pair := range [][2]string{{"int", "double"}, {"smallint", "float"}, {"int", "bigint"}, {"int", "decimal(20,6)"}, {"decimal(9,0)", "int"}, {"decimal(9,0)", "bigint"},
		{"datetime", "datetime(3)"}, {"date", "datetime"}, {"varchar(30)", "longtext"}, {"int", "varchar(30)"}, {"time", "time(6)"}, {"float", "double"}} {
		_, risks := retyping(t, pair[0], pair[1])
		assert.NotContains(t, risks, designer.RiskDataLoss, "%s to %s", pair[0], pair[1])
	}
}

// retyping is the statement that gives the column of table one another type,
// and the risks of its plan; "" where both are the same.
func retyping(t *testing.T, from, to string) (string, []designer.Risk) {
	table := func(dataType string) *designer.Schema {
		s := build(t, designer.Definition{})
		for _, e := range decode(t, fmt.Sprintf(`[{"op":"add_table","table":{"name":"one"},"initialColumns":[{"name":"id","dataType":"int"},{"name":"c","dataType":%q}]}]`, dataType)) {
			_, refused := s.Apply(e)
			require.Nil(t, refused, "%v", refused)
		}
		return s
	}
	was := table(from)
	next := *was.Tables()[0]
	next.Columns = slices.Clone(next.Columns)
	column := table(to).Tables()[0].Columns[1]
	column.ID = next.Columns[1].ID
	next.Columns[1] = column
	is, err := designer.Restore(mysql.Dialect(), []*designer.Table{&next}, &designer.Options{DefaultSchema: "app"})
	require.NoError(t, err)
	plan, err := mysql.Engine{}.Plan(designer.DiffOf(was, is))
	require.NoError(t, err)
	if len(plan.Steps) == 0 {
		return "", nil
	}
	require.Len(t, plan.Steps, 1)
	return plan.Steps[0].Statement, plan.Risks()
}

// survivors alters a table of the values that convert, and counts those that
// differ before and after.
func survivors(t *testing.T, db *sql.DB, dataType, values, statement string) (was, is int) {
	list := strings.Split(values, ",")
	if before, after, err := converted(t, db, dataType, list, statement); err == nil {
		return len(before), len(after)
	}
	before, after := map[string]bool{}, map[string]bool{}
	for _, v := range list {
		one, other, err := converted(t, db, dataType, []string{v}, statement)
		if err == nil { // else the server does not take this one
			maps.Copy(before, one)
			maps.Copy(after, other)
		}
	}
	return len(before), len(after)
}

// converted alters a table of the values and returns them as they were and as
// they are.
func converted(t *testing.T, db *sql.DB, dataType string, list []string, statement string) (before, after map[string]bool, err error) {
	exec(t, db, "CREATE OR REPLACE TEMPORARY TABLE one (id int, c "+dataType+") ENGINE=Aria", "INSERT INTO one VALUES (1, "+strings.Join(list, "), (1, ")+")")
	read := func() map[string]bool {
		all := map[string]bool{}
		for _, v := range values(t, db, "SELECT c FROM one") {
			all[v] = true
		}
		return all
	}
	before = read()
	if _, err = db.Exec(statement); err != nil {
		return nil, nil, err
	}
	return before, read(), nil
}
