package attach

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/approval"
)

const (
	answerWithin  = 30 * time.Second
	signOutWithin = 3 * time.Second
	approvalsPath = "/approvals"
)

// answerAll answers requests, each beside the others, until ctx ends.
func (h *holder) answerAll(ctx context.Context, end context.CancelFunc) {
	for {
		select {
		case r, ok := <-h.Requests:
			if !ok {
				return
			}
			h.work.Go(func() { h.say(end, h.answer(ctx, r)) })
		case <-ctx.Done():
			return
		}
	}
}

func (h *holder) answer(ctx context.Context, r Request) replyLine {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	reply := replyLine{Type: "reply", ID: r.ID}
	var err error
	switch r.Op {
	case "code":
		reply.Code, reply.URL, err = h.Client.NewCode(ctx, h.Root)
	case "key":
		reply.KeyID, reply.Key, err = h.signIn(ctx)
	case "approvals":
		reply.Approvals, err = h.approvals(ctx)
	case "approval":
		reply.Approval, err = h.find(ctx, r.Plan)
	case "decide":
		reply.Approval, err = h.decide(ctx, r)
	case "start":
		select {
		case h.again <- struct{}{}:
		default: // it was asked already
		}
	default:
		err = fmt.Errorf("unknown op %.40q: code, key, approvals, approval, decide and start are known", r.Op)
	}
	if err != nil {
		reply = replyLine{Type: "reply", ID: r.ID, Error: err.Error(), Hint: hintOf(err)}
	}
	return reply
}

func (h *holder) status(ctx context.Context) (s wire.Status, err error) {
	err = h.Client.Do(ctx, h.Root, http.MethodGet, wire.StatusPath, nil, &s)
	return s, err
}

func (h *holder) approvals(ctx context.Context) ([]approval.Entry, error) {
	var reply struct {
		Approvals []approval.Entry `json:"approvals"`
	}
	err := h.Client.Do(ctx, h.Root, http.MethodGet, approvalsPath, nil, &reply)
	return reply.Approvals, err
}

// sayApprovals says the list. Where it cannot be read the instance is ending.
func (h *holder) sayApprovals(ctx context.Context, end context.CancelFunc) {
	list, err := h.approvals(ctx)
	if err != nil {
		return
	}
	line := approvalsLine{Type: "approvals", Approvals: list}
	for _, e := range list {
		if e.State == approval.Pending {
			line.Pending++
		}
	}
	h.say(end, line)
}

func (h *holder) find(ctx context.Context, plan string) (*approval.Entry, error) {
	var e approval.Entry
	err := h.Client.Do(ctx, h.Root, http.MethodGet, approvalsPath+"/"+url.PathEscape(plan), nil, &e)
	return &e, err
}

// decide decides as a page, since only a page may, and signs out again.
func (h *holder) decide(ctx context.Context, r Request) (*approval.Entry, error) {
	id, key, err := h.signIn(ctx)
	if err != nil {
		return nil, err
	}
	defer h.revoke(context.WithoutCancel(ctx), id)
	var e approval.Entry
	err = h.Client.DoAs(ctx, id+"."+key, h.Root, http.MethodPost, approvalsPath+"/"+url.PathEscape(r.Plan), map[string]string{"decision": r.Decision, "typed": r.Typed}, &e)
	return &e, err
}

// signIn trades a code for a page key.
func (h *holder) signIn(ctx context.Context) (id, key string, err error) {
	code, _, err := h.Client.NewCode(ctx, h.Root)
	if err != nil {
		return "", "", err
	}
	var reply struct {
		ID  string `json:"keyId"`
		Key string `json:"key"`
	}
	if err := h.Client.Do(ctx, h.Root, http.MethodPost, "/signin", map[string]string{"code": code}, &reply); err != nil {
		return "", "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keys[reply.ID] = reply.Key
	return reply.ID, reply.Key, nil
}

// signOut revokes the keys that this run was given. One of an earlier run of the
// instance opens nothing any more.
func (h *holder) signOut(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, signOutWithin)
	defer cancel()
	h.mu.Lock()
	ids := make([]string, 0, len(h.keys))
	for id := range h.keys {
		ids = append(ids, id)
	}
	h.mu.Unlock()
	for _, id := range ids {
		h.revoke(ctx, id)
	}
}

func (h *holder) revoke(ctx context.Context, id string) {
	h.mu.Lock()
	key := h.keys[id]
	delete(h.keys, id)
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, signOutWithin)
	defer cancel()
	_ = h.Client.DoAs(ctx, id+"."+key, h.Root, http.MethodDelete, "/keys/"+url.PathEscape(id), nil, nil) // it ended, or forgot the key
}
