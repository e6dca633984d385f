package pageapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/session"
)

// A list of what persons made on the canvas is a document of its own, so that
// a berth that does not know it leaves it as it is.

// readList returns what a document lists, and how often it was written. A
// document that was never written lists nothing.
func readList[T any](ctx context.Context, d *session.Designer, document string) ([]T, int64, error) {
	text, counter, err := d.Document(ctx, document)
	if err != nil {
		return nil, 0, err
	}
	list, err := decodeList[T](text, document)
	return list, counter, err
}

func decodeList[T any](text, document string) ([]T, error) {
	list := []T{}
	if text == "" {
		return list, nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("read %s: %w", document, err)
	}
	return list, nil
}

// editList changes what a document lists and tells the other pages that it was
// changed, by a notice of the document's name.
func (a *API) editList(ctx context.Context, d *session.Designer, document string, edit func(text string) (any, error)) (int64, error) {
	counter, err := d.SetDocument(ctx, document, func(text string) (string, error) {
		list, err := edit(text)
		if err != nil {
			return "", err
		}
		out, err := json.Marshal(list)
		return string(out), err
	})
	if errors.Is(err, session.ErrDocumentTooLarge) {
		return 0, &Error{"too_large", "the design keeps no more of these than 4 MiB; remove some first"}
	}
	if err != nil {
		return 0, keepError(err)
	}
	a.opts.Announce(struct {
		Type         string `json:"type"`
		ConnectionID string `json:"connectionId"`
		Counter      int64  `json:"counter"`
	}{document, d.ID(), counter})
	return counter, nil
}

// maxCoordinate bounds what is kept of the canvas, far beyond any diagram.
const maxCoordinate = 1e7

func onCanvas(numbers ...float64) bool {
	for _, n := range numbers {
		if math.IsNaN(n) || math.Abs(n) > maxCoordinate {
			return false
		}
	}
	return true
}

// oneLine is a text as it is kept: one line of characters that are seen.
func oneLine(what, text string, most int) (string, error) {
	text = strings.TrimSpace(strings.Map(plain, text))
	switch n := utf8.RuneCountInString(text); {
	case text == "":
		return "", invalid(what + " is required")
	case n > most:
		return "", invalid(fmt.Sprintf("%s has %d characters, at most %d", what, n, most))
	}
	return text, nil
}
