package designer

// Slot is a name where it is taken: in a scope within which names differ, in
// the form in which they are compared.
type Slot struct{ Scope, Name string }

// NamedObject is an object that [Sequence] brings to its name. It is compared
// by identity, so an implementation is a pointer.
type NamedObject interface {
	// Slots lists what the object's name takes now.
	Slots() []Slot
	// Next lists what has to be free for its next move; nil if none is left.
	Next() []Slot
	// Move makes the next move. It returns the objects whose slots changed.
	Move() []NamedObject
	// StepAside gives a temporary name to what is in the way of others or of
	// itself; free reports whether nothing else takes slots. It returns the
	// objects whose slots changed, nil if it cannot, or has done so before.
	StepAside(free func([]Slot) bool) []NamedObject
}

// Sequence makes the moves of objects in an order in which each finds its new
// name free. Where objects wait for one another in a circle, or for one that
// stays, one of them steps aside; all others move once. It returns an object
// that no order brings to its name, nil if all are there.
func Sequence(objects []NamedObject) NamedObject {
	s := sequence{waits: map[NamedObject]bool{}, owner: map[Slot]NamedObject{}, held: map[NamedObject][]Slot{}}
	s.update(objects)
	for {
		waiting, moved := s.moveFirst()
		switch {
		case moved:
		case waiting == nil:
			return nil
		case !s.makeWay():
			return waiting
		}
	}
}

// sequence is one run of [Sequence].
type sequence struct {
	pending []NamedObject        // with a next move
	waits   map[NamedObject]bool // is pending
	owner   map[Slot]NamedObject
	held    map[NamedObject][]Slot // the reverse of owner
}

// update notes the slots and next moves of objects that changed.
func (s *sequence) update(changed []NamedObject) {
	for _, o := range changed {
		for _, slot := range s.held[o] {
			delete(s.owner, slot)
		}
	}
	for _, o := range changed {
		s.held[o] = o.Slots()
		for _, slot := range s.held[o] {
			s.owner[slot] = o
		}
		if !s.waits[o] && o.Next() != nil {
			s.pending, s.waits[o] = append(s.pending, o), true
		}
	}
}

// moveFirst makes the first move that can be made. Where none can, it returns
// the first object that waits, nil if none does.
func (s *sequence) moveFirst() (waiting NamedObject, moved bool) {
	kept := s.pending[:0]
	for i, o := range s.pending {
		next := o.Next()
		if next == nil {
			delete(s.waits, o)
			continue
		}
		kept = append(kept, o)
		if !s.free(o, next) {
			continue
		}
		s.pending = append(kept, s.pending[i+1:]...)
		s.update(o.Move())
		return nil, true
	}
	s.pending = kept
	if len(kept) == 0 {
		return nil, false
	}
	return kept[0], false
}

// free reports whether nothing but the object itself takes slots.
func (s *sequence) free(o NamedObject, slots []Slot) bool {
	for _, slot := range slots {
		if by := s.owner[slot]; by != nil && by != o {
			return false
		}
	}
	return true
}

// blocker returns what an object waits for, nil if it does not wait.
func (s *sequence) blocker(o NamedObject) NamedObject {
	for _, slot := range o.Next() {
		if by := s.owner[slot]; by != nil && by != o {
			return by
		}
	}
	return nil
}

// makeWay makes one object step aside: from each that waits on, it follows
// what that waits for, up to one that does not move or that it has met.
func (s *sequence) makeWay() bool {
	for _, waiting := range s.pending {
		var path []NamedObject
		met := map[NamedObject]bool{}
		at := waiting
		for ; at != nil && !met[at]; at = s.blocker(at) {
			met[at] = true
			path = append(path, at)
		}
		if at != nil {
			path = append(path, at) // the circle is opened where it was entered
		}
		for i := len(path) - 1; i >= 0; i-- {
			o := path[i]
			if changed := o.StepAside(func(slots []Slot) bool { return s.free(o, slots) }); changed != nil {
				s.update(changed)
				return true
			}
		}
	}
	return false
}

// Rename is one object that gets another name.
type Rename struct{ From, To string }

// Namespace is what [Namespace.Sequence] has to know of a scope with the names
// in it.
type Namespace struct {
	// Fold returns the form in which names are compared; nil: as they are.
	Fold func(string) string
	// Taken are the names in use. Objects that are not renamed go later, if
	// their names are wanted: they get a temporary name and keep it.
	Taken []string
	// CaseDetour says that a name whose case alone changes needs a temporary
	// one in between.
	CaseDetour bool
	// Temporary returns a name in use nowhere, each once, for an object that
	// has a name.
	Temporary func(name string) string
}

// Sequence orders renames so that each finds its new name free, over temporary
// names where there is no such order.
func (n Namespace) Sequence(renames []Rename) []Rename {
	if n.Fold == nil {
		n.Fold = func(name string) string { return name }
	}
	var out []Rename
	var objects []NamedObject
	renamed := map[string]bool{}
	for _, r := range renames {
		renamed[n.Fold(r.From)] = true
		objects = append(objects, &namedObject{space: &n, name: r.From, want: r.To, out: &out})
	}
	for _, name := range n.Taken {
		if !renamed[n.Fold(name)] {
			objects = append(objects, &namedObject{space: &n, name: name, want: name, stays: true, out: &out})
		}
	}
	Sequence(objects) // every one of them can step aside
	return out
}

// namedObject is an object of a [Namespace].
type namedObject struct {
	space      *Namespace
	name, want string
	stays      bool // it is not renamed; if it has to be, it keeps the temporary name
	aside      bool // it has had a temporary name
	out        *[]Rename
}

// Slots implements [NamedObject].
func (o *namedObject) Slots() []Slot { return []Slot{{Name: o.space.Fold(o.name)}} }

// Next implements [NamedObject].
func (o *namedObject) Next() []Slot {
	switch {
	case o.name == o.want:
		return nil
	case o.detour():
		return []Slot{}
	}
	return []Slot{{Name: o.space.Fold(o.want)}}
}

func (o *namedObject) detour() bool {
	return o.space.CaseDetour && o.space.Fold(o.name) == o.space.Fold(o.want)
}

// Move implements [NamedObject].
func (o *namedObject) Move() []NamedObject {
	if o.detour() {
		return o.rename(o.space.Temporary(o.name))
	}
	return o.rename(o.want)
}

// StepAside implements [NamedObject].
func (o *namedObject) StepAside(func([]Slot) bool) []NamedObject {
	if o.aside {
		return nil
	}
	o.aside = true
	name := o.space.Temporary(o.name)
	if o.stays {
		o.want = name
	}
	return o.rename(name)
}

func (o *namedObject) rename(name string) []NamedObject {
	*o.out = append(*o.out, Rename{From: o.name, To: name})
	o.name = name
	return []NamedObject{o}
}
