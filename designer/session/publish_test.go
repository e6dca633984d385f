package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer"
)

// server is a database that can be published to: one statement a table, in
// the words of this test.
type server struct {
	*database
	transactional bool
	refuse        error                      // of Verify
	spell         func(*designer.Definition) // how it words what it is given
	stop          func(step int, done bool) error
	verified      int
	locked        error  // another has the lock
	meanwhile     func() // runs before the lock is had
	trying        func() // runs in a trial
}

var errKilled = errors.New("killed")

func newServer(transactional bool, tables ...designer.TableDefinition) *server {
	return &server{database: newDatabase("db", tables...), transactional: transactional}
}

func (s *server) Plan(d *designer.Diff) (designer.Plan, error) {
	p := designer.Plan{Dialect: "plain", Transactional: s.transactional}
	def := d.To.Definition()
	for _, t := range def.Tables {
		text, err := json.Marshal(t)
		p.Steps = append(p.Steps, designer.Step{Statement: string(text), Comment: "make " + t.Name})
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

func (s *server) Script(*designer.Schema) (designer.Plan, error) { return designer.Plan{}, nil }

func (s *server) Load(context.Context, string) (designer.LoadResult, error) {
	return designer.LoadResult{}, nil
}

func (s *server) Verify(context.Context, designer.Plan, func(int, bool) error) error {
	s.verified++
	if s.trying != nil {
		s.trying()
	}
	return s.refuse
}

func (s *server) Locked(context.Context) error { return s.locked }

func (s *server) Publish(ctx context.Context, p designer.Plan, from int, g designer.Guard, progress func(int, bool) error) error {
	if s.locked != nil {
		return s.locked
	}
	if s.meanwhile != nil {
		s.meanwhile()
	}
	if err := g.Ready(ctx); err != nil {
		return err
	}
	work := slices.Clone(s.def.Tables)
	for i, step := range p.Steps[from:] {
		i += from
		tell := func(done bool) error {
			err := progress(i, done)
			if err == nil && s.stop != nil {
				err = s.stop(i, done)
			}
			return err
		}
		if err := tell(false); err != nil {
			return &designer.StepError{Index: i, Step: step, Applied: i, Err: err}
		}
		var t designer.TableDefinition
		if err := json.Unmarshal([]byte(step.Statement), &t); err != nil {
			return err
		}
		work = slices.DeleteFunc(work, func(o designer.TableDefinition) bool { return o.Name == t.Name })
		work = append(work, t)
		if !s.transactional {
			s.take(work)
		}
		if err := tell(true); err != nil {
			return &designer.StepError{Index: i, Step: step, Applied: i + 1, Err: err}
		}
	}
	s.take(work)
	if s.stop != nil {
		return s.stop(len(p.Steps), true) // after the commit
	}
	return nil
}

func (s *server) take(tables []designer.TableDefinition) {
	def := designer.Definition{Tables: slices.Clone(tables)}
	if s.spell != nil {
		s.spell(&def)
	}
	s.set(def.Tables...)
}

// killAt makes the server stop, and answer nothing more, at a point of a
// publish: what a killed process would not have seen either.
func (s *server) killAt(step int, done bool) {
	s.stop = func(i int, d bool) error {
		if i == step && d == done {
			s.fail(errKilled)
			return errKilled
		}
		return nil
	}
}

func (s *server) revive() { s.stop = nil; s.fail(nil) }

func publish(t *testing.T, d *Designer, s *server) (*Published, error) {
	t.Helper()
	p, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	return d.Publish(t.Context(), s, p.Digest(), Caller{Origin: "agent"}, nil)
}

func TestWhatCouldNotBeTriedIsANote(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders"))
	s.refuse = fmt.Errorf("db: %w", &designer.NotTriedError{Reason: "no row was tried"})
	d := p.show(s)
	apply(t, d, addTable("New"))
	proposal, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	digest := proposal.Digest()
	require.NoError(t, d.Verify(t.Context(), s, proposal, nil))
	assert.Equal(t, []string{"no row was tried"}, proposal.Plan.Notes)
	assert.Equal(t, digest, proposal.Digest(), "the plan is the same")
	_, err = publish(t, d, s)
	assert.NoError(t, err)
}

func TestPublishingMakesTheDesignInTheDatabase(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("New"), addColumn("Orders", "a"))
	done, err := publish(t, d, s)
	require.NoError(t, err)
	assert.Empty(t, done.Left)
	assert.Equal(t, 1, s.verified)
	assert.Equal(t, 2, done.Steps)
	assert.Equal(t, d.Version(), done.Version)
	info := d.Info()
	assert.Equal(t, Synced, info.Sync)
	assert.Equal(t, 2, info.UndoSteps, "edits can be undone still")
	assert.False(t, info.Interrupted)
	again, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	assert.True(t, again.Empty())
	m := modelOf(t, d)
	p.restart()
	assert.Equal(t, m, modelOf(t, p.designer("db")))
}

func TestTheDatabasesSpellingBecomesTheDesigns(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders", "a"))
	s.spell = func(def *designer.Definition) {
		for i := range def.Tables {
			for j := range def.Tables[i].Checks {
				def.Tables[i].Checks[j].Expression = "(a > 0)"
			}
		}
	}
	d := p.show(s)
	apply(t, d, designer.Edit{Op: designer.AddCheck, Table: ref("Orders"),
		Check: designer.CheckSpec{Name: new("positive"), Expression: new("a>0")}})
	done, err := publish(t, d, s)
	require.NoError(t, err)
	assert.Empty(t, done.Left)
	assert.Equal(t, Synced, d.Info().Sync)
	require.NoError(t, d.View(func(s *designer.Schema) {
		assert.Equal(t, "(a > 0)", s.Tables()[0].Checks[0].Expression)
	}))
	_, err = d.Undo(t.Context(), Steps{Count: 2})
	require.NoError(t, err)
	require.NoError(t, d.View(func(s *designer.Schema) { assert.Empty(t, s.Tables()[0].Checks) }))
}

func TestOnlyThePlanThatWasApprovedIsPublished(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("New"))
	approved, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	apply(t, d, addTable("Newer"))
	_, err = d.Publish(t.Context(), s, approved.Digest(), Caller{Origin: "agent"}, nil)
	require.ErrorIs(t, err, ErrPlanChanged)
	assert.Len(t, s.def.Tables, 1)
}

func TestWhatTheDatabaseRefusesInATrialIsNotBegun(t *testing.T) {
	p := newProject(t)
	s := newServer(false, table("Orders"))
	s.refuse = &designer.StepError{Err: errors.New("no room")}
	d := p.show(s)
	apply(t, d, addTable("New"))
	_, err := publish(t, d, s)
	var step *designer.StepError
	require.ErrorAs(t, err, &step)
	assert.Len(t, s.def.Tables, 1)
	assert.False(t, d.Info().Interrupted)
	assert.Equal(t, Proposed, d.Info().Sync)

	s.refuse = nil
	apply(t, d, designer.Edit{Op: designer.AddTable, Table: ref("Empty")})
	_, err = publish(t, d, s)
	require.NoError(t, err)
	assert.Len(t, s.def.Tables, 2, "without the draft")
	_, err = publish(t, d, s)
	var refusal *designer.Error
	require.ErrorAs(t, err, &refusal)
	assert.Contains(t, refusal.Message, "has no columns")
}

// A process that is killed at any point of a publish leaves a database that is
// before or after, or a plan that the next publish resumes.
func TestAPublishThatIsKilledIsSettledOrResumed(t *testing.T) {
	for _, transactional := range []bool{true, false} {
		for step := range 4 {
			for _, done := range []bool{false, true} {
				if step == 3 && !done {
					continue
				}
				killedPublish(t, transactional, step, done)
			}
		}
	}
}

func killedPublish(t *testing.T, transactional bool, step int, done bool) {
	p := newProject(t)
	s := newServer(transactional, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("A"), addTable("B"))
	approved, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	require.Len(t, approved.Plan.Steps, 3)
	version := d.Version()
	s.killAt(step, done)
	_, err = d.Publish(t.Context(), s, approved.Digest(), Caller{Origin: "agent"}, nil)
	require.ErrorIs(t, err, errKilled)
	p.restart()
	s.revive()

	d = p.designer("db")
	assert.Equal(t, version, d.Version(), "the design is as it was")
	rest, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	tables := len(s.def.Tables)
	switch {
	case tables == 3:
		assert.True(t, rest.Empty(), "everything was made: %v %d %v", transactional, step, done)
		assert.Equal(t, Synced, d.Info().Sync)
		return
	case transactional, step == 0 && !done:
		require.Equal(t, 1, tables)
		assert.False(t, rest.Interrupted())
	case tables == 2:
		assert.Equal(t, 1, rest.From, "A is made")
		assert.True(t, d.Info().Interrupted)
	}
	published, err := d.Publish(t.Context(), s, rest.Digest(), Caller{Origin: "agent"}, nil)
	require.NoError(t, err)
	assert.Empty(t, published.Left)
	assert.Len(t, s.def.Tables, 3)
	assert.Equal(t, Synced, d.Info().Sync)
	assert.False(t, d.Info().Interrupted)
}

func TestEditsMadeDuringAPublishAreKept(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders"))
	d := p.show(s)
	apply(t, d, addTable("A"))
	s.stop = func(i int, done bool) error {
		if i == 0 && !done {
			apply(t, d, addColumn("A", "later"))
			refresh(t, d, s) // sees a database that is still as it was
		}
		return nil
	}
	done, err := publish(t, d, s)
	require.NoError(t, err)
	assert.Empty(t, done.Left)
	assert.Equal(t, Proposed, d.Info().Sync)
	rest, err := d.Propose(t.Context(), s)
	require.NoError(t, err)
	items := rest.Diff.Items()
	require.Len(t, items, 1)
	assert.Equal(t, "later", items[0].Name)
}

func TestWhatTheDatabaseDidNotDoIsSaid(t *testing.T) {
	p := newProject(t)
	s := newServer(true, table("Orders", "a"))
	s.spell = func(def *designer.Definition) {
		for i := range def.Tables {
			for j := range def.Tables[i].Columns {
				def.Tables[i].Columns[j].IsNullable = def.Tables[i].Columns[j].Name == "a"
			}
		}
	}
	d := p.show(s)
	apply(t, d, nullable("a", false), addColumn("Orders", "b"))
	done, err := publish(t, d, s)
	require.NoError(t, err)
	assert.NotEmpty(t, done.Left, "a is still nullable")
	assert.Equal(t, Proposed, d.Info().Sync)
	assert.False(t, d.Info().Interrupted)
}
