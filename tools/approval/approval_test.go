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

const yes, no = `{"confirm":{"action":"accept"}}`, `{"confirm":{"action":"decline"}}`

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
	b.Ledger, err = approval.New(approval.Options{URL: "http://127.0.0.1:50001", Now: func() time.Time { return b.now },
		Changed: func() { b.changes++ }})
	require.NoError(t, err)
	return b
}

func (b *bench) decide(call tools.Call, p approval.Plan) approval.Decision {
	b.t.Helper()
	d, err := b.Decide(call, p)
	require.NoError(b.t, err)
	set := 0
	for _, is := range []bool{d.Allowed, d.Ask != nil, d.PlanID != "", d.Denied != ""} {
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
		approval.Plan{Kind: approval.KindQuery, Title: "Run this?", Detail: "DROP TABLE t", Format: approval.FormatSQL, Bound: []byte("drop t")}
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
		"a no":                      {no, 0, nil, "a person declined this"},
		"a dismissal":               {`{"confirm":{"action":"cancel"}}`, 0, nil, "was not answered"},
		"no answer":                 {``, 0, nil, "was not answered"},
		"an error for an answer":    {`{"confirm":{"error":{"code":1}}}`, 0, nil, "was not answered"},
		"an answer to another":      {`{"ok":{"action":"accept"}}`, 0, nil, "was not answered"},
		"an answer that is none":    {`[]`, 0, nil, "cannot be read"},
		"two answers":               {`{"confirm":{"action":"decline"},"confirm":{"action":"accept"}}`, 0, nil, "cannot be read"},
		"a yes that comes late":     {yes, 10*time.Minute + 1, nil, "too late"},
		"another effect":            {yes, 0, func(_ *tools.Call, p *approval.Plan) { p.Bound = []byte("drop u") }, "is not the one that was asked about"},
		"another kind":              {yes, 0, func(_ *tools.Call, p *approval.Plan) { p.Kind = approval.KindFile }, "is not the one that was asked about"},
		"other words":               {yes, 0, func(_ *tools.Call, p *approval.Plan) { p.Detail = "DROP TABLE  t" }, "is not the one that was asked about"},
		"another tool":              {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Tool = "fs_edit_file" }, "is not the one that was asked about"},
		"other arguments":           {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Arguments = json.RawMessage(`{"statement":"DROP TABLE u"}`) }, "is not the one that was asked about"},
		"another front-end":         {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Client.ID = "other" }, "by another way"},
		"a client without a person": {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.Client.Elicitation = false }, "this one cannot"},
		"a made-up state":           {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.State = "eyJ" + c.State }, "its state is not ours"},
		"a state that is none":      {yes, 0, func(c *tools.Call, _ *approval.Plan) { c.State = "?" }, "its state is not ours"},
		"another process's state": {yes, 0, func(c *tools.Call, p *approval.Plan) {
			first, _ := dropT(true)
			c.State = other.decide(first, *p).Ask.State
		}, "its state is not ours"},
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
			assert.Contains(t, d.Denied, tt.problem)
			assert.Empty(t, b.List(), "nothing is filed where the client asks")
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
		assert.Contains(t, b.decide(call, plan).Denied, "it was used before", "after %s", answer)
	}
	b := newBench(t)
	call, plan := dropT(true)
	call.State, call.Answers = b.decide(call, plan).Ask.State, json.RawMessage(yes)
	other := plan
	other.Bound = []byte("drop u")
	assert.Contains(t, b.decide(call, other).Denied, "is not the one that was asked about")
	assert.Contains(t, b.decide(call, plan).Denied, "it was used before", "a state that was tried on another call")
}

func TestTheQuestionIsAFormThatSaysAllOfIt(t *testing.T) {
	b := newBench(t)
	call, plan := dropT(true)
	plan.Detail = "DROP TABLE \"t\""
	ask := b.decide(call, plan).Ask
	assert.JSONEq(t, `{"confirm":{"method":"elicitation/create","params":{"mode":"form","message":"Run this?\n\nDROP TABLE \"t\"","requestedSchema":{"type":"object","properties":{}}}}}`, string(ask.Requests))
	assert.NotContains(t, ask.State, "DROP")

	plan.Question = "Drop it?"
	assert.Contains(t, string(b.decide(call, plan).Ask.Requests), `"message":"Drop it?"`)

	plan.Question, plan.Detail = "", strings.Repeat("x", approval.MaxQuestion)
	long := b.decide(call, plan)
	assert.NotEmpty(t, long.PlanID, "what no form shows whole is shown on the page")
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
