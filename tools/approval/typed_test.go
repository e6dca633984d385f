package approval_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

// losing is a plan that loses data.
func losing(asks bool) (tools.Call, approval.Plan) {
	call, plan := dropT(asks)
	plan.LosesData, plan.About.Database = true, "shop.db"
	return call, plan
}

func TestOnlyALossOfDataWantsANameTyped(t *testing.T) {
	_, plan := losing(false)
	assert.Equal(t, "shop.db", approval.NameToType(plan))
	plan.About.Database = " a\u202eb\n "
	assert.Equal(t, `a\u{202e}b`, approval.NameToType(plan), "as it is seen")
	plan.About.Database, plan.About.Connection = "", "main"
	assert.Equal(t, "main", approval.NameToType(plan))
	plan.About.Connection = ""
	assert.Equal(t, "query", approval.NameToType(plan), "never nothing")
	plan.LosesData = false
	assert.Empty(t, approval.NameToType(plan))
}

func TestAFormApprovesALossOfDataByTheNameAlone(t *testing.T) {
	for content, problem := range map[string]string{
		`{"decision":"approve","database":"shop.db"}`:   "",
		`{"decision":"approve","database":" shop.db "}`: "",
		`{"decision":"approve"}`:                        "approve without the database's name",
		`{"decision":"approve","database":"shop"}`:      "approve without the database's name",
		`{"decision":"approve","database":"SHOP.DB"}`:   "approve without the database's name",
		`{"decision":"approve","database":null}`:        "approve without the database's name",
		`{"decision":"reject"}`:                         "reject",
	} {
		b := newBench(t)
		call, plan := losing(true)
		ask := b.decide(call, plan).Ask
		require.NotNil(t, ask)
		assert.Contains(t, string(ask.Requests), `"description":"To approve, type shop.db"`)
		assert.Contains(t, string(ask.Requests), `"_meta":{"berth.dev/nameToType":"shop.db"}`)
		assert.Contains(t, string(ask.Requests), `"required":["decision"]`, "who rejects types nothing")
		call.State, call.Answers = ask.State, json.RawMessage(`{"confirm":{"action":"accept","content":`+content+`}}`)
		d := b.decide(call, plan)
		assert.Equal(t, problem == "", d.Allowed, content)
		if problem != "" {
			assert.Contains(t, d.Refused.Message, problem, content)
		}
	}
}

func TestAFiledLossOfDataIsApprovedByTheNameAlone(t *testing.T) {
	b := newBench(t)
	call, plan := losing(false)
	plan.ID = b.decide(call, plan).Refused.PlanID
	assert.Equal(t, "shop.db", b.List()[0].NameToType)
	for _, typed := range []string{"", "shop", "Shop.db"} {
		_, err := b.Settle(plan.ID, true, typed)
		var untyped *approval.NotTypedError
		require.ErrorAs(t, err, &untyped, typed)
		assert.Equal(t, "shop.db", untyped.Name)
		assert.Equal(t, approval.Pending, b.List()[0].State)
	}
	_, err := b.Settle(plan.ID, true, "shop.db ")
	require.NoError(t, err)
	assert.True(t, b.decide(call, plan).Allowed)

	call, plan = losing(false)
	id := b.decide(call, plan).Refused.PlanID
	_, err = b.Settle(id, false, "")
	require.NoError(t, err, "a no needs no name")
}

func TestAnApprovalOfAPlanHoldsForWhetherItLosesData(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	plan.ID = b.decide(call, plan).Refused.PlanID
	b.settle(plan.ID, true)
	plan.LosesData, plan.About.Database = true, "shop.db"
	assert.Contains(t, b.decide(call, plan).Refused.Message, "is not the one that was asked about")
}
