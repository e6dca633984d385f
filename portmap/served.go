package portmap

import "fmt"

// Served reports whether a canonical root is or was served, that is, whether it
// is in the map or the reservations. It takes no lock. The error for a file
// that cannot be parsed wraps [ErrBroken].
func (s *Store) Served(root string) (bool, error) {
	if _, ok, err := s.Lookup(root); ok || err != nil {
		return ok, err
	}
	data, err := readFile(s.reservationsPath())
	if err != nil || data == nil {
		return false, err
	}
	reserved, err := parseReservations(data)
	if err != nil {
		return false, fmt.Errorf("read port reservations %s: %w", s.reservationsPath(), err)
	}
	_, ok := lookup(reserved, root)
	return ok, nil
}
