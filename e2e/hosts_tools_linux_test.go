package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reachTools are stand-ins for the programs that reach a container or a workspace,
// with the faults of their streams as their documentation and their users
// describe them. Each takes the words that the real one takes before the
// command. The command berth is a program of that name in the other world.
//
//	docker exec       without -i the command reads nothing; -t without a terminal fails;
//	                  a client that is killed leaves the command running
//	docker compose    exec asks for a terminal unless told -T
//	kubectl exec      says on stderr which container it took; -t without a terminal is a warning
//	wsl.exe           speaks UTF-16, on stdout too
//	devcontainer      logs on stderr before and after
//	gh codespace ssh  says that the codespace starts, and has the login's banner on stdout; -tt makes a terminal
const reachTools = `#!/bin/sh
run() { PATH="$FAR_BIN:$PATH" "$@"; }
wide() { printf '%s\r\n' "$1" | sed 's/./&\n/g' | tr '\n' '\000'; }
case "$(basename "$0")" in
docker)
  compose=; tty=; input=
  [ "$1" = compose ] && { compose=1; tty=1; input=1; shift; }
  [ "$1" = exec ] || { echo "docker: '$1' is not a docker command." >&2; exit 1; }
  shift
  while :; do case "$1" in
    -i) input=1 ;; -t) tty=1 ;; -it|-ti) tty=1; input=1 ;; -T) tty= ;; -*) echo "unknown flag: $1" >&2; exit 125 ;; *) break ;;
  esac; shift; done
  [ -z "$tty" ] || { echo "the input device is not a TTY" >&2; exit 1; }
  [ "$1" = api-dev ] || { echo "Error response from daemon: No such container: $1" >&2; exit 1; }
  shift
  [ -n "$input" ] || exec </dev/null
  export PATH="$FAR_BIN:$PATH"
  command -v "$1" >/dev/null || { echo "OCI runtime exec failed: exec: \"$1\": stat $1: no such file or directory: unknown" >&2; exit 127; }
  cat | setsid "$@" | cat ;;
kubectl)
  shift
  while :; do case "$1" in -i|-t|-it) case "$1" in *t*) echo "Unable to use a TTY - input is not a terminal or the right kind of file" >&2 ;; esac; shift ;; -n) shift 2 ;; *) break ;; esac; done
  pod=$1; shift
  [ "$pod" = api-0 ] || { echo "Error from server (NotFound): pods \"$pod\" not found" >&2; exit 1; }
  [ "$1" = -- ] || { echo "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead" >&2; exit 1; }
  shift
  echo 'Defaulted container "app" out of: app, proxy' >&2
  run "$@" ;;
wsl.exe)
  [ "$1" = -d ] && { distro=$2; shift 2; }
  [ "$distro" = Ubuntu ] || { wide "There is no distribution with the supplied name."; exit 1; }
  wide "wsl: A localhost proxy configuration was detected" >&2
  run "$@" ;;
devcontainer)
  shift
  [ "$1" = --workspace-folder ] || { echo "Missing required argument: workspace-folder" >&2; exit 1; }
  shift 2
  echo '[2026-01-01T00:00:00.000Z] @devcontainers/cli 0.80.0.' >&2
  run "$@"; code=$?
  echo '{"outcome":"success"}' >&2
  exit $code ;;
gh)
  shift 2
  while [ "$1" != -- ]; do shift; done
  shift
  tty=; [ "$1" = -tt ] && { tty=1; shift; }
  echo "Codespace is starting up..." >&2
  printf 'Welcome to Codespaces!\nlast login: never\nno line break: '
  if [ -n "$tty" ]; then export PATH="$FAR_BIN:$PATH"; exec script -qec "$*" /dev/null; fi
  run "$@" ;;
esac
`

// reachedByTools is a near and a far world, and the stand-ins on the path of the
// near one.
func reachedByTools(t *testing.T) (near, far *world) {
	t.Helper()
	near, far = newWorld(t), newWorld(t)
	bin, farBin := filepath.Join(near.dir, "bin"), filepath.Join(far.dir, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	require.NoError(t, os.MkdirAll(farBin, 0o755))
	for _, name := range []string{"docker", "kubectl", "wsl.exe", "devcontainer", "gh"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(reachTools), 0o755))
	}
	relay := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = relay ] || exit 9\nexec %s\n", strings.Join(far.relay(), " "))
	require.NoError(t, os.WriteFile(filepath.Join(farBin, "berth"), []byte(relay), 0o755))
	near.env = append(without(near.env, "PATH"), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "FAR_BIN="+farBin)
	return near, far
}

func TestContainersAndWorkspacesAreReachedByTheCommandsThatDocsName(t *testing.T) {
	t.Parallel()
	w, far := reachedByTools(t)
	root := far.project("app", twoTables)
	far.serve(root)
	for host, words := range map[string]string{
		"docker": "docker exec -i api-dev", "compose": "docker compose exec -T api-dev", "kube": "kubectl exec -n shop -i api-0 --", "wsl": "wsl.exe -d Ubuntu",
		"dev": "devcontainer exec --workspace-folder /src/app", "space": "gh codespace ssh -c fuzzy-robot --", "kube-tty": "kubectl exec -it api-0 --",
	} {
		w.nameHost(host, strings.Fields(words)...)
		client := w.agent()
		assert.Equal(t, bothTables, client.ask(host+":"+root, "get-tables", nil).text(), host)
		big := client.ask(host+":"+root, "run-query", map[string]any{"query": "SELECT hex(randomblob(2000)) AS h"})
		assert.False(t, big.isError, "%s: %v", host, big.items)
	}
}

func TestWhatContainersAndWorkspacesSayInsteadIsQuoted(t *testing.T) {
	t.Parallel()
	w, far := reachedByTools(t)
	root := far.project("app", twoTables)
	far.serve(root)
	client := w.agent()
	for name, tt := range map[string]struct{ words, said string }{
		"no-input":     {"docker exec api-dev", "did not answer"},
		"tty":          {"docker exec -it api-dev", "the input device is not a TTY"},
		"compose-tty":  {"docker compose exec api-dev", "the input device is not a TTY"},
		"no-container": {"docker exec -i other", "No such container: other"},
		"no-berth":     {"docker exec -i api-dev /opt/berth", "/opt/berth"},
		"no-pod":       {"kubectl exec -i other --", `pods "other" not found`},
		"no-dashes":    {"kubectl exec -i api-0", "Use exec [POD] -- [COMMAND] instead"},
		"no-distro":    {"wsl.exe -d Debian", "There is no distribution with the supplied name."},
		"space-tty":    {"gh codespace ssh -c fuzzy-robot -- -tt", "leave out -t"},
	} {
		w.nameHost(name, strings.Fields(tt.words)...)
		got := client.ask(name+":"+root, "get-tables", nil)
		assert.Equal(t, "Could not establish database connection", got.text(), name)
		require.Len(t, got.items, 2, name)
		assert.Contains(t, got.items[1], "The host "+name+" cannot be reached: ", name)
		assert.Contains(t, got.items[1], tt.said, name)
	}
}

// A client of Docker that is killed leaves what it ran there. The relay notices
// that nobody is at its other end.
func TestARelayEndsWithTheClientThatReachedIt(t *testing.T) {
	t.Parallel()
	w, far := reachedByTools(t)
	root := far.project("app", twoTables)
	far.serve(root)
	w.nameHost("docker", "docker", "exec", "-i", "api-dev")
	client := w.agent()
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		require.Eventually(t, func() bool { return client.ask("docker:"+root, "get-tables", nil).text() == bothTables }, patience, tick)
		clients := processes(func(p process) bool {
			env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
			return strings.Contains(string(env), "BERTH_HOME="+w.home+"\x00") && strings.HasSuffix(strings.Join(p.arguments, " "), "docker exec -i api-dev berth relay")
		})
		require.NotEmpty(t, clients)
		for _, pid := range clients {
			require.NoError(t, syscall.Kill(-pid, signal), "the client, and what carries its streams")
		}
		require.Eventually(t, func() bool { return client.ask("docker:"+root, "get-tables", nil).text() == bothTables }, patience, tick, "it is reached again")
	}
	require.NoError(t, client.session.Close())
	require.Eventually(t, func() bool { return len(far.relays()) == 0 }, patience, tick, "no relay is left there")
}
