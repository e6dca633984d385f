package team

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/designer/journal/stream"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/pageapi"
)

// State implements [pageapi.Teams].
func (k *Keeper) State(ctx context.Context, d *session.Designer) (pageapi.TeamState, error) {
	state := pageapi.TeamState{Team: d.Shared(), People: []pageapi.TeamPerson{}}
	if state.Team == nil || !state.Team.Connected {
		return state, nil
	}
	t, err := k.dial(ctx)
	if err != nil {
		return state, refusal(err)
	}
	list, err := t.Who(ctx, state.Team.Name, nil)
	if err != nil {
		state.PeopleError = err.Error()
	}
	for _, p := range list {
		state.People = append(state.People, personFrom(p))
	}
	return state, nil
}

// personFrom is an instance as berth team lists it.
func personFrom(p stream.Present) pageapi.TeamPerson {
	return pageapi.TeamPerson{Person: p.Person, Machine: p.Machine, Project: p.Project, Seq: p.Seq, Pages: p.Pages, Since: p.Since}
}

// Act implements [pageapi.Teams].
func (k *Keeper) Act(ctx context.Context, d *session.Designer, r pageapi.TeamRequest) (done pageapi.TeamDone, err error) {
	switch r.Action {
	case "init":
		done, err = k.init(ctx, d, r)
	case "attach":
		done, err = k.attach(ctx, d, r.Name)
	case "detach":
		done, err = k.detach(ctx, d)
	case "remove":
		done, err = k.remove(ctx, d, r.Person)
	default:
		return done, &pageapi.Error{Code: "invalid_request", Message: "action is init, attach, detach or remove"}
	}
	done.Team = d.Shared()
	return done, refusal(err)
}

// refusal words an error for the caller.
func refusal(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, session.ErrClosed) {
		return err
	}
	var known *pageapi.Error
	var edit *designer.Error
	var unreachable *journal.UnreachableError
	var unknown *journal.UnknownError
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &edit) && edit.Reason == designer.TeamUnreachable:
		return &pageapi.Error{Code: "no_connection", Message: edit.Message}
	case errors.As(err, &edit):
		return &pageapi.Error{Code: "invalid_request", Message: edit.Message}
	case errors.As(err, &unreachable), errors.Is(err, errDial):
		return &pageapi.Error{Code: "no_connection", Message: err.Error()}
	case errors.As(err, &unknown):
		return &pageapi.Error{Code: "timeout", Message: err.Error()}
	}
	return &pageapi.Error{Code: "invalid_request", Message: err.Error()}
}

// init makes a team's design of one that this project has.
func (k *Keeper) init(ctx context.Context, d *session.Designer, r pageapi.TeamRequest) (pageapi.TeamDone, error) {
	var done pageapi.TeamDone
	if r.Servers < 0 || r.Servers > 5 {
		return done, &pageapi.Error{Code: "invalid_request", Message: fmt.Sprintf("servers is %d: 1, 3 or 5", r.Servers)}
	}
	t, err := k.dial(ctx)
	if err != nil {
		return done, err
	}
	id, genesis, err := d.Genesis(k.person)
	if err != nil {
		return done, err
	}
	j, err := t.Create(ctx, r.Name, r.Servers, id, genesis)
	if errors.Is(err, stream.ErrExists) {
		return done, fmt.Errorf("%w; join it with: berth team attach %s", err, r.Name)
	}
	if err != nil {
		return done, err
	}
	return k.join(ctx, d, j)
}

func (k *Keeper) attach(ctx context.Context, d *session.Designer, name string) (pageapi.TeamDone, error) {
	j, err := k.open(ctx, name)
	if errors.Is(err, stream.ErrNone) {
		return pageapi.TeamDone{}, k.withNames(ctx, err)
	}
	if err != nil {
		return pageapi.TeamDone{}, err
	}
	return k.join(ctx, d, j)
}

// withNames adds which designs there are.
func (k *Keeper) withNames(ctx context.Context, err error) error {
	t, dialled := k.dial(ctx)
	if dialled != nil {
		return err
	}
	names, listed := t.List(ctx)
	switch {
	case listed != nil:
		return err
	case len(names) == 0:
		return fmt.Errorf("%w; there is none yet: berth team init makes one", err)
	}
	return fmt.Errorf("%w; there are: %s", err, strings.Join(names, ", "))
}

func (k *Keeper) join(ctx context.Context, d *session.Designer, j journal.Journal) (pageapi.TeamDone, error) {
	got, err := d.Attach(ctx, j, k.person)
	if err != nil {
		return pageapi.TeamDone{}, err
	}
	return pageapi.TeamDone{Tables: got.Tables, Brought: got.Brought}, k.answer(d, j.Name())
}

// detach leaves the team. It needs no broker.
func (k *Keeper) detach(ctx context.Context, d *session.Designer) (pageapi.TeamDone, error) {
	err := d.Detach(ctx)
	if err == nil {
		k.silence(d)
	}
	return pageapi.TeamDone{Tables: d.Info().Tables}, err
}

func (k *Keeper) remove(ctx context.Context, d *session.Designer, person string) (pageapi.TeamDone, error) {
	if strings.TrimSpace(person) == "" {
		return pageapi.TeamDone{}, &pageapi.Error{Code: "invalid_request", Message: "person is required: a name as berth team lists it"}
	}
	if err := k.hurry(ctx, d); err != nil {
		return pageapi.TeamDone{}, err
	}
	return pageapi.TeamDone{}, d.Remove(ctx, person)
}
