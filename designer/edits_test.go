package designer_test

import (
	"encoding/json"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/edits"
)

func init() {
	designer.ReadEdits = func(raw json.RawMessage) ([]designer.Edit, *designer.Error) {
		list, err := edits.Decode(raw)
		if err != nil {
			return nil, err.Error
		}
		return list, nil
	}
}
