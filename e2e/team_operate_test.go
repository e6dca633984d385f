package e2e

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/designer/journal"
	"github.com/berth-dev/berth/e2e/broker"
	"github.com/berth-dev/berth/e2e/needs"
)

// documented returns the block of docs/teams.md that begins so. What the
// documentation says is what these tests do.
func documented(t *testing.T, begin string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "docs", "teams.md"))
	require.NoError(t, err)
	inside, indent, block := false, "", ""
	for line := range strings.Lines(string(raw)) {
		before, _, fence := strings.Cut(line, "```")
		switch {
		case fence && inside && strings.HasPrefix(block, begin):
			return block
		case fence:
			inside, indent, block = !inside, before, ""
		case inside:
			block += strings.TrimPrefix(line, indent)
		}
	}
	require.Fail(t, "docs/teams.md has no such block", begin)
	return ""
}

// runBlock runs the lines of a documented block in a folder.
func runBlock(t *testing.T, dir, lines string, env ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-e", "-c", lines)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", lines, out)
}

// A broker with a certificate of an authority of one's own, made, configured and
// named as docs/teams.md says.
func TestATeamOverTLSWithItsOwnAuthority(t *testing.T) {
	t.Parallel()
	needs.Program(t, "openssl")
	dir := t.TempDir()
	here := strings.NewReplacer("broker.example.com", "localhost", "/etc/nats", dir, "/home/ann", dir)
	runBlock(t, dir, here.Replace(documented(t, "openssl req -x509")))
	b := broker.Start(t, here.Replace(documented(t, "tls {")))
	port := b.URL[strings.LastIndex(b.URL, ":"):]
	settings := strings.Replace(here.Replace(documented(t, "team:\n  url: tls")), ":4222", port, 1)
	over := func(name, text string) *mate {
		t.Helper()
		m := mateOf(t, b.URL, name)
		m.own("trust: all\n" + strings.TrimSpace(text) + "\n  name: " + name + "\n")
		m.root = m.project("shop", shopTables)
		m.open()
		return m
	}
	ann, ben := over("ann", settings), over("ben", strings.Replace(settings, "tls://", "nats://", 1))
	ann.team("init", "shop")
	ben.team("attach", "shop")
	dice := rand.New(rand.NewPCG(1, 1))
	ann.edit(dice)
	require.Len(t, ann.acked, 1)
	require.Eventually(t, func() bool { return ben.state().Team.Seq == 2 }, patience, 10*time.Millisecond)
	tables, _ := ben.design()
	ann.holds(t, tables)
	assert.Contains(t, ann.berthIn(ann.root, "doctor").stdout, "the team's broker answers")

	stranger := over("eve", strings.SplitAfter(settings, port)[0])
	got := stranger.berthIn(stranger.root, "team", "attach", "shop")
	assert.NotZero(t, got.code)
	assert.Contains(t, got.stderr, "certificate signed by unknown authority (the authority's certificate, in PEM, is named by the setting team.ca)")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.pem"), []byte("no certificate\n"), 0o600))
	got = ann.berthIn(ann.root, "doctor")
	assert.Contains(t, got.stdout+got.stderr, "failed to parse root certificate")
}

// A person's certificate is their login, made, configured and named as
// docs/teams.md says. One that is renewed is shown at the next connection.
func TestATeamWhoseLoginsAreCertificates(t *testing.T) {
	t.Parallel()
	needs.Program(t, "openssl")
	dir := t.TempDir()
	here := strings.NewReplacer("broker.example.com", "localhost", "/etc/nats", dir, "/home/ann", dir)
	sign := here.Replace(documented(t, "openssl req -newkey"))
	runBlock(t, dir, here.Replace(documented(t, "openssl req -x509")))
	runBlock(t, dir, sign)
	runBlock(t, dir, strings.ReplaceAll(sign, "ann", "eve"))
	b := broker.Start(t, here.Replace(documented(t, `tls { cert_file: "/etc/nats/broker.pem", key_file: "/etc/nats/broker.key", ca_file`)))
	settings := here.Replace(documented(t, "team:\n  url: tls://broker.example.com:4222\n  ca: /home/ann/ca.pem\n  certificate"))
	settings = strings.Replace(settings, ":4222", b.URL[strings.LastIndex(b.URL, ":"):], 1)
	with := func(text string) *mate {
		t.Helper()
		m := mateOf(t, b.URL, "ann")
		m.own("trust: all\n" + strings.TrimSpace(text) + "\n")
		m.root = m.project("shop", shopTables)
		m.open()
		return m
	}
	refused := func(text, says string) {
		t.Helper()
		stranger := with(text)
		got := stranger.berthIn(stranger.root, "team", "attach", "shop")
		assert.NotZero(t, got.code)
		assert.Contains(t, got.stderr, says)
	}
	ann := with(settings)
	ann.team("init", "shop")
	ann.edit(rand.New(rand.NewPCG(1, 1)))
	require.Len(t, ann.acked, 1)
	assert.Contains(t, ann.berthIn(ann.root, "doctor").stdout, "the team's broker answers")

	without, _, _ := strings.Cut(settings, "  certificate:")
	refused(without, "where the broker asks for a certificate as the login, the settings team.certificate and team.key name it")
	refused(strings.NewReplacer("ann.pem", "eve.pem", "ann.key", "eve.key").Replace(settings), "Authorization Violation")
	refused(strings.Replace(settings, "ann.key", "eve.key", 1), "private key does not match public key")

	b.Kill()
	runBlock(t, dir, sign)
	b.Start()
	require.Eventually(t, func() bool { return ann.state().Team.Connected }, patience, 10*time.Millisecond, "with the certificate that it has been given since")
}

// A broker is backed up while it runs and restored to an empty one, by the
// commands of docs/teams.md. A backup that has all is continued; one that is
// older than what people have seen stops them, and they begin again from their
// replica.
func TestABrokerIsBackedUpAndRestored(t *testing.T) {
	t.Parallel()
	cli := broker.CLI(t)
	b := broker.Start(t, always)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	dice := rand.New(rand.NewPCG(1, 1))
	edit := func(m *mate, n int) { // the broker may just have come back
		t.Helper()
		require.Eventually(t, func() bool { m.edit(dice); return len(m.acked) == n }, patience, 10*time.Millisecond, "%s: %+v; %s", m.name, &m.counts, func() string { return m.team() }())
	}
	edit(ann, 5)
	agree(t, b.URL, ann, ben)
	dir := t.TempDir()
	env := []string{"NATS_URL=" + b.URL, "PATH=" + filepath.Dir(cli) + ":" + os.Getenv("PATH"), "HOME=" + dir}
	runBlock(t, dir, documented(t, "nats stream backup"), env...)
	restore := func() {
		b.Kill()
		require.NoError(t, os.RemoveAll(b.Store()))
		b.Start()
		for _, m := range []*mate{ann, ben} { // who is quicker than the restore
			require.Eventually(t, func() bool { return m.state().Team.Stopped != "" }, patience, 50*time.Millisecond, "%s finds no stream", m.name)
		}
		runBlock(t, dir, documented(t, "nats stream restore"), env...)
	}

	restore()
	edit(ben, 1)
	edit(ann, 6)
	tables, entries := agree(t, b.URL, ann, ben)
	assert.Empty(t, journal.Check(entries, nil, nil))
	ann.holds(t, tables)
	ben.holds(t, tables)

	restore() // two entries behind what both have seen
	for _, m := range []*mate{ann, ben} {
		require.Eventually(t, func() bool { return strings.Contains(m.state().Team.Stopped, "has 8 entries and the broker 6") }, patience, 50*time.Millisecond, "%s is stopped", m.name)
		own, _ := m.design()
		assert.Equal(t, tables, own, "nothing is taken back")
	}
	_, version := ann.design()
	r := ann.agent.design(ann.root, edits(version, map[string]any{"op": "add_column", "table": map[string]any{"name": "item"},
		"column": map[string]any{"name": "late", "dataType": "INTEGER", "isNullable": true}}))
	assert.Equal(t, "team_refused", r.Reason, r.text)
	assert.Contains(t, r.Message, "this replica has 8 entries and the broker 6 (the broker lost acknowledged edits, as after a power cut without sync_interval: always or a restored backup; docs/teams.md says how to continue)")
	again := strings.Split(documented(t, "berth team detach"), "\n") // three lines
	run := func(m *mate, line string) {
		command, _, _ := strings.Cut(line, "#")
		m.team(strings.Fields(command)[2:]...)
	}
	run(ann, again[0])
	run(ben, again[0])
	run(ann, again[1])
	run(ben, again[2])
	assert.Equal(t, "shop-restored", ben.state().Team.Name)
	edit(ben, 2)
	require.Eventually(t, func() bool { return ann.state().Team.Seq == ben.state().Team.Seq }, patience, 10*time.Millisecond)
	tables, _ = ann.design()
	ann.holds(t, tables)
	ben.holds(t, tables)
}

// The oldest broker that teams take becomes the newest, with the same folder,
// while two people are joined.
func TestABrokerIsUpgradedInPlace(t *testing.T) {
	t.Parallel()
	b := broker.StartOldest(t, always)
	ann, ben := newMate(t, b.URL, "ann"), newMate(t, b.URL, "ben")
	ann.team("init", "shop")
	ben.team("attach", "shop")
	dice := rand.New(rand.NewPCG(1, 1))
	for n := range 20 {
		if n == 10 {
			b.Upgrade()
		}
		ann.editUntil(n+1, dice)
	}
	tables, entries := agree(t, b.URL, ann, ben)
	assert.Len(t, entries, 21)
	assert.Empty(t, journal.Check(entries, nil, nil))
	ben.holds(t, tables)
	ann.holds(t, tables)
	assert.Contains(t, ann.berthIn(ann.root, "doctor").stdout, "nats-server "+broker.Version[1:])
}

// A credentials file is a login, named as docs/teams.md says. One that is
// revoked is said, and one that takes its place is read without a restart.
func TestATeamWhoseLoginsAreCredentialsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	accounts := broker.NewAccounts(t)
	file := filepath.Join(dir, "ann.creds")
	user := accounts.Credentials(file)
	b := broker.Start(t, accounts.Config())
	settings := strings.NewReplacer("nats://broker.example.com:4222", b.URL, "/home/ann", dir).Replace(documented(t, "team:\n  url: nats://broker.example.com:4222\n  credentials"))
	with := func(text string) *mate {
		t.Helper()
		m := mateOf(t, b.URL, "ann")
		m.own("trust: all\n" + strings.TrimSpace(text) + "\n")
		m.root = m.project("shop", shopTables)
		m.open()
		return m
	}
	ann := with(settings)
	ann.team("init", "shop")
	dice := rand.New(rand.NewPCG(1, 1))
	ann.edit(dice)
	require.Len(t, ann.acked, 1)
	assert.Contains(t, ann.berthIn(ann.root, "doctor").stdout, "the team's broker answers")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.creds"), []byte("not a token\n"), 0o600))
	without, _, _ := strings.Cut(settings, "  credentials:")
	for text, says := range map[string]string{
		without: "where the broker asks for a login, the setting team.credentials names the file of one, or it stands in the address",
		strings.Replace(settings, "ann.creds", "none.creds", 1): "none.creds: no such file",
		strings.Replace(settings, "ann.creds", "bad.creds", 1):  "bad.creds",
	} {
		stranger := with(text)
		got := stranger.berthIn(stranger.root, "team", "attach", "shop")
		assert.NotZero(t, got.code)
		assert.Contains(t, got.stderr, says)
	}

	accounts.Revoke(user)
	b.Configure(accounts.Config())
	b.Kill()
	b.Start()
	require.Eventually(t, func() bool { return strings.Contains(strings.ToLower(ann.state().Team.Reason), "authorization") }, patience, 10*time.Millisecond)
	accounts.Credentials(file)
	require.Eventually(t, func() bool { return ann.state().Team.Connected }, patience, 10*time.Millisecond, "with the login that took its place")
	ann.edit(dice)
	require.Len(t, ann.acked, 2)
}
