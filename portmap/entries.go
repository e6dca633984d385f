package portmap

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrBroken is wrapped by the error for a file that cannot be parsed to its
// end. The next claim or release renames the file and continues with the
// members before the syntax error.
var ErrBroken = errors.New("content is not understood")

// parseEntries parses the map's text in the form berth writes: exactly one JSON
// object of project root to port, without duplicate names.
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

// entryForm parses the map.
var entryForm = fileForm[int]{all: parseEntries, one: parsePort}

// parsePort parses one member's port. 50001.0 is accepted as 50001.
func parsePort(member jsontext.Value) (int, bool) {
	if member.Kind() != '0' {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(member), 64)
	port := int(number)
	return port, err == nil && float64(port) == number && isPort(port)
}
