package schema

import "github.com/go-json-experiment/json/jsontext"

// room returns how many bytes of lists a reply can take that has none yet.
func room(reply any) int { return roomIn(maxReply, reply) }

// roomIn is room in a reply of at most limit bytes.
func roomIn(limit int, reply any) int {
	const slack = 256 // counts and offsets that come with the lists
	return limit - len(encode(reply)) - slack
}

// take encodes the first of n entries that fit into a number of bytes
// together. The list is never nil.
func take(budget, n int, entry func(i int) any) (list []jsontext.Value, used int) {
	list = []jsontext.Value{}
	for i := range n {
		text := encode(entry(i))
		if used+len(text)+1 > budget {
			break
		}
		used += len(text) + 1
		list = append(list, text)
	}
	return list, used
}

// window is the part of a list that a caller asks for.
type window struct {
	offset int
	limit  *int // nil: as many as fit
}

// cut returns the bounds of the window in a list of n.
func (w window) cut(n int) (from, to int) {
	from = min(w.offset, n)
	to = n
	if w.limit != nil {
		to = min(n, from+min(*w.limit, n))
	}
	return from, to
}
