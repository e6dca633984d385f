package serve

import (
	"context"
	"errors"

	"github.com/berth-dev/berth/tools/files"
	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/pageapi"
)

// pageEdits has a person at the page, or in an editor, look at what fast mode
// wrote and undo it.
type pageEdits struct{ files *files.Tool }

// FindEdit implements instance.Edits.
func (p pageEdits) FindEdit(ctx context.Context, id string) (any, error) {
	e, err := p.files.FindEdit(ctx, id)
	return e, editError(err)
}

// UndoEdit implements instance.Edits.
func (p pageEdits) UndoEdit(ctx context.Context, id string) (any, error) {
	e, err := p.files.UndoEdit(ctx, id)
	return e, editError(err)
}

// editError words an error for a person.
func editError(err error) error {
	var known *disk.Error
	switch {
	case errors.Is(err, files.ErrUnknownEdit):
		return &pageapi.Error{Code: "not_found", Message: err.Error()}
	case errors.As(err, &known):
		return &pageapi.Error{Code: "invalid_request", Message: known.Message}
	}
	return err
}
