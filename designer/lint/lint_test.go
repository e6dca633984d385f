package lint_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
	"github.com/berth-dev/berth/designer/lint"
	"github.com/berth-dev/berth/designer/lint/rule"
)

// only checks one rule.
func only(s *designer.Schema, r rule.ID) []lint.Finding {
	return lint.Check(s, lint.Options{Only: []rule.ID{r}})
}

func ruleOf(id rule.ID) *lint.Rule {
	for _, r := range lint.Rules() {
		if r.ID == id {
			return &r
		}
	}
	return nil
}

// dialectsOf are those in which a case is tried.
func (c ruleCase) dialectsOf() []string {
	if c.in != nil {
		return c.in
	}
	if d := ruleOf(c.rule).Dialects; d != nil {
		return d
	}
	return dialectNames
}

func TestEachRuleFindsWhatItIsForAndNothingElse(t *testing.T) {
	for i, c := range cases {
		for _, d := range c.dialectsOf() {
			bad, good := schema(t, d, c.bad, c.badObjects...), schema(t, d, c.good, c.goodObjects...)
			found := only(bad, c.rule)
			require.NotEmpty(t, found, "case %d: %s finds nothing on %s in:\n%s", i, c.rule, d, c.bad)
			assert.Empty(t, only(good, c.rule), "case %d: %s on %s in:\n%s", i, c.rule, d, c.good)
			for _, f := range found {
				assert.NotEmpty(t, f.Message)
				assert.Less(t, len(f.Message), 200)
				assert.Equal(t, c.rule, f.Rule)
			}
		}
	}
}

// TestEveryRuleHasACaseForEveryDialect holds the table of cases to the table
// of rules.
func TestEveryRuleHasACaseForEveryDialect(t *testing.T) {
	rules := lint.Rules()
	require.Len(t, rules, len(rule.All()))
	for i, r := range rules {
		assert.Equal(t, rule.All()[i], r.ID, "rules are in the order of their names")
		assert.NotEmpty(t, r.Says, r.ID)
		assert.NotEmpty(t, r.Why, r.ID)
		assert.Contains(t, lint.Severities(), r.Severity, r.ID)
		if r.Counted {
			continue // counted_test.go
		}
		for _, d := range dialectNames {
			tried := slices.ContainsFunc(cases, func(c ruleCase) bool { return c.rule == r.ID && slices.Contains(c.dialectsOf(), d) })
			assert.Equal(t, r.For(d), tried, "rule %s on %s", r.ID, d)
		}
	}
}

// TestEditsSettleTheFinding makes the edits of every finding and looks again.
func TestEditsSettleTheFinding(t *testing.T) {
	edited := map[rule.ID]bool{}
	for _, c := range cases {
		for _, d := range c.dialectsOf() {
			s := schema(t, d, c.bad, c.badObjects...)
			version := s.Version()
			found := only(s, c.rule)
			offered := len(found[0].Edits)
			lint.Prove(s, found)
			require.Equal(t, version, s.Version(), "proving leaves the design as it was")
			require.NoError(t, s.Check())
			assert.Equal(t, offered, len(found[0].Edits), "%s on %s offers edits that the design refuses: %s", c.rule, d, c.bad)
			if len(found[0].Edits) == 0 {
				continue
			}
			edited[c.rule] = true
			apply(t, s, found[0].Edits)
			for _, again := range only(s, c.rule) {
				assert.NotEqual(t, found[0].Key(), again.Key(), "%s on %s: the edit changes nothing", c.rule, d)
			}
			assert.NotContains(t, rulesOf(lint.Check(s, lint.Options{})), c.rule, "%s on %s is still found", c.rule, d)
		}
	}
	for _, r := range lint.Rules() {
		assert.Equal(t, r.Edit != "", edited[r.ID], "rule %s says %q of its edit", r.ID, r.Edit)
	}
}

func apply(t *testing.T, s *designer.Schema, list []lint.Edit) {
	t.Helper()
	raw, err := json.Marshal(list)
	require.NoError(t, err)
	wanted, unread := edits.Decode(raw)
	if unread != nil {
		require.FailNow(t, "the edits are not those of apply_edits", "%s: %s", raw, unread.Message)
	}
	for _, e := range wanted {
		_, refused := s.Apply(e)
		if refused != nil {
			require.FailNow(t, "the edit is refused", "%s: %s", raw, refused.Message)
		}
	}
}

func rulesOf(list []lint.Finding) []rule.ID {
	ids := make([]rule.ID, len(list))
	for i, f := range list {
		ids[i] = f.Rule
	}
	return ids
}

func TestOptionsChooseRulesAndTables(t *testing.T) {
	s := schema(t, "postgres", "a: x int\nb: x int")
	both := lint.Check(s, lint.Options{Only: []rule.ID{rule.NoPrimaryKey}})
	require.Len(t, both, 2)
	one := lint.Check(s, lint.Options{Only: []rule.ID{rule.NoPrimaryKey}, Tables: map[designer.ID]bool{both[1].TableID: true}})
	assert.Equal(t, both[1:], one)
	assert.NotContains(t, rulesOf(lint.Check(s, lint.Options{Off: []rule.ID{rule.NoPrimaryKey}})), rule.NoPrimaryKey)
	assert.NotContains(t, rulesOf(lint.Check(s, lint.Options{})), rule.IsolatedTable, "it is off")
	assert.Contains(t, rulesOf(lint.Check(s, lint.Options{On: []rule.ID{rule.IsolatedTable}})), rule.IsolatedTable)
	assert.Empty(t, lint.Check(s, lint.Options{Ignore: func(*designer.Table) bool { return true }}))
}

func TestWhatAChangeBrings(t *testing.T) {
	before := schema(t, "postgres", "a: x int")
	after := schema(t, "postgres", "a: x int")
	apply(t, after, []lint.Edit{{Op: designer.AddIndex, Table: designer.TableRef{Name: "a"}, Index: map[string]any{"name": "one", "columns": []string{"x"}}},
		{Op: designer.AddIndex, Table: designer.TableRef{Name: "a"}, Index: map[string]any{"name": "two", "columns": []string{"x"}}}})
	same, err := before.Adopt(after.Definition()) // ids as of the same table
	require.NoError(t, err)
	brought := lint.New(lint.Check(before, lint.Options{}), lint.Check(same, lint.Options{}))
	assert.Equal(t, []rule.ID{rule.DuplicateIndex}, rulesOf(brought))
}

// TestEditsThatTheDesignRefusesAreNotOffered has a foreign key in the way of
// another type.
func TestEditsThatTheDesignRefusesAreNotOffered(t *testing.T) {
	s := schema(t, "mysql", "a: id small key identity\nb: id int key, a small -> a.id")
	found := only(s, rule.SmallIdentity)
	require.Len(t, found, 1)
	require.NotEmpty(t, found[0].Edits)
	lint.Prove(s, found)
	assert.Empty(t, found[0].Edits)
}

func TestTablesOfMigrationToolsAreLeftAlone(t *testing.T) {
	assert.Empty(t, lint.Check(schema(t, "postgres", "schema_migrations: version text\nalembic_version: version_num text"), lint.Options{}))
}
