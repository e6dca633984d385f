// Package portmap keeps the one thing berth's processes share: the map from a
// project's root to the port its instance listens on. Start at [Store]:
// [Store.Claim] binds a port for a project, [Store.Lookup] finds it,
// [Store.Release] gives it back, [Store.Restore] repairs a map that lost it,
// [Store.Watch] follows all of them. [Home]
// says where the files lie and [Canonical] turns a path into the key.
//
//	instance A ── Claim ──▶ ┌─────────────────────┐ ◀── Lookup ── front-end
//	instance B ── Claim ──▶ │ ports.json          │ ◀── Watch ─── berth ls
//	                        │ reservations.json   │
//	  writers, one by one:  │ ports.json.lock     │   readers: no lock
//	                        └─────────────────────┘
//
// It is not a directory of what is alive: an entry says where a project's
// instance was bound, and a crash leaves it behind. Whoever dials the port
// must have the other end prove itself; nothing here does that, and nothing
// here removes an entry because its port does not answer.
//
// Invariants:
//   - The map is read, changed and written only under the lock file, which is
//     never the file that is renamed. Readers see the map before a change or
//     after it, never half of it.
//   - The bind is the arbiter. No port is probed: the listener that bound is
//     the one a claim hands out, and it is on 127.0.0.1 alone.
//   - A project has one entry, and after a claim its port has one project.
//   - A port the map gives to another project is left to it, also when that
//     project's instance has crashed.
//   - Content that cannot be understood is set aside under another name, never
//     overwritten.
package portmap
