package schema

import (
	"context"
	"fmt"

	"github.com/berth-dev/berth/designer/session"
)

// A person at the page can say something to the agent about a design. Its next
// call on that design gets it, in the reply, as text of a person's.

// MaxNote bounds a note, in bytes of JSON, so that one fits into every reply.
const MaxNote = 400

// EncodedNote returns a note's length as [MaxNote] counts it.
func EncodedNote(text string) int { return len(encode(text)) }

// withNotes is a reply's text with the notes that no call of an agent's has got
// yet, as many as fit; the others go to the next one.
func (t *Tool) withNotes(ctx context.Context, in *invocation, text string) string {
	var said []string
	left := maxNotice
	notes, err := in.designer.ReadNotes(ctx, clientName(in.call), func(n session.Note) bool {
		words := wordsOfNote(n)
		if left -= len(encode(words)) + 1; left < len(`,"personNotes":[]`) {
			return false
		}
		said = append(said, words)
		return true
	})
	if err != nil {
		t.opts.Logger.Error("notes of a person could not be read", "error", err)
		return text
	}
	if len(notes) == 0 {
		return text
	}
	if t.opts.Noted != nil {
		t.opts.Noted(in.designer.ID())
	}
	return text[:len(text)-1] + `,"personNotes":` + string(encode(said)) + "}"
}

func wordsOfNote(n session.Note) string {
	about := "this design"
	if n.Table != "" {
		about = "table " + n.Table
	}
	return fmt.Sprintf("person's note on %s, typed at berth's page: %s", about, n.Text)
}
