package dbml

import (
	"fmt"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/overlay"
)

// ParseOver reads DBML as a new state of s. What DBML cannot express (options
// of the dialect, formulas, operator classes, row security) stays as s has it,
// so that the text that [Render] writes of s leads back to s. Errors are those
// of [Parse].
func ParseOver(text string, s *designer.Schema) (designer.LoadResult, error) {
	loaded, err := Parse(text, s.Dialect())
	if err != nil {
		return loaded, err
	}
	said, err := Parse(Render(s), s.Dialect())
	if err != nil {
		return designer.LoadResult{}, fmt.Errorf("read what DBML says of the design: %w", err)
	}
	loaded.Definition = overlay.Definition(s, said.Definition, loaded.Definition)
	return loaded, nil
}
