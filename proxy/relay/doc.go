// Package relay is the way to the projects of another machine: the command that
// gets a person there (ssh, docker exec, wsl.exe, …) runs "berth relay" there,
// and the two berths speak over its standard input and output.
//
//	this machine                              the other machine
//	proxy.Client ─▶ Host ─▶ command ═ stdio ═▶ Serve ─▶ proxy.Way ─▶ instance
//	                 │  ◀─ "berth-relay 1 VERSION" ─┤    map, proof and token
//	                 └──── HTTP/2 ─────────────────▶┘    stay on that side
//
// [Host] is the near side: it starts the command when it is needed, at most a
// few at once for all of the user's processes ([Logins]), and again after it
// ended, later each time it failed. [Serve] is the far side. What they say to
// each other is in messages.go; on stdio it is plain HTTP/2 of net/http, after
// one line that the near side finds behind whatever a login prints.
//
// Invariants:
//   - No token, person key, port or file of the other machine leaves it. The far
//     side looks up the map, proves the instance and authenticates there.
//   - The far side offers what messages.go and routes.go list, and nothing else.
//   - A host that hangs is noticed in 4 s, one that died at once; neither delays
//     another host.
//   - What a host prints is quoted to a person, bounded, and never obeyed.
package relay
