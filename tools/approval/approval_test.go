package approval_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

const (
	yes = `{"confirm":{"action":"accept","content":{"decision":"approve"}}}`
	no  = `{"confirm":{"action":"accept","content":{"decision":"reject"}}}`
)

// bench is a ledger with a clock of the test's.
type bench struct {
	*approval.Ledger
	t       *testing.T
	now     time.Time
	changes int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	var err error
	b.Ledger, err = approval.New(approval.Options{URL: "http://127.0.0.1:50001", Project: func() string { return "harbour" }, Now: func() time.Time { return b.now },
		Changed: func() { b.changes++ }})
	require.NoError(t, err)
	return b
}

func (b *bench) decide(call tools.Call, p approval.Plan) approval.Decision {
	b.t.Helper()
	d, err := b.Decide(call, p)
	require.NoError(b.t, err)
	set := 0
	for _, is := range []bool{d.Allowed, d.Ask != nil, d.Refused != nil} {
		if is {
			set++
		}
	}
	require.Equal(b.t, 1, set, "%+v", d)
	return d
}

// dropT is a call that would drop t, by a client that can ask a person or not.
func dropT(asks bool) (tools.Call, approval.Plan) {
	return tools.Call{Tool: "execute-sql", Arguments: json.RawMessage(`{"statement":"DROP TABLE t"}`),
			Client: tools.Client{ID: "front", Name: "agent", Version: "1", Elicitation: asks}},
		approval.Plan{Kind: approval.KindQuery, Title: "Run this?", Detail: "DROP TABLE t", Format: approval.FormatSQL, Bound: []byte("drop t"), Argument: "plan_id"}
}

func TestAnAnswerIsGoodForWhatWasAskedOnceAndForTenMinutes(t *testing.T) {
	other := newBench(t)
	for name, tt := range map[string]struct {
		answers string
		after   time.Duration
		change  func(c *tools.Call, p *approval.Plan)
		problem string
	}{
		"a yes":                     {yes, 10 * time.Minute, nil, ""},
		"a dismissal":               {`{"confirm":{"action":"cancel"}}`, 0, nil, "the client answered cancel."},
		"a refusal of the client's": {`{"confirm":{"action":"decline"}}`, 0, nil, "the client answered decline."},
		"an error of the client's":  {`{"confirm":{"action":"error"}}`, 0, nil, "the client answered error."},
		"an empty form":             {`{"confirm":{"action":"accept"}}`, 0, nil, "accept without a choice."},
		"a form without the choice": {`{"confirm":{"action":"accept","content":{}}}`, 0, nil, "accept without a choice."},
		"a choice of another word":  {`{"confirm":{"action":"accept","content":{"decision":"yes"}}}`, 0, nil, "accept without a choice."},
		"a choice that is no word":  {`{"confirm":{"action":"accept","content":{"decision":true}}}`, 0, nil, "accept without a choice."},
		"a choice of another field": {`{"confirm":{"action":"accept","content":{"approve":"approve"}}}`, 0, nil, "accept without a choice."},
		"a choice that is declined": {`{"confirm":{"action":"decline","content":{"decision":"approve"}}}`, 0, nil, "the client answered decline."},
		"no answer":                 {``, 0, nil, "did not answer"},
		"an error for an answer":    {`{"confirm":{"error":{"code":1}}}`, 0, nil, "did not answer"},
		"an answer to another":      {`{"ok":{"action":"accept","content":{"decision":"approve"}}}`, 0, nil, "did not answer"},
		"an answer that is none":    {`[]`, 0, nil, "cannot be read"},
		"two answers":               {`{"confirm":{"action":"decline"},"confirm":{"action":"accept","content":{"decision":"approve"}}}`, 0, nil, "cannot be read"},
		"a yes that comes late":     {yes, 10*time.Minute + 1, nil, "too late"},
		"another effect":            {yes, 0, func(_ *tools.Call, p *approval.Plan) { p.Bound = []byte("drop u") }, "is not the one that was asked about"},
		"another kind":              {yes, 0, func(_ *tools.Call, p *approval.Plan) { p.Kind = approval.KindFile }, "is not the one that was asked about"},
		"other words":               {yes, 0, func(_ *tools.Call, p *approval.Plan) { p.Detail = "DROP TABLE  t" }, "is not the one that was asked about"},
		"another tool":              {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Tool = "fs_edit_file" }, "is not the one that was asked about"},
		"other arguments":           {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Arguments = json.RawMessage(`{"statement":"DROP TABLE u"}`) }, "is not the one that was asked about"},
		"another front-end":         {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Client.ID = "other" }, "through another client"},
		"a client without a person": {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Client.Elicitation = false }, "this one cannot"},
		"a made-up state":           {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.State = "eyJ" + c.State }, "its state was not issued by this process"},
		"a state that is none":      {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.State = "?" }, "its state was not issued by this process"},
		"another process's state": {yes, 0, func(c *tools.Call, p *approval.Plan) {
			first, _ := dropT(true)
			c.State = other.decide(first, *p).Ask.State
		}, "its state was not issued by this process"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			first, plan := dropT(true)
			ask := b.decide(first, plan).Ask
			require.NotNil(t, ask)
			b.now = b.now.Add(tt.after)
			call, plan := dropT(true)
			call.State, call.Answers = ask.State, json.RawMessage(tt.answers)
			if tt.change != nil {
				tt.change(&call, &plan)
			}
			d := b.decide(call, plan)
			assert.Equal(t, tt.problem == "", d.Allowed)
			if tt.problem == "" {
				assert.Empty(t, b.List(), "nothing is filed where the client asks")
				return
			}
			assert.Equal(t, approval.ApprovalRequired, d.Refused.Reason)
			assert.Contains(t, d.Refused.Message, tt.problem)
			assert.NotContains(t, d.Refused.Message, "person declined")
			require.Len(t, b.List(), 1, "what no person decided waits for one")
			assert.Equal(t, b.List()[0].ID, d.Refused.PlanID)
		})
	}
}

func TestAnAnswerIsSpentWhateverItSays(t *testing.T) {
	for _, answer := range []string{yes, no, ``, `[]`} {
		b := newBench(t)
		call, plan := dropT(true)
		call.State = b.decide(call, plan).Ask.State
		call.Answers = json.RawMessage(answer)
		b.decide(call, plan)
		call.Answers = json.RawMessage(yes)
		assert.Contains(t, b.decide(call, plan).Refused.Message, "it was used before", "after %s", answer)
	}
	b := newBench(t)
	call, plan := dropT(true)
	call.State, call.Answers = b.decide(call, plan).Ask.State, json.RawMessage(yes)
	other := plan
	other.Bound = []byte("drop u")
	assert.Contains(t, b.decide(call, other).Refused.Message, "is not the one that was asked about")
	assert.Contains(t, b.decide(call, plan).Refused.Message, "it was used before", "a state that was tried on another call")
}

func TestARejectionInTheFormIsFinal(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(true)
	call.State, call.Answers = b.decide(call, plan).Ask.State, json.RawMessage(no)
	r := b.decide(call, plan).Refused
	assert.Equal(t, approval.Refusal{Reason: approval.Declined,
		Message: "to the question the client answered reject; nothing was changed. Do not repeat it without being asked to"}, *r)
	assert.Empty(t, b.List())
}

func TestTheQuestionIsAFormThatSaysAllOfIt(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(true)
	plan.Detail = "\n\nDROP TABLE \"t\"\n"
	ask := b.decide(call, plan).Ask
	assert.JSONEq(t, `{"confirm":{"method":"elicitation/create","params":{"mode":"form","message":"harbour: Run this?\nDROP TABLE \"t\"",
		"requestedSchema":{"type":"object","properties":{"decision":{"type":"string","title":"Your decision",
		"enum":["approve","reject"],"enumNames":["Approve: do it now, once","Reject: change nothing"]}},"required":["decision"]}}}}`, string(ask.Requests))
	assert.NotContains(t, ask.State, "DROP")

	plan.Question = "• Drop it"
	assert.Contains(t, string(b.decide(call, plan).Ask.Requests), `"message":"harbour: Run this?\n• Drop it"`)
}

// Clients cut what is long, and offer a yes beneath it.
func TestWhatAFormDoesNotShowWholeIsNotAskedInOne(t *testing.T) {
	for name, tt := range map[string]struct {
		client  string
		detail  string
		partial bool
		asked   bool
	}{
		"five lines":                     {"agent", "1\n2\n3\n4", false, true},
		"six lines":                      {"agent", "1\n2\n3\n4\n5", false, false},
		"one line of four":               {"agent", strings.Repeat("x", 320), false, true},
		"one line of five":               {"agent", strings.Repeat("x", 321), false, false},
		"a line of tabs":                 {"agent", strings.Repeat("\t", 41), false, false},
		"a part of it":                   {"agent", "1", true, false},
		"the command line":               {"berth", strings.Repeat("x\n", 100), true, true},
		"the page":                       {"berth page", strings.Repeat("x\n", 100), true, true},
		"more than the page's form":      {"berth page", strings.Repeat("x", approval.MaxQuestion), false, false},
		"a client that is called nearly": {"berthier", "1\n2\n3\n4\n5", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			call, plan := dropT(true)
			call.Client.Name, plan.Detail, plan.Partial = tt.client, tt.detail, tt.partial
			d := b.decide(call, plan)
			assert.Equal(t, tt.asked, d.Ask != nil)
			if !tt.asked {
				assert.Contains(t, d.Refused.Message, "more than a client's form shows whole")
				assert.NotEmpty(t, d.Refused.PlanID, "what no form shows whole is shown on the page")
			}
		})
	}
}

func TestWhatIsNotSeenIsWrittenOut(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(false)
	plan.Title = "Run \u202e this\nnow?"
	plan.Detail = "a\u200bb\x1b[2Kc\u00a0d\xff é 👍🏽\r\n\tx\ny"
	b.decide(call, plan)
	e := b.List()[0]
	assert.Equal(t, `Run \u{202e} this now?`, e.Title)
	assert.Equal(t, `a\u{200b}b\u{1b}[2Kc\u{a0}d\xff é 👍🏽\u{d}`+"\n\tx\ny", e.Detail)
	plan.Detail = "a\r\nb\r\n"
	b.decide(call, plan)
	assert.Equal(t, "a\nb\n", b.List()[1].Detail, "line ends that are all alike say nothing")
}

func TestArgumentsAreOneWhateverTheirOrder(t *testing.T) {
	for _, tt := range [][3]string{
		{`{"b":1, "a":{"y":2,"x":3}}`, ``, `{"a":{"x":3,"y":2},"b":1}`},
		{``, ``, `{}`},
		{`{"a":1,"plan_id":"p"}`, `plan_id`, `{"a":1}`},
		{`{"a":1,"payload":{"planId":"p"}}`, `payload.planId`, `{"a":1}`},
		{`{"a":1,"payload":{}}`, `payload.planId`, `{"a":1}`},
		{`{"payload":{"planId":"p","b":1}}`, `payload.planId`, `{"payload":{"b":1}}`},
		{`{"payload":7}`, `payload.planId`, `{"payload":7}`},
	} {
		var drop []string
		if tt[1] != "" {
			drop = []string{tt[1]}
		}
		got, err := approval.Arguments([]byte(tt[0]), drop...)
		require.NoError(t, err, tt[0])
		assert.Equal(t, tt[2], string(got))
	}
	_, err := approval.Arguments([]byte(`{"a":1,"a":2}`), "b")
	assert.Error(t, err)
}
