package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/berth-dev/berth/designer"
)

// tableDelta is one table, or one named type, of a journalled change. A table that was added or
// dropped is stored whole; of one that changed, only the differences of both
// sides are, so that a step is as small as its edit however wide the table is.
// Either side is reconstructed from the other, which the model holds when the
// step is undone or redone.
type tableDelta struct {
	ID      designer.ID                  `json:"id,omitempty"`     // of a changed table
	Before  *designer.Table              `json:"before,omitempty"` // of a dropped one whole, else without lists, nil: as After
	After   *designer.Table              `json:"after,omitempty"`  // of an added one whole, else without lists, nil: as Before
	Columns *splice[designer.Column]     `json:"columns,omitempty"`
	Keys    *splice[designer.ForeignKey] `json:"foreignKeys,omitempty"`
	Indexes *splice[designer.Index]      `json:"indexes,omitempty"`
	Checks  *splice[designer.Check]      `json:"checks,omitempty"`
	Type    *designer.TypeChange         `json:"type,omitempty"` // of a named type instead, both sides whole
}

var errMisfit = errors.New("the step does not fit the table")

func encodeChange(c designer.Change) (string, error) {
	deltas := make([]tableDelta, len(c.Tables))
	for i, tc := range c.Tables {
		deltas[i] = deltaOf(tc)
	}
	for _, tc := range c.Types {
		deltas = append(deltas, tableDelta{Type: &tc})
	}
	text, err := encode(deltas)
	if err != nil {
		return "", fmt.Errorf("encode step %q: %w", c.Description, err)
	}
	return text, nil
}

func deltaOf(tc designer.TableChange) tableDelta {
	if tc.Before == nil || tc.After == nil {
		return tableDelta{Before: tc.Before, After: tc.After}
	}
	d := tableDelta{
		ID:      tc.After.ID,
		Columns: difference(tc.Before.Columns, tc.After.Columns),
		Keys:    difference(tc.Before.ForeignKeys, tc.After.ForeignKeys),
		Indexes: difference(tc.Before.Indexes, tc.After.Indexes),
		Checks:  difference(tc.Before.Checks, tc.After.Checks),
	}
	before, after := head(tc.Before), head(tc.After)
	if !reflect.DeepEqual(before, after) {
		d.Before, d.After = before, after
	}
	return d
}

// tableFinder finds the tables of one state of a design.
type tableFinder interface {
	ByID(id designer.ID) *designer.Table
}

// decodeChange reconstructs a journalled change. s holds the state after the
// change if back is set, otherwise the state before it.
func decodeChange(text string, s tableFinder, back bool) (designer.Change, error) {
	var deltas []tableDelta
	if err := json.Unmarshal([]byte(text), &deltas); err != nil {
		return designer.Change{}, err
	}
	c := designer.Change{Tables: make([]designer.TableChange, 0, len(deltas))}
	for _, delta := range deltas {
		if delta.Type != nil {
			c.Types = append(c.Types, *delta.Type)
			continue
		}
		if delta.ID == "" {
			c.Tables = append(c.Tables, designer.TableChange{Before: delta.Before, After: delta.After})
			continue
		}
		have := s.ByID(delta.ID)
		if have == nil {
			return c, fmt.Errorf("table %s: %w", delta.ID, errMisfit)
		}
		other, err := delta.other(have, back)
		if err != nil {
			return c, fmt.Errorf("table %s: %w", delta.ID, err)
		}
		if back {
			have, other = other, have
		}
		c.Tables = append(c.Tables, designer.TableChange{Before: have, After: other})
	}
	return c, nil
}

// other reconstructs the other side of have.
func (d tableDelta) other(have *designer.Table, back bool) (*designer.Table, error) {
	t := head(have)
	switch {
	case back && d.Before != nil:
		t = d.Before
	case !back && d.After != nil:
		t = d.After
	}
	var errs [4]error
	t.Columns, errs[0] = d.Columns.replace(have.Columns, back)
	t.ForeignKeys, errs[1] = d.Keys.replace(have.ForeignKeys, back)
	t.Indexes, errs[2] = d.Indexes.replace(have.Indexes, back)
	t.Checks, errs[3] = d.Checks.replace(have.Checks, back)
	if t.Columns == nil {
		t.Columns = []designer.Column{} // as in every table of a model
	}
	return t, errors.Join(errs[:]...)
}

// head returns a copy of the table without what deltas hold as splices.
func head(t *designer.Table) *designer.Table {
	h := *t
	h.Columns, h.ForeignKeys, h.Indexes, h.Checks = nil, nil, nil, nil
	return &h
}

// splice is the one range in which two lists differ.
type splice[T any] struct {
	At     int `json:"at"` // where it begins
	Before []T `json:"before,omitempty"`
	After  []T `json:"after,omitempty"`
}

// difference returns nil if the lists are equal.
func difference[T any](before, after []T) *splice[T] {
	same := func(i, j int) bool { return reflect.DeepEqual(before[i], after[j]) }
	start := 0
	for start < len(before) && start < len(after) && same(start, start) {
		start++
	}
	b, a := len(before), len(after)
	for b > start && a > start && same(b-1, a-1) {
		b, a = b-1, a-1
	}
	if start == b && start == a {
		return nil
	}
	return &splice[T]{At: start, Before: before[start:b], After: after[start:a]}
}

// replace replaces one side of the range with the other. A nil splice returns
// the list unchanged.
func (s *splice[T]) replace(list []T, back bool) ([]T, error) {
	if s == nil {
		return list, nil
	}
	from, to := s.Before, s.After
	if back {
		from, to = to, from
	}
	end := s.At + len(from)
	if s.At < 0 || end > len(list) || !equalEach(list[s.At:end], from) {
		return nil, errMisfit
	}
	return slices.Concat(list[:s.At], to, list[end:]), nil // nil where empty
}

func equalEach[T any](a, b []T) bool {
	for i := range a {
		if !reflect.DeepEqual(a[i], b[i]) {
			return false
		}
	}
	return true
}
