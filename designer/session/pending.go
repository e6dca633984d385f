package session

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/berth-dev/berth/designer"
)

// pendingPublish is a plan that is being published, or was when the process
// ended.
type pendingPublish struct {
	Plan   designer.Plan         `json:"plan"`
	Tables []*designer.Table     `json:"tables"` // where it leads
	Types  []*designer.NamedType `json:"types"`  // likewise; nil: those of the base

	started time.Time
	step    int    // about to run
	before  string // version of the database before that step
}

func newPending(p *Proposal) (*pendingPublish, error) {
	return &pendingPublish{Plan: p.Plan, Tables: p.Diff.To.Tables(), Types: p.Diff.To.NamedTypes(), step: p.From, before: p.Base}, nil
}

// schema returns the state that the plan leads to, based on base.
func (r *pendingPublish) schema(base *designer.Schema) (*designer.Schema, error) {
	catalog := base.Catalog()
	if r.Types != nil {
		catalog.Types = r.Types
	}
	s, err := designer.Restore(base.Dialect(), r.Tables, &designer.Options{DefaultSchema: base.DefaultSchema(), Catalog: catalog})
	if err != nil {
		return nil, fmt.Errorf("restore the plan's aim: %w", err)
	}
	return s, nil
}

func (w *writer) pending(design int64, r *pendingPublish) error {
	body, err := encode(r)
	if err != nil {
		return fmt.Errorf("encode plan: %w", err)
	}
	return w.exec(upsertPublish, design, body, r.started.UnixMilli(), r.step, r.before)
}

func (w *writer) pendingStep(design int64, step int, before string) error {
	return w.exec(updatePublish, step, before, design)
}

// pending reads the record of a design, nil if there is none.
func (r reader) pending(path string, design int64) (*pendingPublish, error) {
	var body string
	var started int64
	p := &pendingPublish{}
	err := r.row(selectPublish, design).Scan(&body, &started, &p.step, &p.before)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read publish: %w", err)
	}
	p.started = time.UnixMilli(started).UTC()
	if err := json.Unmarshal([]byte(body), p); err != nil {
		return nil, damaged(path, "publish: %w", err)
	}
	return p, nil
}
