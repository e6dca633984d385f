// Package proxy is berth's front-end: it takes a call from an agent on stdio
// or from a command, finds the instance of the project the call names, has it
// prove who it is, and forwards the call over loopback HTTP. It knows the
// tools' definitions and nothing of what they do; the other end of the hop is
// package instance. To one of an early version each call is a POST (send.go).
//
//	            Server                 Client                    instance of the project
//	agent ─stdio─▶ strict frames ─▶ projectRoot: absolute? exists?
//	              MCP, both eras       │ port map, instance file
//	                                   ├─ no entry, no file, other root ─▶ "not running"
//	                                   │ pool: connections per (root, port, token)
//	                                   ├─ dial 127.0.0.1:port ─── GET /health?nonce ─▶ proof
//	                                   │    refused, closed, wrong proof ─▶ "not running"
//	                                   │    silent ─▶ "could not establish"
//	                                   ├─ POST /calls ────────── Bearer token ───────▶ tools
//	                                   └─ a line a call ─────────────────────────────▶
//	agent ◀── progress, result ◀────────── NDJSON lines ◀────────────────────────────
//
// Start with [Client] for calls from Go, with [Server] for MCP. Messages go to
// the MCP library; calls for which it would do nothing but decode and pass them
// on take a shortcut (shortcut.go) and are answered alike.
//
// Invariants:
//   - Nothing of a call, and no token, is written to a connection before the
//     process behind it has proven on that very connection that it is the
//     instance of that project. When in doubt, the call is refused.
//   - What the documents define is a result, not an error: [Client.Call]
//     returns an error only when its context ended.
//   - Only proven connections are kept for a project. A restarted instance has
//     a new token, so the next call dials it again.
//   - Projects share nothing that can block: one that hangs delays no other.
//   - stdout carries MCP and nothing else; a normal call logs nothing.
package proxy
