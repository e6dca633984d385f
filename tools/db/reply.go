package db

import (
	"errors"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
	"github.com/berth-dev/berth/tools/db/readonly"
)

// fail makes the reply of an error: plain text, in words of the caller's
// level. Only a database that cannot be opened has the document's sentence,
// with its cause behind it.
func fail(err error) tools.Reply {
	var connect *dial.ConnectError
	if errors.As(err, &connect) {
		return tools.Reply{Content: []string{catalog.TextFailure, replytext.Shown(connect.Error())}, IsError: true, Reason: reasonOf(err)}
	}
	return tools.Reply{Content: []string{replytext.Shown(pool.Message(err))}, IsError: true, Reason: reasonOf(err)}
}

// reasonOf is the kind of an error, for the log.
func reasonOf(err error) string {
	var refused *readonly.Refusal
	if errors.As(err, &refused) {
		return "not_a_read"
	}
	return pool.Reason(err)
}

// reply is a reply of a first item and, where it says anything, a second.
func reply(first, second string) tools.Reply {
	if second == "" {
		return tools.Reply{Content: []string{first}}
	}
	return tools.Reply{Content: []string{first, second}}
}
