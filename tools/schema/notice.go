package schema

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/berth-dev/berth/designer"
	"github.com/berth-dev/berth/designer/clip"
	"github.com/berth-dev/berth/designer/session"
	"github.com/berth-dev/berth/tools"
)

// An agent was told that its edits are made. Where the design's file took them
// back since (a git pull, another berth on the same folder) its next reply says
// so, whatever the call was.

const (
	// maxNotice bounds what that adds to a reply.
	maxNotice = 640
	// noticeAge is for how long it is news.
	noticeAge = 24 * time.Hour
	// maxTold bounds how many clients are known to have been told. Beyond it
	// all are forgotten: some hear a thing twice.
	maxTold = 4096
)

// noticeLog knows what each client has been told. The zero value is good.
type noticeLog struct {
	mu   sync.Mutex
	last map[noticeKey]string // batch of the last thing told
}

type noticeKey struct{ client, connection string }

// news returns the end of list that a client has not been told, and counts it
// as told.
func (n *noticeLog) news(of noticeKey, list []session.FileRevert) []session.FileRevert {
	n.mu.Lock()
	defer n.mu.Unlock()
	known := n.last[of]
	seen := slices.IndexFunc(list, func(b session.FileRevert) bool { return b.BatchID == known })
	if n.last == nil || len(n.last) >= maxTold {
		n.last = map[noticeKey]string{}
	}
	n.last[of] = list[len(list)-1].BatchID
	return list[seen+1:]
}

// noticed is a reply's text with what its client has to be told.
func (t *Tool) noticed(ctx context.Context, in *invocation, text string, refused designer.Reason) string {
	if in.designer == nil || in.call.Origin != tools.OriginAgent {
		return text // a page has the event
	}
	if with := t.noticedReverts(in, text, refused); with != text {
		return with // a note waits for the next call: both may not fit
	}
	return t.withNotes(ctx, in, text)
}

func (t *Tool) noticedReverts(in *invocation, text string, refused designer.Reason) string {
	list, err := in.designer.FileReverts()
	if err != nil {
		return text // what is wrong with the state is said elsewhere
	}
	list = slices.DeleteFunc(list, func(b session.FileRevert) bool { return t.opts.Now().Sub(b.At) > noticeAge })
	if len(list) == 0 {
		return text
	}
	news := t.told.news(noticeKey{in.call.Client.ID, in.designer.ID()}, list)
	last := list[len(list)-1:]
	if len(news) == 0 && refused == designer.StaleState && last[0].Steps == 1 {
		news = last // this is what the caller has missed, or one of several behind one front-end
	}
	if len(news) == 0 {
		return text
	}
	return text[:len(text)-1] + `,"notice":` + string(encode(noticeOf(news))) + "}"
}

// noticeOf words what files took back, and what brings it back.
func noticeOf(news []session.FileRevert) string {
	last, first := news[len(news)-1], news[0]
	edits := 0
	for _, b := range news {
		edits += b.Edits
	}
	words := fmt.Sprintf("%s was changed by another program (git, an editor, another berth on this folder): its content came into the design as version %s and took back %s that had been acknowledged.",
		clip.Text(last.File, 128), clip.Text(last.Version, 64), counted(edits, "edit"))
	if len(news) > 1 {
		words += fmt.Sprintf(" That happened %d times.", len(news))
	}
	if first.Steps == 1 {
		return words + " One undo brings back what was before the file; without it the file's content stands."
	}
	return words + fmt.Sprintf(` undo with payload {"steps":%d} goes back to what was before the file, and also takes back what came after it.`, first.Steps)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
