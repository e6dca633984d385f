package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/approval"
)

// TestStories plays testdata/stories; its README says how they are written.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/[0-9]*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			newStory(t, file).play(blocksOf(t, string(text)))
		})
	}
}

// block is one fenced block of a story.
type block struct {
	line int
	info []string // words after the fence
	text string
}

func blocksOf(t *testing.T, text string) []block {
	t.Helper()
	var blocks []block
	var open *block
	for i, line := range strings.Split(text, "\n") {
		fence, ok := strings.CutPrefix(line, "```")
		switch {
		case ok && open == nil:
			open = &block{line: i + 1, info: strings.Fields(fence)}
		case ok:
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	require.Nil(t, open, "a block is not closed")
	return blocks
}

// story is one story on its way.
type story struct {
	t     *testing.T
	file  string
	world *world
	bound map[string]string // placeholders by name
	state string            // of the question asked last
	asked *tools.Ask
	reply tools.Reply
}

func newStory(t *testing.T, file string) *story {
	return &story{t: t, file: file, bound: map[string]string{}}
}

func (s *story) play(blocks []block) {
	for _, b := range blocks {
		at := fmt.Sprintf("%s:%d", s.file, b.line)
		kind := strings.TrimPrefix(strings.Join(b.info[:min(2, len(b.info))], " "), "json ")
		if b.info[0] == "interrupt" {
			kind = b.info[0]
		}
		switch kind {
		case "setup":
			s.setup(b.text)
		case "restart":
			s.world.restart()
		case "call":
			s.call(at, b)
		case "reply":
			s.check(at, b)
		case "text write":
			s.write(b)
		case "sql":
			s.world.exec(b.text)
		case "interrupt":
			s.interrupt(at, b)
		case "text file":
			s.checkFile(at, b)
		case "ask":
			require.NotNil(s.t, s.reply.Ask, "%s: no question was asked but answered %v", at, s.reply.Content)
			s.compare(at, b.text, string(s.reply.Ask.Requests))
		default:
			require.Fail(s.t, "unknown block", "%s: %v", at, b.info)
		}
	}
}

func (s *story) setup(text string) {
	kind, connections, confirm, server := "empty", 1, "", ""
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "database":
			kind = value
		case "connections":
			n, err := strconv.Atoi(value)
			require.NoError(s.t, err)
			connections = n
		case "confirm":
			confirm = value
		case "server":
			server = value
		default:
			require.Fail(s.t, "unknown setup", line)
		}
	}
	if server != "" {
		s.world = newServerWorld(s.t, server)
		return
	}
	s.world = newWorld(s.t, kind, connections, confirm)
}

// interrupt has the next publish break off before a statement, as if the
// server had gone away; with no number none does any more.
func (s *story) interrupt(at string, b block) {
	s.world.server.broken = nil
	if len(b.info) == 1 {
		return
	}
	n, err := strconv.Atoi(b.info[1])
	require.NoError(s.t, err, at)
	s.world.server.broken = func(step int, done bool) error {
		if step+1 == n && !done {
			return errors.New("the server has gone away")
		}
		return nil
	}
}

func (s *story) call(at string, b block) {
	arguments := s.expand(at, b.text)
	s.reply = s.world.call(s.withRoot(at, arguments), func(c *tools.Call) {
		for _, word := range b.info[2:] {
			switch word {
			case "page":
				c.Origin = tools.OriginPage
			case "elicit":
				c.Client.Elicitation = true
			case "terminal": // berth's own, which shows questions of any length
				c.Client.Name, c.Client.Elicitation = "berth", true
			case "accept", "reject", "decline", "cancel":
				c.Client.Elicitation = true
				c.State = s.state
				c.Answers = answers[word](s.asked)
			default:
				require.Fail(s.t, "unknown word", "%s: %s", at, word)
			}
		}
	})
	if s.reply.Ask != nil {
		s.state, s.asked = s.reply.Ask.State, s.reply.Ask
	}
}

// answers are those of a client to a question, by the word of a story.
var answers = map[string]func(asked *tools.Ask) json.RawMessage{
	"accept": approving,
	"reject": func(*tools.Ask) json.RawMessage {
		return json.RawMessage(`{"confirm":{"action":"accept","content":{"decision":"reject"}}}`)
	},
	"decline": func(*tools.Ask) json.RawMessage { return json.RawMessage(`{"confirm":{"action":"decline"}}`) },
	"cancel":  func(*tools.Ask) json.RawMessage { return json.RawMessage(`{"confirm":{"action":"cancel"}}`) },
}

// approving is the answer of a person who approves, and who types the name that
// the question wants typed.
func approving(asked *tools.Ask) json.RawMessage {
	var requests map[string]struct {
		Params struct {
			Meta map[string]string `json:"_meta"`
		} `json:"params"`
	}
	_ = json.Unmarshal(asked.Requests, &requests) // one that cannot be read has no name
	content := map[string]string{"decision": "approve"}
	if name := requests["confirm"].Params.Meta[approval.NameMeta]; name != "" {
		content["database"] = name
	}
	answer, _ := json.Marshal(map[string]any{"confirm": map[string]any{"action": "accept", "content": content}}) // strings alone
	return answer
}

// write puts a file into the project.
func (s *story) write(b block) {
	path := filepath.Join(s.world.root, filepath.FromSlash(b.info[2]))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(b.text), 0o644))
}

// checkFile compares a file of the project, but for empty lines at its end. A
// line … stands for any lines.
func (s *story) checkFile(at string, b block) {
	text, err := os.ReadFile(filepath.Join(s.world.root, filepath.FromSlash(b.info[2])))
	require.NoError(s.t, err, at)
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(b.text, "\n")), "\n…", "(?:\n.*)*")
	assert.Regexp(s.t, "^"+pattern+"\n*$", string(text), at)
}

// withRoot adds the projectRoot that every call carries.
func (s *story) withRoot(at, arguments string) string {
	require.True(s.t, json.Valid([]byte(arguments)), "%s: not JSON", at)
	return strings.Replace(arguments, "{", `{"projectRoot":"/home/ann/shop",`, 1)
}

func (s *story) check(at string, b block) {
	require.Nil(s.t, s.reply.Ask, "%s: a question was asked", at)
	require.NotEmpty(s.t, s.reply.Content, at) // the first is the contract's; a mark may follow
	got := s.reply.Content[0]
	s.compare(at, b.text, got)
	assert.Equal(s.t, strings.HasPrefix(got, `{"success":false`), s.reply.IsError, "%s: isError", at)
	if len(b.info) > 2 {
		most, err := strconv.Atoi(b.info[len(b.info)-1])
		require.NoError(s.t, err, at)
		assert.LessOrEqual(s.t, len(got), most, "%s: bytes of %s", at, got)
	}
}

var placeholder = regexp.MustCompile(`\$(V|ID)\d+|,"…"\]|\["…"\]|"…"`)

// expand puts the values of placeholders into a call.
func (s *story) expand(at, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := s.bound[name]
		require.True(s.t, ok, "%s: %s has no value yet", at, name)
		return value
	})
}

// compare matches a reply with what the story says, member order and all.
func (s *story) compare(at, want, got string) {
	s.t.Helper()
	var compact bytes.Buffer
	require.NoError(s.t, json.Compact(&compact, []byte(want)), at)
	expected := compact.String()
	var pattern strings.Builder
	var fresh []string
	rest := 0
	for _, span := range placeholder.FindAllStringIndex(expected, -1) {
		pattern.WriteString(regexp.QuoteMeta(expected[rest:span[0]]))
		name := expected[span[0]:span[1]]
		rest = span[1]
		switch value, known := s.bound[name]; {
		case name == `"…"`:
			pattern.WriteString(`"(?:[^"\\]|\\.)*"`)
		case strings.HasPrefix(name, `,"`):
			pattern.WriteString(`(?:,.*)?\]`)
		case strings.HasPrefix(name, `["`):
			pattern.WriteString(`\[.*\]`)
		case known:
			pattern.WriteString(regexp.QuoteMeta(value))
		case strings.HasPrefix(name, "$V"):
			pattern.WriteString(`(?P<` + name[1:] + `>[0-9a-f]{32})`)
			fresh = append(fresh, name)
		default:
			pattern.WriteString(`(?P<` + name[1:] + `>[^"]+)`)
			fresh = append(fresh, name)
		}
	}
	pattern.WriteString(regexp.QuoteMeta(expected[rest:]))
	matched := regexp.MustCompile("^" + pattern.String() + "$").FindStringSubmatch(got)
	if matched == nil {
		assert.Fail(s.t, "another reply than told", "%s\nwant %s\ngot  %s", at, s.known(expected), got)
		s.t.FailNow()
	}
	for i, name := range fresh {
		s.bind(at, name, matched[i+1])
	}
}

func (s *story) bind(at, name, value string) {
	for other, taken := range s.bound {
		require.NotEqual(s.t, taken, value, "%s: %s is %s again", at, name, other)
	}
	s.bound[name] = value
}

// known shows a told reply with the values that are known.
func (s *story) known(text string) string {
	for name, value := range s.bound {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}
