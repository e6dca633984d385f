package readonly

import (
	"slices"
	"sync"
)

// PostgresCache is what the sessions of one database share from one query to
// the next: that everything which no query names was judged in a certain state
// of the database, and which names were found certain in it. A state is the
// server's own name of a snapshot, with the database and the start of the
// server that it is of. Two are equal only where no transaction ended between
// them that could have changed anything. Nothing of it depends on a session's
// path, role or login: names count in every schema. The zero value knows
// nothing. Its methods may be called at once.
type PostgresCache struct {
	mu       sync.Mutex
	known    *knownPostgres  // nil: nothing is known
	steady   bool            // the last query found the state that was known
	notPlain map[string]bool // names that were not only those of plain tables
	doubtful map[string]bool // names that made a condition fail; see Doubt
}

// knownPostgres is a state in which everything was judged and admitted that no
// query names. It is not changed, but for names.
type knownPostgres struct {
	ambientState
	// certain are names that a condition found certain in this state, with
	// their kinds; true: where they stood, a relation had bytes. The cache's mu
	// guards it.
	certain map[string]bool
}

// maxNoted bounds the names that are kept. Each is cut as the server cuts it.
const maxNoted = 1000

// current returns what is known, nil if nothing is, and whether the state was
// found again.
func (m *PostgresCache) current() (known *knownPostgres, steady bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known, m.steady
}

// keep takes an answer of which everything was judged and admitted.
func (m *PostgresCache) keep(a *ambientState) {
	if a.state == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steady = m.known != nil && m.known.state == a.state
	if !m.steady {
		m.known = &knownPostgres{ambientState: *a, certain: map[string]bool{}}
	}
}

// Changed says that the state was another one.
func (m *PostgresCache) Changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steady = false
}

// Forget has everything asked again.
func (m *PostgresCache) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known, m.steady = nil, false
}

// Held says that the condition of c held: its names are certain in its state,
// and need not be asked for in that again. bytes: a relation that one of them
// may mean has bytes.
func (m *PostgresCache) Held(c PostgresCertainty, bytes bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(c.known.certain)+len(c.names) > maxNoted {
		clear(c.known.certain)
	}
	for _, name := range c.names {
		if len(c.known.certain) < maxNoted {
			c.known.certain[name] = bytes || c.known.certain[name]
		}
	}
}

// held reports whether all names are certain in the state, and whether there
// were bytes.
func (m *PostgresCache) held(known *knownPostgres, names []string) (all, bytes bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		b, ok := known.certain[name]
		if !ok {
			return false, false
		}
		bytes = bytes || b
	}
	return true, bytes
}

// Doubt takes the answer to Doubts, after a condition failed. It decides what
// is asked first, never what is admitted.
func (m *PostgresCache) Doubt(rows [][]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	noteNames(&m.doubtful, rows)
}

// isDoubtful reports whether one of the names made a condition fail.
func (m *PostgresCache) isDoubtful(names ...string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(names, func(name string) bool { return m.doubtful[name] })
}

// note keeps which names were not those of plain tables. It decides what is
// asked first, never what is admitted.
func (m *PostgresCache) note(rows [][]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	noteNames(&m.notPlain, rows)
}

// isNotPlain reports whether one of the names was not that of plain tables.
func (m *PostgresCache) isNotPlain(names []string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(names, func(name string) bool { return m.notPlain[name] })
}

func noteNames(into *map[string]bool, rows [][]string) {
	if *into == nil || len(*into)+len(rows) > maxNoted {
		*into = map[string]bool{}
	}
	for _, row := range rows {
		(*into)[row[0]] = true
	}
}
