package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Present is one instance that follows a team design, as it says itself.
type Present struct {
	Person  string    `json:"person"`
	Machine string    `json:"machine"`
	Project string    `json:"project"` // the folder's name
	Seq     uint64    `json:"seq"`     // entries that it has applied
	Pages   int       `json:"pages"`   // designer pages that are open
	Since   time.Time `json:"since"`   // when it began to follow

	Instance string          `json:"instance,omitempty"` // this run of it, random
	Watching bool            `json:"watching,omitempty"` // a page of the design is seen there: it is told of changes
	Here     json.RawMessage `json:"here,omitempty"`     // who is at it, in a form that only its readers know
}

// Times of asking who is there: the first answer is waited for the longest, and
// nobody's for more than all of it.
const (
	presentTime  = time.Second
	presentPause = 250 * time.Millisecond
	maxPresent   = 1000
	announceTime = time.Second
)

// Answer has the connection say that an instance is there, to those who ask,
// until stop is called. heard is called for what others say of themselves,
// asking or unasked; nil: nobody listens.
func (t *Team) Answer(name string, who func() Present, heard func(Present)) (stop func(), err error) {
	sub, err := t.nc.Subscribe(presentOf(name), func(m *nats.Msg) {
		var p Present
		if heard != nil && len(m.Data) > 0 && json.Unmarshal(m.Data, &p) == nil {
			heard(p)
		}
		if m.Reply == "" {
			return
		}
		if data, err := json.Marshal(who()); err == nil {
			_ = m.Respond(data) // who asked asks again
		}
	})
	if err != nil {
		return nil, fmt.Errorf("answer who is there: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

// Announce says to all who follow a team design how an instance is. It returns
// once that is sent, which is not at all while the broker is away: others then
// hear of it the next time.
func (t *Team) Announce(name string, p Present) error {
	data, err := json.Marshal(p)
	if err == nil {
		err = t.nc.Publish(presentOf(name), data)
	}
	if err == nil {
		err = t.nc.FlushTimeout(announceTime)
	}
	if err != nil {
		return fmt.Errorf("say who is here: %w", err)
	}
	return nil
}

// Who asks who follows a team design now, and returns what came within a
// second, by person and machine. An instance that cannot be reached just now is
// not among them. own is what the one who asks says of itself; nil: nothing.
func (t *Team) Who(ctx context.Context, name string, own *Present) ([]Present, error) {
	var asked []byte
	if own != nil {
		asked, _ = json.Marshal(own) // our own type always encodes
	}
	inbox := t.nc.NewRespInbox()
	began := time.Now()
	answers, err := t.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, fmt.Errorf("ask who is there: %w", err)
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := t.nc.PublishRequest(presentOf(name), inbox, asked); err != nil {
		return nil, fmt.Errorf("ask who is there: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, presentTime)
	defer cancel()
	list := []Present{}
	for wait := presentTime; len(list) < maxPresent; wait = presentPause {
		next, stop := context.WithTimeout(ctx, wait)
		msg, err := answers.NextMsgWithContext(next)
		stop()
		if err != nil {
			if words := t.denied(began, presentOf(name)); words != "" && len(list) == 0 {
				return nil, errors.New(words)
			}
			break
		}
		var p Present
		if len(msg.Data) > 0 && json.Unmarshal(msg.Data, &p) == nil { // no responders: an empty message
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b Present) int {
		return strings.Compare(a.Person+"\x00"+a.Machine+"\x00"+a.Project, b.Person+"\x00"+b.Machine+"\x00"+b.Project)
	})
	return list, nil
}
