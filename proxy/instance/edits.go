package instance

import "context"

// Edits are the edits of files that fast mode made without asking. What the
// methods return is written as JSON; errors are told as those of [Designs] are.
type Edits interface {
	// FindEdit returns one, with the texts before and after.
	FindEdit(ctx context.Context, id string) (any, error)
	// UndoEdit has it undone for a person, if the file is what the edit made of
	// it.
	UndoEdit(ctx context.Context, id string) (any, error)
}

// getEdit returns one edit of fast mode.
func (s *Server) getEdit() handler {
	return answer(s, func(ctx context.Context, r *request) (any, error) { return s.cfg.Edits.FindEdit(ctx, r.param) })
}

// postUndo undoes one for the person at the page.
func (s *Server) postUndo() handler {
	return answer(s, func(ctx context.Context, r *request) (any, error) {
		s.cfg.Logger.Info("a person undoes an edit", "edit", r.param)
		return s.cfg.Edits.UndoEdit(ctx, r.param)
	})
}
