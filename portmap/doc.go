// Package portmap keeps the map from a project's root to the port its instance
// listens on, which all of berth's processes share. Start with [Store]:
// [Store.Claim] binds a port for a project, [Store.Lookup] finds it,
// [Store.Release] removes it, [Store.Restore] repairs a map that lost it, and
// [Store.Watch] reports changes. [Home] names the files and [Canonical] turns a
// path into the key.
//
//	instance A ── Claim ──▶ ┌─────────────────────┐ ◀── Lookup ── front-end
//	instance B ── Claim ──▶ │ ports.json          │ ◀── Watch ─── berth ls
//	                        │ reservations.json   │
//	  writers, one by one:  │ ports.json.lock     │   readers: no lock
//	                        └─────────────────────┘
//
// The map does not say which instances are alive: an entry names the port that
// a project's instance was bound to, and a crash leaves the entry behind. A
// client that dials the port must verify the identity of the other end. This
// package does not do that, and it never removes an entry because its port does
// not answer.
//
// Invariants:
//   - The map is changed only while holding the lock file, which is never
//     renamed itself. Readers see the map before or after a change, never a
//     part of it.
//   - Binding decides who gets a port. No port is probed: a claim returns the
//     listener that bound it, and only on 127.0.0.1.
//   - A project has one entry, and after a claim its port belongs to one
//     project.
//   - A port that the map assigns to another project is never taken, even if
//     that project's instance has crashed.
//   - Content that cannot be parsed is renamed, never overwritten.
package portmap
