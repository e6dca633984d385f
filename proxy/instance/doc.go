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
//
// Start with [New] and [Server.Serve].
//
// # Credentials
//
// The token is made anew by [New] and stands in the instance file alone; its
// calls have origin agent. A page key is made by POST /signin from a
// single-use code; its calls have origin page. The credential of a page is
// "<key id>.<key>". What is stored of a key is SHA-256 of its 32 bytes: that
// opens nothing, and it is the HMAC key of the proof that GET
// /health?nonce=…&key=<key id> answers, so that a page can tell its own
// project from another one on the same port before it sends the key.
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
package instance
