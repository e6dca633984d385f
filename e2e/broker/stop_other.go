//go:build !unix

package broker

import "github.com/berth-dev/berth/e2e/needs"

// Stop needs SIGSTOP.
func (b *Broker) Stop() {
	needs.Missing(b.t, "SIGSTOP", "nothing here stops a process without ending it")
}

// Continue needs SIGCONT.
func (b *Broker) Continue() {}

// Reload needs SIGHUP.
func (b *Broker) Reload() {
	needs.Missing(b.t, "SIGHUP", "nothing here has a server read its configuration again")
}
