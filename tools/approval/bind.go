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

// binding identifies what an approval is valid for.
type binding struct {
	Client    digest // the front-end that showed the question
	Tool      string
	Arguments digest // as they came
	Effect    digest // their resolved effect and its preconditions
	Shown     digest // to the person
}

type digest [sha256.Size]byte

// bind returns the binding of a call that would do p.
func bind(call tools.Call, p Plan, s presentation) (binding, error) {
	arguments, err := Arguments(call.Arguments)
	if err != nil {
		return binding{}, err
	}
	return binding{
		Client: digestOf([]byte(call.Client.ID)), Tool: call.Tool,
		Arguments: digestOf(arguments),
		Effect:    digestOf([]byte(p.Kind), p.Bound),
		Shown:     digestOf([]byte(s.title), []byte(s.detail), []byte(p.Format), []byte(s.question), []byte(NameToType(p))),
	}, nil
}

// digestOf returns the hash of parts, each preceded by its length.
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

// differs returns an error that says how c differs from the call that b was
// made for, or nil if it does not.
func (b binding) differs(c binding) error {
	if b.Client != c.Client {
		return errors.New("it came through another client than the question")
	}
	if b.Tool != c.Tool || b.Arguments != c.Arguments {
		return errors.New("the call is not the one that was asked about")
	}
	return b.changed(c)
}

// changed is like differs but ignores the client and the plan's id: another
// client may repeat a call with the id of a filed plan.
func (b binding) changed(c binding) error {
	switch {
	case b.Tool != c.Tool:
		return errors.New("it belongs to another tool")
	case b.Effect != c.Effect, b.Shown != c.Shown:
		return errors.New("the call, or what it would change, is not the one that was asked about")
	}
	return nil
}

// Arguments returns a call's arguments in canonical form, independent of the
// order and spacing of members and without the members named in drop.
// [Plan.Bound] begins with them. "payload.planId" drops a nested member, and
// the outer one if it becomes empty.
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
