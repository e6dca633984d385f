// Package presence lists who is at one instance now: the pages that people have
// open, the agents that call, and the programs that hold the instance. It is in
// memory alone and forgets by itself. It knows nothing of HTTP, of designs or of
// a team's broker; cmd/berth/serve joins it with them.
//
// Start with [New] and [Board]. Invariants: the list is bounded; a text that came
// from outside is one line without hidden characters, of bounded length; an entry
// holds no path, key, statement or value, only names of programs, projects and
// tables that exist; nothing runs while the list is empty.
package presence
