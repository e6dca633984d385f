package files

import (
	"context"
	"errors"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/text"
)

// Limits of replies, in bytes.
const (
	maxReply   = 24 << 10 // of every tool but reading
	maxFailure = 4 << 10
)

// Reasons besides those of disk and text.
const (
	reasonInvalid   = "invalid_request"
	reasonProtected = "protected" // never written
	reasonSecret    = "secret"    // read only when config allows
	reasonEncoding  = "not_utf8"  // text in another encoding
	reasonBinary    = "binary"    // no text
	reasonCancelled = "cancelled" // by the caller, or out of time
	reasonInternal  = "internal_error"
)

// failure is the reply of a call that did nothing.
type failure struct {
	Success        bool        `json:"success"` // false
	Reason         string      `json:"reason"`
	Message        string      `json:"message"`
	Hint           string      `json:"hint,omitzero"`
	Nearest        []text.Line `json:"nearest,omitzero"` // lines of the file
	CurrentVersion string      `json:"current_version,omitzero"`
	ChangedLines   string      `json:"changed_lines,omitzero"` // "3-8, 12"
	Diff           string      `json:"diff,omitzero"`          // from the named version to the current one
	DiffCut        bool        `json:"diff_cut,omitzero"`
	Size           int64       `json:"size,omitzero"`
}

// reply encodes a failure within its limit, dropping the least useful parts
// first.
func (f *failure) reply() tools.Reply {
	f.Message, f.Hint = clip.Text(f.Message, 1500), clip.Text(f.Hint, 500)
	encoded := encode(f)
	if len(encoded) > maxFailure {
		f.Nearest = nil
		encoded = encode(f)
	}
	for most := maxFailure / 2; len(encoded) > maxFailure && f.Diff != ""; most /= 2 {
		f.Diff, f.DiffCut = cutLines(f.Diff, most), true
		encoded = encode(f)
	}
	if len(encoded) > maxFailure {
		f.Message, f.Hint, f.ChangedLines = clip.Text(f.Message, 300), "", ""
		encoded = encode(f)
	}
	return tools.Reply{Content: []string{encoded}, IsError: true, Reason: f.Reason}
}

// failureOf converts an error of the lower packages.
func (t *Tool) failureOf(err error) *failure {
	var refused *failure
	var onDisk *disk.Error
	var edit *text.EditError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &onDisk):
		return &failure{Reason: string(onDisk.Reason), Message: onDisk.Message}
	case errors.As(err, &edit):
		return &failure{Reason: edit.Reason, Message: edit.Error(), Hint: edit.Differ, Nearest: edit.Near}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &failure{Reason: reasonCancelled, Message: "the call was ended before it was done; nothing was changed"}
	}
	t.opts.Logger.Error("file tool failed", "error", err)
	return &failure{Reason: reasonInternal, Message: "unexpected failure; the instance's log has the cause"}
}

func (f *failure) Error() string { return f.Message }

// fail is the reply to an error.
func (t *Tool) fail(err error) tools.Reply { return t.failureOf(err).reply() }

// encode writes a value as compact JSON.
func encode(v any) string {
	encoded, err := jsonv2.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic("encode a reply: " + err.Error()) // cannot happen with our own types; tools.Set recovers
	}
	return string(encoded)
}

// cutLines cuts a text at a line boundary.
func cutLines(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most-1] != '\n' {
		most--
	}
	return s[:most]
}
