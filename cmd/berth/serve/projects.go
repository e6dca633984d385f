package serve

import "context"

// noticeProjects: the list of the user's projects changed.
const noticeProjects = "projects"

// projectWatch tells open pages when the port map changes.
type projectWatch struct {
	end  context.CancelFunc
	done chan struct{}
}

// watchProjects starts a watch. Without one, pages look when they are asked to.
func (r run) watchProjects(n *notices) *projectWatch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &projectWatch{end: cancel, done: make(chan struct{})}
	changes, err := r.Store.Watch(ctx)
	if err != nil {
		r.Logger.Warn("pages are not told of other projects", "cause", err)
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		for range changes { // the first is how the map is now
			n.Announce(notice{noticeProjects})
		}
	}()
	return w
}

// stop ends the watch and waits for it.
func (w *projectWatch) stop() {
	w.end()
	<-w.done
}
