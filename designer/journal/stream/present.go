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
}

// Times of asking who is there: the first answer is waited for the longest, and
// nobody's for more than all of it.
const (
	presentTime  = time.Second
	presentPause = 250 * time.Millisecond
	maxPresent   = 1000
)

// Answer has the connection say that an instance is there, to those who ask,
// until stop is called.
func (t *Team) Answer(name string, who func() Present) (stop func(), err error) {
	sub, err := t.nc.Subscribe(presentOf(name), func(m *nats.Msg) {
		if data, err := json.Marshal(who()); err == nil && m.Reply != "" {
			_ = m.Respond(data) // who asked asks again
		}
	})
	if err != nil {
		return nil, fmt.Errorf("answer who is there: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

// Who asks who follows a team design now, and returns what came within a
// second, by person and machine. An instance that cannot be reached just now is
// not among them.
func (t *Team) Who(ctx context.Context, name string) ([]Present, error) {
	inbox := t.nc.NewRespInbox()
	began := time.Now()
	answers, err := t.nc.SubscribeSync(inbox)
	if err != nil {
		return nil, fmt.Errorf("ask who is there: %w", err)
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := t.nc.PublishRequest(presentOf(name), inbox, nil); err != nil {
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
