package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPageGoesOnWithTheInstanceThatTakesOver(t *testing.T) {
	s := newStudio(t, "CREATE TABLE t0 (id INTEGER PRIMARY KEY)")
	s.shows("t0(id)")
	s.expectOffline()
	s.expect("401 (Unauthorized)")
	old := s.in
	ready := make(chan error, 1)
	go func() {
		var err error
		s.in, err = s.tryServe(s.root)
		ready <- err
	}()
	// A person keeps editing meanwhile.
	name := 0
	for serving := false; !serving || name == 0; name++ {
		s.rename(tableTitle(fmt.Sprintf("t%d", name)), fmt.Sprintf("t%d", name+1))
		select {
		case err := <-ready:
			require.NoError(t, err)
			serving = true
		default:
		}
	}
	old.wait()
	require.Equal(t, old.Port, s.in.Port)
	s.toasts("A new instance serves app now")
	s.screenshot("taken-over")
	s.lacks(button("offline"))
	s.shows(fmt.Sprintf("t%d(id)", name))
	s.agrees()
	s.lacks(button("clash"))
	s.apply(addTable("after"))
	s.key("1")
	s.shows(fmt.Sprintf("t%d(id)", name), "after(id)")
	s.key("ctrl+z")
	s.shows(fmt.Sprintf("t%d(id)", name))
}

func TestAPageWhoseInstanceMovedSaysHowToFollowIt(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.rename(tableTitle("customer"), "client")
	s.agrees()
	s.expectOffline()
	from := s.in
	from.kill()
	s.has(button("offline"))
	silent := s.occupy(from.Port) // takes connections and says nothing
	s.in = s.serve(s.root)
	require.NotEqual(t, from.Port, s.in.Port)
	s.eventually(`() => document.querySelector("[data-testid=offline]").innerText.includes("berth open")`)
	s.screenshot("moved")
	s.goTo(s.address(s.in))
	s.shows("client(id name)", "purchase(id customer_id)")
	s.agrees()
	require.NoError(t, silent.Close())
}

func TestAPageTellsItsInstanceFromAnotherOnThePort(t *testing.T) {
	s := newStudio(t, twoTables)
	s.shows("customer(id name)", "purchase(id customer_id)")
	s.expectOffline()
	s.in.kill()
	s.has(button("offline"))
	s.rename(tableTitle("customer"), "client") // of nobody as yet
	stranger := newWorld(t)
	stranger.env = append(without(stranger.env, "BERTH_FIRST_PORT"), fmt.Sprintf("BERTH_FIRST_PORT=%d", s.in.Port))
	other := stranger.serve(stranger.project("other", "CREATE TABLE strange (id INTEGER PRIMARY KEY)"))
	require.Equal(t, s.in.Port, other.Port)
	s.has(button("gate-foreign"))
	s.sees("One edit of yours was not made")
	s.screenshot("foreign")
	s.hasNoSeriousBarrier()
	assert.NotContains(t, s.words(), "strange")
	other.stop()
}
