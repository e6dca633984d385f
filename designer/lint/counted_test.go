package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/lint/rule"
)

// countedCases have what a rule finds something in, and what not, of a table a
// with an index ix.
var countedCases = []struct {
	rule      rule.ID
	bad, good designer.TableStatistics
}{
	{rule.UnusedTable, designer.TableStatistics{Rows: 10}, designer.TableStatistics{Rows: 10, Reads: 1}},
	{rule.UnusedTable, designer.TableStatistics{Rows: 10}, designer.TableStatistics{}},
	{rule.NoRows, designer.TableStatistics{}, designer.TableStatistics{Rows: 1}},
	{rule.UnusedIndex, designer.TableStatistics{Rows: 9, Reads: 100, IndexReads: map[string]int64{"ix": 0}}, designer.TableStatistics{Rows: 9, Reads: 100, IndexReads: map[string]int64{"ix": 1, "uq": 0}}},
	{rule.UnusedIndex, designer.TableStatistics{Rows: 9, Reads: 100, IndexReads: map[string]int64{"ix": 0}}, designer.TableStatistics{Rows: 9, Reads: 99, IndexReads: map[string]int64{"ix": 0}}},
	{rule.HeavyIndexes, designer.TableStatistics{Bytes: 1 << 20, IndexBytes: 1 << 27}, designer.TableStatistics{Bytes: 1 << 20, IndexBytes: 1 << 22}},
	{rule.DeadRows, designer.TableStatistics{Rows: 30_000, DeadRows: 11_000}, designer.TableStatistics{Rows: 40_000, DeadRows: 11_000}},
	{rule.EmptyColumn, designer.TableStatistics{Rows: 3, Empty: []string{"x"}}, designer.TableStatistics{Rows: 0, Empty: []string{"x"}}},
}

func TestRulesOfWhatTheServerCounted(t *testing.T) {
	tried := map[rule.ID]bool{}
	for _, c := range countedCases {
		tried[c.rule] = true
		for _, d := range ruleOf(c.rule).Dialects {
			s := schema(t, d, "a: id int key, x int null; index ix (x); unique uq (x, id)")
			look := func(counted designer.TableStatistics, others int64) []lint.Finding {
				in := s.Tables()[0].Schema
				stats := &designer.Statistics{Tables: map[designer.TableName]designer.TableStatistics{
					{Schema: in, Name: "a"}: counted, {Schema: in, Name: "b"}: {Reads: others}}}
				return lint.Check(s, lint.Options{Only: []rule.ID{c.rule}, Statistics: stats})
			}
			assert.Len(t, look(c.bad, 100), 1, "%s on %s", c.rule, d)
			assert.Empty(t, look(c.good, 100), "%s on %s", c.rule, d)
			assert.Empty(t, only(s, c.rule), "%s says something without statistics", c.rule)
			if c.rule == rule.UnusedTable {
				assert.Empty(t, look(c.bad, 99), "%s: the server has just begun to count", d)
			}
		}
	}
	for _, r := range lint.Rules() {
		assert.Equal(t, r.Counted, tried[r.ID], r.ID)
	}
}
