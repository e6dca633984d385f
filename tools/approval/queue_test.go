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
	require.NotEmpty(b.t, d.PlanID)
	plan.ID = d.PlanID
	return call, plan
}

func TestWithoutAClientThatAsksAPlanWaitsForAPerson(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	d := b.decide(call, plan)
	assert.Equal(t, b.now.Add(approval.Life), d.Expires)
	words := b.Waiting(d, "plan_id")
	assert.Contains(t, words, "approval_required: ")
	assert.Contains(t, words, "on the page http://127.0.0.1:50001 or with berth approvals at a terminal")
	assert.Contains(t, words, fmt.Sprintf("repeat this call with plan_id: %q", d.PlanID))
	assert.Equal(t, []approval.Entry{{ID: d.PlanID, Kind: approval.KindQuery, Title: "Run this?", Detail: "DROP TABLE t",
		Format: "sql", Client: "agent 1", Created: b.now, Expires: d.Expires, State: approval.Pending}}, b.List())
	assert.Equal(t, 1, b.changes)

	again := b.decide(call, plan)
	assert.Equal(t, d, again, "one plan is filed once")
	plan.ID = d.PlanID
	assert.Equal(t, d.PlanID, b.decide(call, plan).PlanID, "nobody has decided yet")
	assert.Equal(t, 1, b.changes)
	assert.Equal(t, 1, b.Pending())
}

func TestAnApprovedPlanIsGoodOnce(t *testing.T) {
	b := newBench(t)
	call, plan := b.filed()
	e, err := b.Settle(plan.ID, true)
	require.NoError(t, err)
	assert.Equal(t, approval.Approved, e.State)
	assert.Zero(t, b.Pending())
	call.Client.ID = "a front-end that was started meanwhile"
	assert.True(t, b.decide(call, plan).Allowed)
	assert.Contains(t, b.decide(call, plan).Denied, "is used")
	assert.Equal(t, approval.Used, b.List()[0].State)
	_, err = b.Settle(plan.ID, true)
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
			assert.False(t, d.Allowed)
			assert.Contains(t, d.Denied, tt.problem)
			assert.Equal(t, tt.after, b.List()[0].State)
		})
	}
}

func (b *bench) settle(id string, approve bool) {
	b.t.Helper()
	_, err := b.Settle(id, approve)
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
	assert.Contains(t, after.decide(call, plan).Denied, "berth was restarted")
	_, err := after.Settle(plan.ID, true)
	assert.ErrorIs(t, err, approval.ErrUnknown)
}

func TestOnlySoManyPlansWait(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	for i := range 32 {
		plan.Bound = []byte{byte(i)}
		require.NotEmpty(t, b.decide(call, plan).PlanID)
	}
	plan.Bound = []byte("one more")
	assert.Contains(t, b.decide(call, plan).Denied, "32 plans wait for one already, which is the limit")
	for i, e := range b.List() {
		b.settle(e.ID, i%2 == 0)
	}
	assert.NotEmpty(t, b.decide(call, plan).PlanID, "there is room again")
	b.now = b.now.Add(time.Hour)
	for i := range 40 {
		plan.Bound = []byte{byte(i), 1}
		b.decide(call, plan)
	}
	assert.LessOrEqual(t, len(b.List()), 64, "what is over is forgotten")
}

func TestWhatIsNotShownWholeCannotBeApproved(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	plan.Detail = strings.Repeat("é", approval.MaxDetail/2+1)
	id := b.decide(call, plan).PlanID
	e := b.List()[0]
	assert.True(t, e.Cut)
	assert.Len(t, e.Detail, approval.MaxDetail)
	_, err := b.Settle(id, true)
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
