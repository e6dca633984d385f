package lane

import "time"

// Workers runs tasks in goroutines that it keeps for later tasks: one that has
// grown its stack for a task of a kind does not have to do that again for the
// next, which for a short task can be a good part of the work. It bounds
// nothing; a [Lane] does.
type Workers struct{ tasks chan func() }

// NewWorkers returns workers without a goroutine.
func NewWorkers() *Workers { return &Workers{tasks: make(chan func())} }

// keepWorker is how long a goroutine waits for its next task.
const keepWorker = 10 * time.Second

// Go runs task in an idle goroutine, or in a new one if there is none.
func (w *Workers) Go(task func()) {
	select {
	case w.tasks <- task:
	default:
		go w.work(task)
	}
}

func (w *Workers) work(task func()) {
	idle := time.NewTimer(keepWorker)
	defer idle.Stop()
	for {
		task()
		task = nil // what it holds is not needed any longer
		idle.Reset(keepWorker)
		select {
		case task = <-w.tasks:
		case <-idle.C:
			return
		}
	}
}
