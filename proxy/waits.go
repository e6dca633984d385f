package proxy

import "time"

// waits are how long others may take, where no option says so.
type waits struct {
	roots time.Duration // for the client to say where it works
	hint  time.Duration // for the instances that an advice could name to prove themselves
	look  time.Duration // at one instance: so much does one that hangs delay
	list  time.Duration // of an answer of list-projects
	eof   time.Duration // for calls to be answered after the end of stdin, so that a script can pipe its requests in and read the answers
}

var usualWaits = waits{roots: 200 * time.Millisecond, hint: 500 * time.Millisecond, look: time.Second, list: time.Second, eof: 50 * time.Millisecond}
