// Package team joins an instance with its user's team: it connects to the
// broker that the user's own settings name, follows the journals of the designs
// that are shared, and says who is there. It knows no edits: a connected design
// makes them itself (designer/session).
//
//	settings ─▶ [Keeper] ─▶ designer/journal/stream ─▶ session.Designer.Connect
//
// Start with [Keep]. Invariant: without a shared design there is no connection
// and no goroutine, whatever the settings say, until a person asks for one.
package team
