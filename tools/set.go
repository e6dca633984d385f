package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/tools/catalog"
)

// Set is every tool of the catalogue with its handler. It is safe for
// concurrent use.
type Set struct {
	// Logger hears of panics and of replies that break their limit. nil:
	// nobody does. To be set before the first call.
	Logger *slog.Logger

	definitions []catalog.Definition
	tools       map[string]tool
}

type tool struct {
	definition catalog.Definition
	handle     Handler
}

// NewSet joins each definition of the catalogue with its handler. It is an
// error if a tool has no handler or a handler no tool.
func NewSet(handlers map[string]Handler) (*Set, error) {
	return newSet(catalog.All(), catalog.ForViews(), handlers)
}

func newSet(definitions, forViews []catalog.Definition, handlers map[string]Handler) (*Set, error) {
	s := &Set{definitions: definitions, tools: make(map[string]tool, len(definitions))}
	for _, d := range slices.Concat(definitions, forViews) {
		if handlers[d.Name] == nil {
			return nil, fmt.Errorf("tool %q has no handler", d.Name)
		}
		s.tools[d.Name] = tool{definition: d, handle: handlers[d.Name]}
	}
	for _, name := range slices.Sorted(maps.Keys(handlers)) {
		if _, ok := s.tools[name]; !ok {
			return nil, fmt.Errorf("handler %q has no definition in the catalogue", name)
		}
	}
	return s, nil
}

// Definitions returns the definitions in the catalogue's order, without those
// of [catalog.ForViews]. The slice is the caller's.
func (s *Set) Definitions() []catalog.Definition { return slices.Clone(s.definitions) }

// Has reports whether a tool of that exact name exists.
func (s *Set) Has(name string) bool {
	_, ok := s.tools[name]
	return ok
}

// Call runs one tool. It always answers: arguments that are not one strict
// JSON object, an unknown tool, a panic of the handler and a reply that
// breaks the tool's limit all become a short failure in the tool's own style.
func (s *Set) Call(ctx context.Context, call Call) (reply Reply) {
	t, ok := s.tools[call.Tool]
	if !ok {
		return Reply{Content: []string{"Error: " + catalog.Unknown(call.Tool)}, IsError: true, Reason: "not_found"}
	}
	if len(call.Arguments) == 0 || string(call.Arguments) == "null" { // some clients write null for none
		call.Arguments = json.RawMessage("{}")
	}
	if err := checkArguments(call.Arguments); err != nil {
		return refuse(t.definition, "invalid_request", err.Error())
	}
	if call.Progress == nil {
		call.Progress = func(float64, float64, string) {}
	}
	defer func() {
		if r := recover(); r != nil {
			s.logger().Error("tool panicked", "tool", call.Tool, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			reply = refuse(t.definition, "internal_error", "the tool failed unexpectedly; the instance's log has the cause")
		}
	}()
	return s.guard(t.definition, t.handle(ctx, call))
}

// guard holds every reply to its tool's promises, in case a handler does not.
func (s *Set) guard(d catalog.Definition, reply Reply) Reply {
	if reply.Ask != nil {
		return Reply{Ask: reply.Ask}
	}
	if len(reply.Content) == 0 {
		s.logger().Error("tool answered nothing", "tool", d.Name)
		return refuse(d, "internal_error", "the tool answered nothing")
	}
	size := 0
	for _, text := range reply.Content {
		size += len(text)
	}
	if d.MaxReplyBytes > 0 && size > d.MaxReplyBytes {
		s.logger().Error("reply breaks its limit", "tool", d.Name, "bytes", size, "limit", d.MaxReplyBytes)
		return refuse(d, "internal_error", fmt.Sprintf("the reply of %d bytes is over the limit of %d; ask for less", size, d.MaxReplyBytes))
	}
	if d.Mark != "" && !reply.IsError {
		reply.Content = append(slices.Clip(reply.Content), d.Mark)
	}
	switch {
	case reply.Structured != nil:
	case reply.IsError:
		reply.Structured = objectOf(reply.Content)
	case d.List != "":
		reply.Structured = listed(d.List, reply.Content)
	}
	return reply
}

// objectOf returns a failure that is a JSON object as structured content, so
// that a program reads every refusal in one place; nil: it is prose.
func objectOf(content []string) json.RawMessage {
	object := jsontext.Value(content[0])
	if object.Kind() != '{' || !object.IsValid() {
		return nil
	}
	if len(content) == 1 {
		return json.RawMessage(object)
	}
	notes, err := json.Marshal(content[1:])
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, `%s,"notes":%s}`, strings.TrimSuffix(content[0], "}"), notes)
}

// listed puts a reply whose text is a list into an object: clients that make
// structured content of a text themselves take nothing else, and models that
// are shown only that would miss what the further items say.
func listed(name string, content []string) json.RawMessage {
	object := map[string]any{name: json.RawMessage(content[0])}
	if notes := content[1:]; len(notes) > 0 {
		object["notes"] = notes
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil // the text is no list: it is all there is
	}
	return raw
}

func (s *Set) logger() *slog.Logger {
	if s.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Logger
}

// checkArguments admits one JSON object without duplicate names or invalid
// UTF-8: two readers of such bytes could understand different calls.
func checkArguments(raw json.RawMessage) error {
	value := jsontext.Value(raw)
	if value.Kind() != '{' {
		return fmt.Errorf("arguments must be a JSON object")
	}
	if !value.IsValid() {
		return fmt.Errorf("arguments are not strict JSON: invalid syntax, invalid UTF-8 or a name given twice")
	}
	return nil
}

// refuse words a failure in the tool's style. An internal failure of a tool
// in text style is the document's one sentence.
func refuse(d catalog.Definition, reason, message string) Reply {
	text := "Error: " + message
	switch {
	case d.Failure == catalog.Structured:
		text = structured(reason, message)
	case reason == "internal_error":
		text = catalog.TextFailure
	}
	return Reply{Content: []string{text}, Structured: objectOf([]string{text}), IsError: true, Reason: reason}
}

func structured(reason, message string) string {
	text, err := jsontext.AppendQuote(nil, message)
	if err != nil {
		text = []byte(`"unreadable message"`)
	}
	return fmt.Sprintf(`{"success":false,"reason":%q,"message":%s}`, reason, text)
}
