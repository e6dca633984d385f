package portmap

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// reservation records the port of a project whose instance may be gone, so that
// the project gets the same port at its next start.
type reservation struct {
	Port     int       `json:"port"`
	LastUsed time.Time `json:"lastUsed"` // last claimed or released, UTC, whole seconds
}

// reservationForm parses the reservations.
var reservationForm = fileForm[reservation]{all: parseReservations, one: func(member jsontext.Value) (reservation, bool) {
	var r reservation
	err := json.Unmarshal(member, &r, json.RejectUnknownMembers(true))
	return r.normal(), err == nil && r.check() == nil
}}

// parseReservations parses the reservations' text as strictly as the map's.
func parseReservations(data []byte) (map[string]reservation, error) {
	var reserved map[string]reservation
	if err := json.Unmarshal(data, &reserved, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if reserved == nil { // the text null
		return nil, fmt.Errorf("%w: not an object", ErrBroken)
	}
	for root, r := range reserved {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%w: %q %w", ErrBroken, root, err)
		}
		reserved[root] = r.normal()
	}
	return reserved, nil
}

func (r reservation) normal() reservation {
	r.LastUsed = r.LastUsed.UTC()
	return r
}

// check returns an error if a reservation is not valid.
func (r reservation) check() error {
	if !isPort(r.Port) {
		return fmt.Errorf("has port %d", r.Port)
	}
	if year := r.LastUsed.UTC().Year(); year < 1 || year > 9999 { // could not be encoded again
		return fmt.Errorf("was last used in the year %d", year)
	}
	return nil
}

// forgetOldest drops the least recently used reservations beyond a number,
// but never the one that was just made: a clock that was set back must not
// cost a project its port.
func forgetOldest(reserved map[string]reservation, keep int, justMade string) {
	if len(reserved) <= keep {
		return
	}
	roots := make([]string, 0, len(reserved))
	for root := range reserved {
		if root != justMade {
			roots = append(roots, root)
		}
	}
	slices.SortFunc(roots, func(a, b string) int {
		return cmp.Or(reserved[a].LastUsed.Compare(reserved[b].LastUsed), cmp.Compare(a, b))
	})
	for _, root := range roots[:min(len(reserved)-keep, len(roots))] {
		delete(reserved, root)
	}
}
