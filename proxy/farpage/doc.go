// Package farpage shows the designer page of a project of another machine on a
// port of this one, for as long as its command runs.
//
//	browser ──▶ Server on 127.0.0.1 ──▶ proxy.Way ══ relay ══▶ instance there
//	            owner, Host, Origin      routes of the page only
//
// Start with [New]. The page is that of the instance there, with its version of
// berth; each request goes there with the page's own key.
//
// Invariants:
//   - Only this machine's own user is answered, and of web pages only the page
//     itself: the same checks that an instance makes, made here, since Host,
//     Origin and the owner of a connection mean something on this machine alone.
//   - No key is kept here. One that the page gets is valid on this port, and the
//     page holds it in the memory of its tab.
//   - Nothing of this machine goes there but what the page sends: no cookies,
//     which a browser shares between all ports of a machine.
//   - No browser is opened on the other machine.
package farpage
