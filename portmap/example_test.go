package portmap_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/berth-dev/berth/portmap"
)

// An instance claims its project's port and serves on the listener; a
// front-end finds the port by the same path.
func Example() {
	dir, err := os.MkdirTemp("", "berth")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	root, err := portmap.Canonical(dir)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	store := portmap.NewStore(filepath.Join(dir, "ports.json"), nil)

	claim, err := store.Claim(ctx, root)
	if err != nil {
		panic(err)
	}
	port, running, err := store.Lookup(root)
	fmt.Println(running, port == claim.Port, err)

	released, err := store.Release(ctx, root, claim.Port) // before the listener is closed
	fmt.Println(released, err)
	fmt.Println(claim.Listener.Close())
	// Output:
	// true true <nil>
	// true <nil>
	// <nil>
}
