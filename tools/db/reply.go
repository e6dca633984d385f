package db

import (
	"errors"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/catalog"
	"github.com/berth-dev/berth/tools/db/dial"
	"github.com/berth-dev/berth/tools/db/internal/replytext"
	"github.com/berth-dev/berth/tools/db/pool"
)

// fail makes the reply of an error: plain text, in words of the caller's
// level. Only a database that cannot be opened has the document's sentence,
// with its cause behind it.
func fail(err error) tools.Reply {
	var connect *dial.ConnectError
	if errors.As(err, &connect) {
		return tools.Reply{Content: []string{catalog.TextFailure, replytext.Shown(connect.Error())}, IsError: true}
	}
	return tools.Reply{Content: []string{replytext.Shown(pool.Message(err))}, IsError: true}
}

// reply is a reply of a first item and, where it says anything, a second.
func reply(first, second string) tools.Reply {
	if second == "" {
		return tools.Reply{Content: []string{first}}
	}
	return tools.Reply{Content: []string{first, second}}
}
