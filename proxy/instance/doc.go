// Package instance is the loopback HTTP server of one project: the one door
// through which front-ends, commands and the page reach the project's tools,
// its four REST routes and its events. It authenticates callers, serves a
// tools.Set over HTTP and shuts down without losing a call. It knows nothing
// about databases, designs or the port map: those are passed in [Config].
//
//	front-end, berth call ──Bearer <token>──────────┐
//	page ──Bearer <key id>.<key>──▶ guard ─▶ auth ─▶ routes ─▶ gate ─▶ tools
//	agent ──Bearer <token>, MCP──▶    │       │                  │
//	anyone else                  403 ◀┘   401 ◀┘     503 at the end
//	another user   403 before any of it
//
// Start with [New] and [Server.Serve].
//
// # Credentials
//
// A connection of another user of the machine is refused before anything is
// read, see [proxy/peer].
//
// [New] creates the token, which is stored only in the instance file; its calls
// have origin agent. POST /signin creates a sign-in from a single-use code; its
// calls have origin page. The credential of a page is "<key id>.<key>", where
// the key is derived from the sign-in's secret and the run of the instance: the
// next run has another key. GET /health?nonce=…&key=<key id> proves the
// instance's identity to a page before the page sends the key, and lets a page
// that knows the sign-in's secret compute the key of this run.
//
// # Invariants
//
//   - Host and Origin are checked before anything else, the credential before
//     the body is read or any work is done.
//   - A credential never appears in a log line, an error or a reply, except in
//     the reply that issues it.
//   - A call that was admitted is answered, or cut off after a bounded wait,
//     before Serve returns; a later call is refused with shutting_down.
//   - The instance file is written before the first request is answered and
//     removed before the port is released, so it never names another instance's
//     port.
//   - Every goroutine is waited for.
//
// [proxy/peer]: https://pkg.go.dev/github.com/berth-dev/berth/proxy/peer
package instance
