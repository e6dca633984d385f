// Package instance is the loopback HTTP server of one project: the one door
// through which front-ends, commands and the page reach the project's tools,
// its four REST routes and its events. It decides who may come in, puts a
// tools.Set on the wire and ends without losing a call. It knows nothing of
// databases, designs or the port map: those come in through [Config].
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
// [New] creates the token, which stands in the instance file alone; its calls
// have origin agent. A sign-in is made by POST /signin from a single-use code;
// its calls have origin page. The credential of a page is "<key id>.<key>",
// where the key follows from the sign-in's secret and the run of the instance:
// the next run has another. GET /health?nonce=…&key=<key id> proves the
// instance to a page before that sends the key, and lets a page that knows the
// sign-in's secret work out the key of this run.
//
// # Invariants
//
//   - Host and Origin are checked before anything else, the credential before
//     the body is read or any work is done.
//   - A credential is in no log line, no error and no reply but the one that
//     hands it out.
//   - A call that was let in is answered, or cut off after a bounded wait,
//     before Serve returns; one that comes later is told shutting_down.
//   - The instance file appears before the first request is answered and goes
//     before the port is given back, so it never names another's port.
//   - Every goroutine is waited for.
//
// [proxy/peer]: https://pkg.go.dev/github.com/berth-dev/berth/proxy/peer
package instance
