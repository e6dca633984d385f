package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

// A Logins bounds how many logins the processes of a user begin at once: a
// server that gets many refuses some (sshd's MaxStartups). Each place is a file
// that is locked while a login is under way, so a process that dies leaves none
// taken. The zero value bounds nothing.
type Logins struct {
	Dir    string // of the files; created with mode 0700. "": no bound
	Places int    // 0: 3
}

const (
	defaultPlaces = 3
	// longestLogin is how long a login keeps its place: one that takes longer
	// most likely talks to a machine that is not there, and must not keep other
	// hosts waiting.
	longestLogin = 10 * time.Second
	loginPause   = 40 * time.Millisecond // between two looks for a free place
)

// enter waits for a place. leave gives it back, and may be called twice.
func (l Logins) enter(ctx context.Context) (leave func(), err error) {
	if l.Dir == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("wait for other logins: %w", err)
	}
	places := l.Places
	if places == 0 {
		places = defaultPlaces
	}
	for {
		first := rand.IntN(places)
		for i := range places {
			place := flock.New(filepath.Join(l.Dir, "login-"+strconv.Itoa((first+i)%places)+".lock"))
			taken, err := place.TryLock()
			if err != nil {
				_ = place.Close()
				return nil, fmt.Errorf("wait for other logins: %w", err)
			}
			if taken {
				timer := time.AfterFunc(longestLogin, func() { _ = place.Close() })
				return func() { timer.Stop(); _ = place.Close() }, nil
			}
			_ = place.Close()
		}
		pause := time.NewTimer(loginPause/2 + rand.N(loginPause))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		}
	}
}
