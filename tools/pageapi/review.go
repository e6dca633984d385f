package pageapi

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/review"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools/schema"
)

const (
	// maxReviewed bounds the tables of one review; what is accepted or taken back
	// makes room for others.
	maxReviewed = 500
	// maxReviewKeys bounds what one request is about.
	maxReviewKeys = 5000
)

// Review is the body of GET /designs/{connection}/review: the net of what the
// agent changed since a person accepted it.
type Review struct {
	Version string          `json:"version"`
	Count   int             `json:"count"` // of tables and types, however many are listed
	Tables  []ReviewedTable `json:"tables"`
	Types   []ReviewedType  `json:"types"`
}

// ReviewedTable is one table without the agent's changes and with them.
type ReviewedTable struct {
	ID     designer.ID     `json:"id"`
	Before *designer.Table `json:"before,omitempty"` // absent: the agent added it
	After  *designer.Table `json:"after,omitempty"`  // absent: the agent dropped it
	Last   session.Step    `json:"last"`             // the agent's last in it
}

// ReviewedType is one named type, likewise.
type ReviewedType struct {
	ID     designer.ID         `json:"id"`
	Before *designer.NamedType `json:"before,omitempty"`
	After  *designer.NamedType `json:"after,omitempty"`
	Last   session.Step        `json:"last"`
}

// Review is what a person has to look at.
func (a *API) Review(ctx context.Context, id string) (Review, error) {
	d, err := a.design(id)
	if err != nil {
		return Review{}, err
	}
	r, err := d.Review(ctx)
	if err != nil {
		return Review{}, err
	}
	body := Review{Version: r.Version, Count: len(r.Tables) + len(r.Types), Tables: []ReviewedTable{}, Types: []ReviewedType{}}
	for _, t := range r.Tables[:min(len(r.Tables), maxReviewed)] {
		body.Tables = append(body.Tables, ReviewedTable{t.ID(), t.Before, t.After, t.Last})
	}
	for _, t := range r.Types[:min(len(r.Types), maxReviewed)] {
		body.Types = append(body.Types, ReviewedType{t.ID(), t.Before, t.After, t.Last})
	}
	return body, nil
}

// Verdicts of a person on what the agent changed.
const (
	verdictAccept   = "accept"
	verdictTakeBack = "take_back"
)

// ReviewRequest is the body of POST /designs/{connection}/review.
type ReviewRequest struct {
	Verdict         string   `json:"verdict"`
	Keys            []string `json:"keys"` // "table/part/field"; none, to accept: all
	ExpectedVersion string   `json:"expectedVersion"`
}

// SetReview accepts what the agent changed, or takes it back.
func (a *API) SetReview(ctx context.Context, id string, r ReviewRequest) (schema.PageReply[schema.ToolReply], error) {
	var reply schema.PageReply[schema.ToolReply]
	d, err := a.design(id)
	if err != nil {
		return reply, err
	}
	keys, err := reviewKeys(r.Keys)
	switch {
	case err != nil:
		return reply, err
	case r.Verdict == verdictTakeBack && len(keys) == 0:
		return reply, invalid("keys is required: what to take back")
	case r.Verdict == verdictTakeBack:
		return a.opts.Tool.PageTakeBack(ctx, d, keys, r.ExpectedVersion), nil
	case r.Verdict != verdictAccept:
		return reply, invalid("verdict is accept or take_back")
	}
	reply, counter := a.opts.Tool.PageAccept(ctx, d, keys, r.ExpectedVersion)
	if counter > 0 {
		a.opts.Announce(struct {
			Type         string `json:"type"`
			ConnectionID string `json:"connectionId"`
			Counter      int64  `json:"counter"`
		}{"review", id, counter})
	}
	return reply, nil
}

func reviewKeys(texts []string) ([]review.Key, error) {
	if len(texts) > maxReviewKeys {
		return nil, invalid(fmt.Sprintf("keys has %d entries, at most %d", len(texts), maxReviewKeys))
	}
	keys := make([]review.Key, len(texts))
	for i, text := range texts {
		var err error
		if keys[i], err = review.ParseKey(text); err != nil {
			return nil, invalid(err.Error())
		}
	}
	return keys, nil
}
