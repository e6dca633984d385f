package portmap

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrBroken is wrapped by the error for a file whose content cannot be
// understood. The next claim or release sets the file aside and starts anew.
var ErrBroken = errors.New("content is not understood")

// parseEntries reads the map's text: exactly one JSON object of project root
// to port, no name twice.
func parseEntries(data []byte) (map[string]int, error) {
	var entries map[string]int
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if entries == nil { // the text null
		return nil, fmt.Errorf("%w: not an object", ErrBroken)
	}
	for root, port := range entries {
		if !isPort(port) {
			return nil, fmt.Errorf("%w: %q has port %d", ErrBroken, root, port)
		}
	}
	return entries, nil
}

func isPort(port int) bool { return 1 <= port && port <= 65535 }

// encode writes the text of a map or of the reservations: names sorted,
// indented by two spaces, for people and programs alike.
func encode[V any](byRoot map[string]V) ([]byte, error) {
	text, err := json.Marshal(byRoot, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
