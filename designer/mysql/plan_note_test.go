package mysql_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
)

func TestTextsThatNameWhatIsRenamedOrDroppedAreARisk(t *testing.T) {
	db := newDatabase(t)
	exec(t, db, "CREATE TABLE film (id integer PRIMARY KEY, rate integer, note text)",
		"CREATE TABLE other (id integer PRIMARY KEY, rate integer)",
		"CREATE FUNCTION f(x integer) RETURNS integer READS SQL DATA\nRETURN (SELECT rate\nFROM film WHERE id = x)",
		"CREATE PROCEDURE dynamic() BEGIN\nPREPARE s FROM 'UPDATE film SET rate = 1';\nEXECUTE s; END",
		"CREATE PROCEDURE apart() UPDATE other SET rate = 1",
		"CREATE EVENT ev ON SCHEDULE EVERY 1 DAY STARTS '2035-01-01 00:00:00' DO UPDATE film SET rate = 0",
		"CREATE TRIGGER own BEFORE UPDATE ON film FOR EACH ROW SET NEW.note = NEW.rate",
		"CREATE TRIGGER elsewhere AFTER UPDATE ON other FOR EACH ROW UPDATE film SET rate = NEW.rate")
	const reads = ": the server keeps it, check whether it has to be re-created."
	notes := func(what string) []string {
		return []string{"Event ev names " + what + ", on line 1 of its statement" + reads, "Routine dynamic names " + what + ", on line 3 of its statement" + reads,
			"Routine f names " + what + ", on line 4 of its statement" + reads, "Trigger elsewhere names " + what + ", on line 1 of its statement" + reads}
	}
	for _, tt := range []struct {
		edits string
		notes []string
		step  string // with the risk
	}{
		{`[{"op":"set_column","table":{"name":"film"},"column":{"name":"rate"},"set":{"name":"cost"}}]`,
			notes("film.rate, which is renamed"), "Rename columns of table film: rate to cost"},
		{`[{"op":"set_column","table":{"name":"film"},"column":{"name":"note"},"set":{"name":"remark"}}]`, nil, ""},
		{`[{"op":"drop_column","table":{"name":"other"},"column":{"name":"id"}}]`, nil, ""},
		{`[{"op":"set_table","table":{"name":"other"},"set":{"name":"others"}}]`,
			[]string{"Routine apart names other, which is renamed, on line 2 of its statement" + reads}, "Rename table other to others"},
		{`[{"op":"drop_table","table":{"name":"other"}}]`,
			[]string{"Routine apart names other, which is dropped, on line 2 of its statement" + reads}, "Drop table other"},
	} {
		_, _, p := change(t, db, tt.edits)
		found := slices.DeleteFunc(slices.Clone(p.Notes), func(n string) bool { return !slices.Contains(tt.notes, n) })
		assert.Equal(t, tt.notes, orNone(found), "%s\n%q", tt.edits, p.Notes)
		step := ""
		for _, s := range p.Steps {
			if slices.Contains(s.Risks, designer.RiskBreaks) {
				assert.Empty(t, step)
				step = s.Comment
			}
		}
		assert.Equal(t, tt.step, step, tt.edits)
	}
}

// orNone is nil for an empty list.
func orNone(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

func TestAPartitionKeyIsNotDropped(t *testing.T) {
	db := newDatabase(t)
	exec(t, db, "CREATE TABLE parted (id integer, at integer, p0 integer) PARTITION BY RANGE (at) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)")
	_, design, _ := change(t, db, `[{"op":"drop_column","table":{"name":"parted"},"column":{"name":"p0"}}]`)
	assert.Nil(t, design.Check())
	_, err := tryChange(t, db, `[{"op":"drop_column","table":{"name":"parted"},"column":{"name":"at"}}]`)
	assert.ErrorContains(t, err, "column at is part of its partition key: keep it")
}
