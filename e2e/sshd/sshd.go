// Package sshd starts OpenSSH's server for a test or a benchmark, with keys,
// settings and a port of its own, and with settings of OpenSSH's client that
// reach it. Nothing of the machine's own SSH is read or changed.
//
//	s := sshd.Start(t)
//	exec.Command("ssh", "-F", s.Config, sshd.Host, "true").Run()
package sshd

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-dev/berth/e2e/needs"
)

// The names under which the client's settings have the server.
const (
	Host   = "build1" // runs what it is told to
	Banner = "loud"   // a login that prints something before it runs it
)

// patience bounds the wait for the server, and each command that [Server.Run]
// runs.
const patience = time.Minute

// Server is an sshd that runs until the test ends. It lets in the user of the
// test.
type Server struct {
	Config string // the file with the client's settings

	t    testing.TB
	dir  string
	port int
}

// Start starts a server. Lines are further lines of its settings. It ends a test
// for which OpenSSH is missing as package needs says, under the name sshd.
func Start(t testing.TB, lines ...string) *Server {
	t.Helper()
	needs.Program(t, "ssh")
	program := find(t)
	s := &Server{t: t, dir: t.TempDir()}
	s.Config = s.file("ssh_config")
	for _, key := range []string{"host", "plain", "loud"} {
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", s.file(key)).CombinedOutput()
		s.check(err, string(out))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.check(err, "find a port")
	s.port = l.Addr().(*net.TCPAddr).Port
	s.check(l.Close(), "find a port")
	s.configure(lines)
	s.run(program)
	return s
}

// find returns the path of sshd, which has to be absolute to start.
func find(t testing.TB) string {
	t.Helper()
	for _, path := range []string{"/usr/sbin/sshd", "/usr/local/sbin/sshd"} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if _, err := os.Stat("/run/sshd"); err != nil && os.Geteuid() == 0 {
			needs.Missing(t, "sshd", "sshd that runs as root needs the folder /run/sshd: .ci/programs makes it")
		}
		return path
	}
	needs.Missing(t, "sshd", ".ci/programs installs OpenSSH's server")
	return ""
}

func (s *Server) configure(lines []string) {
	s.t.Helper()
	me, err := user.Current()
	s.check(err, "find out who runs this")
	loud := `command="printf 'Welcome to build1\nlast login: never\nno line break: '; exec sh -c \"$SSH_ORIGINAL_COMMAND\"" `
	s.write("authorized_keys", s.read("plain.pub")+loud+s.read("loud.pub"))
	s.write("banner", "Authorized users only.\n")
	s.write("known_hosts", fmt.Sprintf("[127.0.0.1]:%d %s", s.port, s.read("host.pub")))
	s.write("sshd_config", strings.Join(append([]string{
		fmt.Sprintf("ListenAddress 127.0.0.1:%d", s.port), "HostKey " + s.file("host"), "PidFile none",
		"AuthorizedKeysFile " + s.file("authorized_keys"), "StrictModes no", "UsePAM no",
		"PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin yes", "Banner " + s.file("banner"),
	}, lines...), "\n")+"\n")
	s.write("ssh_config", strings.Join([]string{
		"Host *", "HostName 127.0.0.1", fmt.Sprint("Port ", s.port), "User " + me.Username,
		"UserKnownHostsFile " + s.file("known_hosts"), "GlobalKnownHostsFile none", "IdentitiesOnly yes", "IdentityAgent none",
		"Host " + Host, "IdentityFile " + s.file("plain"),
		"Host " + Banner, "IdentityFile " + s.file("loud"),
	}, "\n")+"\n")
}

// run runs the server until the test ends. What it logged is shown if the test
// failed.
func (s *Server) run(program string) {
	s.t.Helper()
	log := new(buffer)
	cmd := exec.Command(program, "-D", "-e", "-f", s.file("sshd_config"))
	cmd.Stderr = log
	s.check(cmd.Start(), "start sshd")
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if s.t.Failed() {
			s.t.Logf("sshd's log:\n%s", log)
		}
	})
	for end := time.Now().Add(patience); s.Run(Host, "true") != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("sshd does not answer: %s", log)
		}
	}
}

// Command returns the client's command up to a host.
func (s *Server) Command(host string) []string { return []string{"ssh", "-F", s.Config, host} }

// Run runs a command there by the client alone.
func (s *Server) Run(host string, words ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	args := append([]string{"-o", "BatchMode=yes", "-o", "LogLevel=ERROR"}, s.Command(host)[1:]...)
	return exec.CommandContext(ctx, "ssh", append(args, words...)...).Run()
}

func (s *Server) file(name string) string { return filepath.Join(s.dir, name) }

func (s *Server) write(name, text string) {
	s.t.Helper()
	s.check(os.WriteFile(s.file(name), []byte(text), 0o600), "write "+name)
}

func (s *Server) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.file(name))
	s.check(err, "read "+name)
	return string(text)
}

func (s *Server) check(err error, what string) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
}

// buffer is a bytes.Buffer that a process may write while a test reads.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
