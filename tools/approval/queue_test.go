package approval_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

// filed is a plan that waits for a person, and its call with the plan's id.
func (b *bench) filed() (call tools.Call, plan approval.Plan) {
	b.t.Helper()
	call, plan = dropT(false)
	d := b.decide(call, plan)
	require.NotNil(b.t, d.Refused)
	require.NotEmpty(b.t, d.Refused.PlanID)
	plan.ID = d.Refused.PlanID
	return call, plan
}

func TestWithoutAClientThatAsksAPlanWaitsForAPerson(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	plan.About = approval.About{Connection: "main", Database: "app.db", Statements: []string{"DROP TABLE t"}}
	d := b.decide(call, plan)
	r := d.Refused
	assert.Equal(t, approval.ApprovalRequired, r.Reason)
	assert.Equal(t, approval.FiledPlan{PlanID: r.PlanID, PlanArgument: "plan_id", URL: "http://127.0.0.1:50001",
		ExpiresAt: b.now.Add(approval.MaxLifetime).Local()}, r.FiledPlan)
	assert.Contains(t, r.Message, "on the page http://127.0.0.1:50001 or with berth approvals at a terminal")
	assert.Contains(t, r.Message, fmt.Sprintf("repeat this call with plan_id: %q", r.PlanID))
	assert.Equal(t, []approval.Entry{{ID: r.PlanID, Kind: approval.KindQuery, Title: "Run this?", Detail: "DROP TABLE t",
		Format: "sql", Client: "agent 1", Created: b.now, Expires: b.now.Add(approval.MaxLifetime), State: approval.Pending,
		About: plan.About}}, b.List())
	assert.Equal(t, 1, b.changes)

	again := b.decide(call, plan)
	assert.Equal(t, d, again, "one plan is filed once")
	plan.ID = r.PlanID
	assert.Equal(t, d, b.decide(call, plan), "nobody has decided yet")
	assert.Equal(t, 1, b.changes)
	assert.Equal(t, 1, b.Pending())
}

func TestAnApprovedPlanIsGoodOnce(t *testing.T) {
	b := newBench(t)
	call, plan := b.filed()
	e, err := b.Settle(plan.ID, true, "")
	require.NoError(t, err)
	assert.Equal(t, approval.Approved, e.State)
	assert.Zero(t, b.Pending())
	call.Client.ID = "a front-end that was started meanwhile"
	assert.True(t, b.decide(call, plan).Allowed)
	assert.Contains(t, b.decide(call, plan).Refused.Message, "is used")
	assert.Equal(t, approval.Used, b.List()[0].State)
	_, err = b.Settle(plan.ID, true, "")
	assert.ErrorContains(t, err, "is used and cannot be decided")
	assert.Equal(t, 3, b.changes, "filed, approved, used")
}

func TestAnApprovalIsGoodForNothingElse(t *testing.T) {
	for name, tt := range map[string]struct {
		change  func(b *bench, c *tools.Call, p *approval.Plan)
		problem string
		after   approval.State
	}{
		"not decided":      {func(*bench, *tools.Call, *approval.Plan) {}, "", approval.Pending},
		"rejected":         {func(b *bench, _ *tools.Call, p *approval.Plan) { b.settle(p.ID, false) }, "a person rejected this", approval.Rejected},
		"an unknown id":    {func(b *bench, _ *tools.Call, p *approval.Plan) { b.settle(p.ID, true); p.ID = "zzzzzzzzzz" }, "no plan waits", approval.Approved},
		"decided too late": {func(b *bench, _ *tools.Call, p *approval.Plan) { b.now = b.now.Add(10*time.Minute + 1) }, "is expired", approval.Expired},
		"used too late": {func(b *bench, _ *tools.Call, p *approval.Plan) {
			b.now = b.now.Add(9 * time.Minute)
			b.settle(p.ID, true)
			b.now = b.now.Add(10*time.Minute + 1)
		}, "is expired", approval.Expired},
		"changed meanwhile": {func(b *bench, _ *tools.Call, p *approval.Plan) { b.settle(p.ID, true); p.Bound = []byte("drop u") }, "is not the one that was asked about", approval.Used},
		"shown otherwise":   {func(b *bench, _ *tools.Call, p *approval.Plan) { b.settle(p.ID, true); p.Title = "Read this?" }, "is not the one that was asked about", approval.Used},
		"another tool":      {func(b *bench, c *tools.Call, p *approval.Plan) { b.settle(p.ID, true); c.Tool = "run-query" }, "belongs to another tool", approval.Used},
		"another call's id": {func(_ *bench, _ *tools.Call, p *approval.Plan) { p.Bound = []byte("drop u") }, "is not for this call", approval.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			call, plan := b.filed()
			tt.change(b, &call, &plan)
			d := b.decide(call, plan)
			require.NotNil(t, d.Refused)
			assert.Contains(t, d.Refused.Message, tt.problem)
			assert.Equal(t, tt.after, b.List()[0].State)
		})
	}
}

func (b *bench) settle(id string, approve bool) {
	b.t.Helper()
	_, err := b.Settle(id, approve, "")
	require.NoError(b.t, err)
}

func TestOfManyCallsAtOnceOneIsAllowed(t *testing.T) {
	b := newBench(t)
	filedCall, filedPlan := b.filed()
	b.settle(filedPlan.ID, true)
	asked, plan := dropT(true)
	asked.State, asked.Answers = b.decide(asked, plan).Ask.State, json.RawMessage(yes)
	for name, once := range map[string]func() (approval.Decision, error){
		"a plan":    func() (approval.Decision, error) { return b.Decide(filedCall, filedPlan) },
		"an answer": func() (approval.Decision, error) { return b.Decide(asked, plan) },
	} {
		var all sync.WaitGroup
		var allowed atomic.Int32
		for range 64 {
			all.Go(func() {
				if d, err := once(); err == nil && d.Allowed {
					allowed.Add(1)
				}
			})
		}
		all.Wait()
		assert.Equal(t, int32(1), allowed.Load(), name)
	}
}

func TestARestartForgetsEveryPlan(t *testing.T) {
	b := newBench(t)
	call, plan := b.filed()
	b.settle(plan.ID, true)
	after := newBench(t)
	assert.Contains(t, after.decide(call, plan).Refused.Message, "berth was restarted")
	_, err := after.Settle(plan.ID, true, "")
	assert.ErrorIs(t, err, approval.ErrUnknown)
}

func TestAFrontEndPushesOutItsOwnOldestPlans(t *testing.T) {
	b := newBench(t)
	person, persons := dropT(false)
	person.Client.ID = "the person's other agent"
	kept := b.decide(person, persons).Refused.PlanID
	flood := func(n int) (ids []string) {
		call, plan := dropT(false)
		for i := range n {
			plan.Bound = []byte{byte(i)}
			ids = append(ids, b.decide(call, plan).Refused.PlanID)
		}
		return ids
	}
	ids := flood(32)
	assert.Equal(t, 8+1, b.Pending())
	call, plan := dropT(false)
	plan.Bound, plan.ID = []byte{0}, ids[0]
	assert.Contains(t, b.decide(call, plan).Refused.Message, "plan "+ids[0]+" is displaced by newer plans")
	_, err := b.Settle(ids[0], true, "")
	assert.ErrorContains(t, err, "is displaced and cannot be decided any more")
	for _, id := range append(ids[24:], kept) {
		b.settle(id, true)
	}
	flood(8)
	assert.Equal(t, approval.Approved, b.find(kept).State, "what a person approved stays")
}

func TestHoweverManyFileNobodyIsShutOut(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	for i := range 200 {
		call.Client.ID = fmt.Sprint("made-up ", i/3)
		plan.Bound = []byte{byte(i)}
		require.NotEmpty(t, b.decide(call, plan).Refused.PlanID)
		require.LessOrEqual(t, b.Pending(), 32)
	}
	call.Client.ID = "one more"
	id := b.decide(call, plan).Refused.PlanID
	assert.Equal(t, approval.Pending, b.find(id).State)
	b.now = b.now.Add(time.Hour)
	b.decide(call, plan)
	assert.LessOrEqual(t, len(b.List()), 64, "what is over is forgotten")
}

func (b *bench) find(id string) approval.Entry {
	b.t.Helper()
	e, err := b.Find(id)
	require.NoError(b.t, err)
	return e
}

func TestTheTextsOfFilesAreKeptForOnePlanAtATime(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	before, after, long := "one\n", "two\n", strings.Repeat("x", approval.MaxText+1)
	plan.About.Files = []approval.File{
		{Path: "a", Before: &approval.Content{Version: "1", Text: &before}, After: &approval.Content{Version: "2", Text: &after}},
		{Path: "b", After: &approval.Content{Version: "3", Text: &long}}}
	id := b.decide(call, plan).Refused.PlanID
	short := []approval.File{{Path: "a", Before: &approval.Content{Version: "1"}, After: &approval.Content{Version: "2"}},
		{Path: "b", After: &approval.Content{Version: "3"}}}
	assert.Equal(t, short, b.List()[0].Files)
	whole := b.find(id)
	assert.Equal(t, plan.About.Files[0], whole.Files[0])
	assert.Equal(t, short[1], whole.Files[1], "a text that is too long is not kept")
	b.settle(id, false)
	assert.Equal(t, short, b.find(id).Files)
	_, err := b.Find("zzzzzzzzzz")
	assert.ErrorIs(t, err, approval.ErrUnknown)
}

func TestWhatIsNotShownWholeCannotBeApproved(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	plan.Detail = strings.Repeat("é", approval.MaxDetail/2+1)
	plan.About.Statements = []string{plan.Detail}
	id := b.decide(call, plan).Refused.PlanID
	e := b.List()[0]
	assert.True(t, e.Cut)
	assert.Empty(t, e.Statements)
	assert.Len(t, e.Detail, approval.MaxDetail)
	_, err := b.Settle(id, true, "")
	assert.ErrorContains(t, err, "longer than what is shown of it")
	b.settle(id, false)
}

func TestAClientsNameIsOneBoundedLine(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	call.Client.Name = "approved by\nthe owner \x1b[32m" + strings.Repeat("x", 200)
	b.decide(call, plan)
	assert.Len(t, b.List()[0].Client, 80)
	assert.Contains(t, b.List()[0].Client, `approved by the owner \u{1b}[32mxxx`)
}
