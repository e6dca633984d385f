// Package stream keeps a [journal.Journal] in a NATS JetStream stream. It is the
// client side only: the broker is the user's, and orders the entries.
//
// Start with [Dial], then [Team.Create] or [Team.Open].
//
// A journal named shop is three things of the user's account:
//
//	BERTH_J_shop    a stream of one subject, berth.j.shop: the entries
//	berth_shop      an object store: snapshots, and bodies too large for a message
//	berth.p.shop    a subject of core NATS: who is there
//
// # The protocol
//
// An entry is published with the expected last sequence n, so that it can only
// ever become n+1, and with one id for all its tries. [trial] decides by the
// answers:
//
//	acknowledged at n+1               committed
//	wrong last sequence               lost; if an earlier try has had no
//	                                  answer, n+1 is read: whose id is there?
//	no answer, or "try again"         the same bytes again, with a pause
//	any other refusal                 refused; if an earlier try has had no
//	                                  answer, as above
//
// A broker of one replica answers "wrong last sequence" to what it has itself
// committed, if the acknowledgement was lost: this is why n+1 is read. It is
// read from the stream's leader, never from a copy.
package stream
