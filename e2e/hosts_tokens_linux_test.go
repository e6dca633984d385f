package e2e

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
	"github.com/berth-dev/berth/e2e/sshd"
	"github.com/berth-dev/berth/proxy/wire"
)

// No token, person key or address of the other machine is found on this one: not
// in files, in arguments and environments, in the memory of the processes that
// reach it, or in what crossed their pipes. That the search finds what is there
// shows a text of the project, which does come over.
func TestNoTokenOfAnotherMachineComesOverSSH(t *testing.T) {
	t.Parallel()
	needs.Root(t)
	needs.Program(t, "strace")
	s, w := sshd.Start(t), newWorld(t)
	far := overSSH(s, w, "build1")
	root := far.project("app", "CREATE TABLE seen_by_both (id INTEGER PRIMARY KEY)")
	in := far.serve(root)
	project, crossed := "build1:"+root, filepath.Join(t.TempDir(), "crossed")
	cmd := exec.Command("strace", "-f", "-qq", "-xx", "-s", "1000000", "-e", "trace=read,write,readv,writev,sendto,recvfrom,sendmsg,recvmsg", "-o", crossed, binary, "mcp")
	cmd.Env = w.env
	client := w.connected(mcp.NewClient(&mcp.Implementation{Name: "berth-e2e", Version: "1"}, nil), cmd, nil)
	page := w.show(project)

	assert.Contains(t, client.ask(project, "get-tables", nil).text(), "seen_by_both")
	now := client.design(project, map[string]any{"operation": "show"})
	require.True(t, client.design(project, edits(now.Version, addTable("invoice"))).Success)
	insert := map[string]any{"statement": "INSERT INTO seen_by_both (id) VALUES (7)"}
	var plan struct{ PlanID string }
	require.NoError(t, json.Unmarshal([]byte(client.ask(project, "execute-sql", insert).text()), &plan))
	insert["plan_id"] = plan.PlanID
	key := map[string]string{"Authorization": page.signIn()}
	status, body := request(t, page.instance, "GET", "/approvals", "", key)
	require.Equal(t, 200, status, body)
	require.Contains(t, body, plan.PlanID)
	status, body = request(t, page.instance, "POST", "/approvals/"+plan.PlanID, `{"decision":"approve"}`, key)
	require.Equal(t, 200, status, body)
	require.False(t, client.ask(project, "execute-sql", insert).isError)
	assert.Contains(t, w.berth("hosts").stdout, "reached")
	client.list(nil)

	person, err := wire.ReadPersonKey(filepath.Join(far.home, "person.key"))
	require.NoError(t, err)
	token, err := os.ReadFile(filepath.Join(far.home, "instances", fmt.Sprintf("%d.json", in.Port)))
	require.NoError(t, err)
	require.Contains(t, string(token), far.token(in))
	var raw wire.Token
	require.NoError(t, raw.UnmarshalText([]byte(far.token(in))))
	secrets := search{
		"the token": []byte(far.token(in)), "the bytes of the token": raw[:],
		"the person key": []byte(strings.TrimPrefix(person.Header(), "Bearer ")), "the bytes of the person key": person[:],
		"the address of the instance": []byte(fmt.Sprint("127.0.0.1:", in.Port)), "its file": []byte(filepath.Join("instances", fmt.Sprint(in.Port))),
	}
	text := search{"a text that comes over": []byte("seen_by_both")}

	near := processes(func(p process) bool {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		return bytes.Contains(env, []byte("BERTH_HOME="+w.home+"\x00"))
	})
	require.GreaterOrEqual(t, len(near), 4, "berth mcp, berth open and an ssh of each")
	came, read := false, 0
	for _, pid := range near {
		memory := memoryOf(pid)
		if len(memory) > 0 { // none: an ssh that asked something and has ended
			read++
		}
		assert.Empty(t, secrets.in(memory), "the memory of process %d", pid)
		came = came || len(text.in(memory)) > 0
	}
	assert.True(t, came, "what comes over is found in memory")
	assert.GreaterOrEqual(t, read, 4, "processes whose memory was read")

	everywhere := processes(func(p process) bool {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		list := append(env, strings.Join(p.arguments, "\x00")...)
		return len(secrets.in(list)) > 0 && !strings.Contains(strings.Join(p.arguments, " "), "instances/") // of this test's strace
	})
	assert.Empty(t, everywhere, "arguments and environments of all processes")

	trace, err := os.ReadFile(crossed)
	require.NoError(t, err)
	assert.Empty(t, secrets.escaped().in(trace), "what berth mcp read and wrote")
	assert.NotEmpty(t, text.escaped().in(trace), "what comes over is found among it")

	require.NoError(t, filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		assert.Empty(t, secrets.in(content), path)
		return err
	}))
	t.Logf("searched: the memory of %d processes, %d bytes that crossed", read, len(trace)/4)
}

// search is what is searched for, by its name.
type search map[string][]byte

// in names what is found.
func (s search) in(text []byte) (found []string) {
	for name, what := range s {
		if bytes.Contains(text, what) {
			found = append(found, name)
		}
	}
	return found
}

// escaped is the search in a trace of strace -xx.
func (s search) escaped() search {
	escaped := search{}
	for name, what := range s {
		var b bytes.Buffer
		for i := range what {
			b.WriteString(`\x` + hex.EncodeToString(what[i:i+1]))
		}
		escaped[name] = b.Bytes()
	}
	return escaped
}

// memoryOf returns what a process can write of its memory.
func memoryOf(pid int) (all []byte) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil
	}
	defer func() { _ = memory.Close() }()
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		var rights string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights); err != nil || !strings.HasPrefix(rights, "rw") || to-from > 256<<20 {
			continue
		}
		part := make([]byte, to-from)
		n, _ := memory.ReadAt(part, from) // parts of a reserved region are not there
		all = append(all, part[:n]...)
	}
	return all
}
