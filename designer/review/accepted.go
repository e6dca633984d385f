package review

// Accepted is what a person has accepted: of all, and of single things, the
// number of the last step that counts. The zero value is: nothing.
type Accepted struct {
	All  int64            `json:"all,omitempty"`
	Keys map[string]int64 `json:"keys,omitempty"` // by [Key.String]
}

// upTo returns the last step whose part in k is accepted.
func (a Accepted) upTo(k Key) int64 {
	n := a.All
	for _, above := range k.above() {
		n = max(n, a.Keys[above.String()])
	}
	return n
}

// Accept accepts what keys select as step n left it; without keys, all.
func (a *Accepted) Accept(n int64, keys []Key) {
	if len(keys) == 0 {
		*a = Accepted{All: n}
		return
	}
	if a.Keys == nil {
		a.Keys = map[string]int64{}
	}
	for _, k := range keys {
		a.Keys[k.String()] = max(n, a.Keys[k.String()])
	}
}

// Forget makes Accepted that of a history whose steps are first to last: the
// numbers above are used again, for other steps. It reports whether that
// changed anything.
func (a *Accepted) Forget(first, last int64) bool {
	changed := a.All > last
	a.All = min(a.All, last)
	for k, n := range a.Keys {
		switch {
		case n <= a.All || n < first:
			delete(a.Keys, k)
			changed = true
		case n > last:
			a.Keys[k] = last
			changed = true
		}
	}
	return changed
}
