package proxy

import (
	"fmt"
	"strings"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/catalog"
)

// Limits on what is handed to an agent, whatever an instance sends. For a tool
// without a limit of its own, the highest reply limit of the settings applies.
const (
	maxReplyBytes   = 8<<20 + 64<<10
	maxMessageBytes = 1 << 10 // of one progress message
)

// replyError reports a reply that is too large for the agent.
type replyError struct{ bytes, limit int }

func (e *replyError) Error() string {
	return fmt.Sprintf("The project's instance answered %d bytes, more than the limit of %d for this tool, and the answer was dropped. "+
		"An instance of this version does not do that: stop it with berth stop --force and start it again.", e.bytes, e.limit)
}

// checkSize returns a [*replyError] for a result over its tool's limit.
func checkSize(line wire.Line, def catalog.Definition) error {
	if line.Result == nil {
		return nil
	}
	limit := def.MaxReplyBytes
	if limit == 0 {
		limit = maxReplyBytes
	}
	size := 0
	for _, text := range line.Result.Content {
		size += len(text)
	}
	if size = max(size, len(line.Result.Structured)); size > limit {
		return &replyError{size, limit}
	}
	return nil
}

// truncate returns text shortened to at most n bytes.
func truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
