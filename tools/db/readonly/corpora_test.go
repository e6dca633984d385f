package readonly_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/long"
	"github.com/berth-dev/berth/tools"
	"github.com/berth-dev/berth/tools/db"
	"github.com/berth-dev/berth/tools/db/pool"
)

// A corpus is a file of statements with what must become of each of them. It
// has sections, of one line each a statement or a fill-in:
//
//	[forms places]                 forms of statements, with {} for a fill-in
//	[reads]                        statements that must be answered
//	[reads in places]              fill-ins, each put into every form
//	[refused function in places]   fill-ins that must be refused by that rule
//	[stopped]                      statements that the server stops where they write
//
// Behind a bar stand exceptions and remarks: "plain: refused function" for one
// login, "error" where the server itself refuses that login, "varies" where
// rows differ from one run to the next, "changes" where the server, asked
// without the guards, changes something that the comparison of states sees.
// ⏎ stands for a line feed, ␍ for a carriage return, ␀ for a NUL, ﹏ for a byte
// order mark, {db} for the database's name, {dir} for a folder that a server
// may write to, {victim} for the number of another session.

// mark is what must become of a statement.
type mark struct {
	word string // reads, refused, stopped or error
	rule string // of a refusal
}

// marked is one statement of a corpus.
type marked struct {
	text    string
	mark    mark
	logins  map[string]mark // those with another mark
	varies  bool
	changes bool
}

func (m marked) of(login string) mark {
	if other, ok := m.logins[login]; ok {
		return other
	}
	return m.mark
}

// readCorpus reads a file of testdata/corpus. Every statement is there once.
func readCorpus(t testing.TB, name string, values ...string) []marked {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "corpus", name))
	require.NoError(t, err)
	replace := strings.NewReplacer(append([]string{"⏎", "\n", "␍", "\r", "␀", "\x00", "﹏", "\ufeff"}, values...)...)
	forms, seen, all := map[string][]string{"": {"{}"}}, map[string]bool{}, []marked(nil)
	var section marked
	var in, defines string
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line == "#" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "[forms "):
			defines = strings.TrimSuffix(strings.TrimPrefix(line, "[forms "), "]")
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && isSection(line):
			defines = ""
			section, in = readSection(t, strings.Trim(line, "[]"))
			require.NotEmpty(t, forms[in], "%s: %s names forms that are not there", name, line)
		case defines != "":
			require.Contains(t, line, "{}", name)
			forms[defines] = append(forms[defines], line)
		default:
			for _, form := range forms[in] {
				one := section
				one.text = replace.Replace(strings.ReplaceAll(form, "{}", line))
				require.False(t, seen[one.text], "%s has %q twice", name, one.text)
				seen[one.text] = true
				all = append(all, one)
			}
		}
	}
	return all
}

func isSection(line string) bool {
	word, _, _ := strings.Cut(strings.Trim(line, "[]"), " ")
	return word == "reads" || word == "refused" || word == "stopped"
}

// readSection reads what stands in brackets.
func readSection(t testing.TB, text string) (section marked, forms string) {
	t.Helper()
	head, more, _ := strings.Cut(text, " | ")
	head, forms, _ = strings.Cut(head, " in ")
	section = marked{mark: readMark(head), logins: map[string]mark{}}
	for _, part := range strings.Split(more, ", ") {
		switch login, other, ok := strings.Cut(part, ": "); {
		case ok:
			section.logins[login] = readMark(other)
		case part == "varies":
			section.varies = true
		case part == "changes":
			section.changes = true
		default:
			require.Empty(t, part, "[%s] has a remark that nobody knows", text)
		}
	}
	return section, forms
}

func readMark(text string) mark {
	word, rule, _ := strings.Cut(text, " ")
	return mark{word, rule}
}

// server is a server, or a file, that a corpus is run against.
type server struct {
	// state is all that no statement of the corpus may change, by aspects.
	state func(testing.TB) map[string]string
	// direct runs a statement without berth and returns its rows, sorted. nil:
	// no rows are compared.
	direct func(statement string) ([]string, error)
}

// asker is how a login asks: through berth, or past it.
type asker struct {
	login string
	ask   func(statement string) tools.Reply
	// session is what the session must be like after a statement. nil: nobody
	// uses it again.
	session func(testing.TB) string
	// patience is how long a change is waited for, where every statement
	// makes one. 0: none does.
	patience time.Duration
}

// byText are the rules by which a text is refused before it has a session.
var byText = []string{"reads only", "legal text", "one statement", "explain", "locks", "statement kind", "no placeholders"}

// run runs statements and returns what is wrong, a line each.
func run(t testing.TB, s server, a asker, statements []marked) (wrong []string) {
	t.Helper()
	session := ""
	whole := func(used bool) map[string]string {
		state := s.state(t)
		if a.session != nil && used {
			session = a.session(t)
		}
		state["session"] = session
		return state
	}
	before := whole(true)
	for _, m := range statements {
		var want []string
		var refused error
		if word := m.of(a.login).word; (word == "reads" || word == "error") && s.direct != nil {
			want, refused = s.direct(m.text)
		}
		r := a.ask(m.text)
		after := whole(a.patience > 0 || !slices.Contains(byText, m.of(a.login).rule))
		for begin := time.Now(); maps.Equal(before, after) && time.Since(begin) < a.patience; {
			after = whole(true)
		}
		for _, aspect := range slices.Sorted(maps.Keys(after)) {
			if before[aspect] != after[aspect] {
				wrong = append(wrong, fmt.Sprintf("%q as %s changed %s:\n  from %s\n  to   %s", m.text, a.login, aspect, before[aspect], after[aspect]))
			}
		}
		before = after
		if problem := m.judge(a.login, r, want, refused, s.direct != nil); problem != "" {
			wrong = append(wrong, fmt.Sprintf("%q as %s %s", m.text, a.login, problem))
		}
	}
	return wrong
}

// judge says what is wrong with a reply; "": nothing. want are the rows that
// the server gives, refused what it says itself.
func (m marked) judge(login string, r tools.Reply, want []string, refused error, compares bool) string {
	mark, answer := m.of(login), strings.Join(r.Content, " ")
	said, _, isRefusal := strings.Cut(strings.TrimPrefix(answer, "refused ("), ")")
	isRefusal = isRefusal && strings.HasPrefix(answer, "refused (")
	switch {
	case mark.word == "refused" && (!isRefusal || said != mark.rule):
		return "is not refused (" + mark.rule + "): " + answer
	case mark.word == "error" && (!r.IsError || isRefusal || compares && refused == nil):
		return fmt.Sprintf("is not refused by the server, which says %v: %s", refused, answer)
	case mark.word == "stopped" && (!r.IsError || isRefusal):
		return "is not stopped by the server: " + answer
	case mark.word == "reads" && r.IsError:
		return "is not answered: " + answer
	case mark.word == "reads" && refused != nil:
		return fmt.Sprintf("is answered, and the server refuses it: %v", refused)
	case mark.word != "reads" || m.varies || !compares:
		return ""
	}
	got, err := rowsOf(r.Content[0])
	if err != nil {
		return "has an answer that cannot be read: " + err.Error()
	}
	if !slices.Equal(want, got) {
		return fmt.Sprintf("has other rows than the server gives: %q, not %q", got, want)
	}
	return ""
}

// rowsOf returns the rows of run-query's reply as texts, sorted.
func rowsOf(reply string) ([]string, error) {
	var answer struct{ Rows [][]any }
	decoder := json.NewDecoder(strings.NewReader(reply))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		return nil, err
	}
	rows := []string{}
	for _, row := range answer.Rows {
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = plain(v)
		}
		rows = append(rows, strings.Join(texts, "|"))
	}
	slices.Sort(rows)
	return rows, nil
}

// plain is a value as the same text, whoever sent it.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "∅"
	case bool:
		return map[bool]string{true: "t", false: "f"}[v]
	case json.Number:
		return plain(v.String())
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		return plain(string(v))
	case time.Time:
		return v.Format("2006-01-02 15:04:05")
	case map[string]any: // bytes
		raw, err := base64Of(v)
		if err != nil {
			return err.Error()
		}
		return `\x` + hex.EncodeToString(raw)
	case string:
		if len(v) > 10 && v[4] == '-' && v[10] == 'T' {
			return v[:10] + " " + v[11:]
		}
		return strings.TrimSuffix(v, ".0")
	}
	return fmt.Sprint(v)
}

func base64Of(v map[string]any) (raw []byte, err error) {
	text, err := json.Marshal(v["$base64"])
	if err == nil {
		err = json.Unmarshal(text, &raw)
	}
	return raw, err
}

// through asks berth's run-query, as the login that the connection names.
func through(t testing.TB, root string, cfg pool.Config) func(statement string) tools.Reply {
	t.Helper()
	c, err := pool.New(root, pool.Options{Connections: []pool.Config{cfg}, NoDiscovery: true, Timeout: 5 * time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	asked, err := db.New(c, db.Options{})
	require.NoError(t, err)
	handler := asked.Handlers()["run-query"]
	return func(statement string) tools.Reply {
		arguments, err := json.Marshal(map[string]string{"projectRoot": "/project", "query": statement})
		require.NoError(t, err)
		return handler(t.Context(), tools.Call{Tool: "run-query", Arguments: arguments})
	}
}

// past runs statements with no guard before them: what it answers is not
// looked at.
func past(exec func(ctx context.Context, statement string) error) func(statement string) tools.Reply {
	return func(statement string) tools.Reply {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := exec(ctx, statement); err != nil {
			return tools.Reply{Content: []string{err.Error()}, IsError: true}
		}
		return tools.Reply{Content: []string{"ran"}}
	}
}

// nothingIsWrong runs a corpus as one login: the whole of it where tests are
// thorough.
func nothingIsWrong(t *testing.T, s server, a asker, statements []marked) {
	t.Helper()
	require.GreaterOrEqual(t, len(statements), 300, "a corpus has at least 300 statements")
	statements = long.Sample(t, 40, statements)
	begin := time.Now()
	for _, problem := range run(t, s, a, statements) {
		t.Error(problem)
	}
	counts := map[string]int{}
	for _, m := range statements {
		counts[m.of(a.login).word]++
	}
	t.Logf("%d statements as %s in %v: %v", len(statements), a.login, time.Since(begin).Round(time.Millisecond), counts)
}

// everyChangeIsSeen runs the statements that change something past the guards,
// and holds that the comparison of states reports each.
func everyChangeIsSeen(t *testing.T, s server, a asker, statements []marked) {
	t.Helper()
	changing := slices.DeleteFunc(slices.Clone(statements), func(m marked) bool { return !m.changes })
	require.GreaterOrEqual(t, len(changing), 10)
	for _, m := range changing {
		reported := strings.Join(run(t, server{state: s.state}, a, []marked{m}), "\n")
		assert.Contains(t, reported, " changed ", "%s: the comparison saw nothing", m.text)
	}
}

// filesIn lists the files below a folder with their sizes.
func filesIn(t testing.TB, dir string) string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			all = append(all, fmt.Sprint(path, " ", info.Size()))
		}
		return err
	}))
	return strings.Join(all, ", ")
}

// openDir makes a folder that every user of the machine may write to.
func openDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "berth_corpus")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o777))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(raw)
}
