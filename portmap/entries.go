package portmap

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrBroken is wrapped by the error for a file that cannot be read to its
// end. The next claim or release sets the file aside and continues with what
// stands before the break.
var ErrBroken = errors.New("content is not understood")

// parseEntries reads the map's text as berth writes it: exactly one JSON
// object of project root to port, no name twice.
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

// entryForm is how the map reads.
var entryForm = form[int]{all: parseEntries, one: parsePort}

// parsePort reads one member's port. 50001.0 is the number 50001.
func parsePort(member jsontext.Value) (int, bool) {
	if member.Kind() != '0' {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(member), 64)
	port := int(number)
	return port, err == nil && float64(port) == number && isPort(port)
}
