// Package review computes the net of what an agent changed in a design:
// whatever the number of steps, one state before and one after for each thing
// that differs. What a person has changed since is the person's, what was
// accepted is no change any more, and changes that cancelled out are none.
//
//	steps, newest first ──▶ [Net.Add] ──▶ [Net.Before]: the tables without the agent's changes
//
// It reads and computes; the state is package session's. Start with [New].
package review
