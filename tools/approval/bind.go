package approval

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools"
)

// binding is what a yes is good for.
type binding struct {
	Client    digest // the front-end that was asked through
	Tool      string
	Arguments digest // as they came
	Effect    digest // what the tool made of them, and what it presumes
	Shown     digest // to the person
}

type digest [sha256.Size]byte

// bind makes the binding of a call that would do p.
func bind(call tools.Call, p Plan, s shown) (binding, error) {
	arguments, err := Arguments(call.Arguments)
	if err != nil {
		return binding{}, err
	}
	return binding{
		Client: digestOf([]byte(call.Client.ID)), Tool: call.Tool,
		Arguments: digestOf(arguments),
		Effect:    digestOf([]byte(p.Kind), p.Bound),
		Shown:     digestOf([]byte(s.title), []byte(s.detail), []byte(p.Format), []byte(s.question)),
	}, nil
}

// digestOf hashes parts, each with its length before it.
func digestOf(parts ...[]byte) digest {
	h := sha256.New()
	for _, part := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write(part)
	}
	return digest(h.Sum(nil))
}

// differs says in words in what c is not the call that b was made for; nil if
// it is.
func (b binding) differs(c binding) error {
	if b.Client != c.Client {
		return errors.New("it came by another way than the question")
	}
	if b.Tool != c.Tool || b.Arguments != c.Arguments {
		return errors.New("the call is not the one that was asked about")
	}
	return b.changed(c)
}

// changed is differs without the call: a filed plan may be repeated by
// another client, with the plan's id among its arguments.
func (b binding) changed(c binding) error {
	switch {
	case b.Tool != c.Tool:
		return errors.New("it belongs to another tool")
	case b.Effect != c.Effect, b.Shown != c.Shown:
		return errors.New("the call, or what it would change, is not the one that was asked about")
	}
	return nil
}

// Arguments are a call's arguments in one form, whatever the order and
// spacing of their members, without those called drop: the part that
// [Plan.Bound] begins with. "payload.planId" drops a member of a member, and
// the outer one where nothing is left in it.
func Arguments(raw []byte, drop ...string) ([]byte, error) {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	text := jsontext.Value(raw).Clone()
	for _, path := range drop {
		var err error
		if text, err = without(text, path); err != nil {
			return nil, fmt.Errorf("read the arguments: %w", err)
		}
	}
	if err := text.Canonicalize(); err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	return text, nil
}

// without removes the member at path from an object.
func without(object jsontext.Value, path string) (jsontext.Value, error) {
	var members map[string]jsontext.Value
	if err := jsonv2.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	name, rest, nested := strings.Cut(path, ".")
	inner, ok := members[name]
	if ok && nested && inner.Kind() == '{' {
		left, err := without(inner, rest)
		if err != nil {
			return nil, err
		}
		members[name] = left
		nested = string(left) != "{}"
	} else if ok && nested {
		return object, nil
	}
	if ok && !nested {
		delete(members, name)
	}
	return jsonv2.Marshal(members)
}
