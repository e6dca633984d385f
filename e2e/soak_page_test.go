package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/assert"

	"github.com/berth-dev/berth/proxy/wire"
	"github.com/berth-dev/berth/tools/files/version"
)

// pageEdit has a page sign in at the instance of this moment and change the
// design beside the agent.
func (s *soakProject) pageEdit() {
	in := s.now.Load()
	key, err := s.pageKey(in)
	if err != nil {
		return // the instance went away first; nothing was asked of it
	}
	c, arguments := s.newChange()
	arguments["projectRoot"] = s.root
	var line struct{ Result struct{ Content []string } }
	err = post(in, "/tools/"+designer, map[string]any{"arguments": arguments, "client": map[string]any{"name": "berth page"}},
		map[string]string{"Authorization": key}, &line)
	if err == nil && len(line.Result.Content) == 0 {
		err = errors.New("no content")
	}
	if err != nil {
		s.outcome(c, "", false)
		return
	}
	s.calls++
	if s.outcome(c, line.Result.Content[0], true) {
		s.pageEdits++
	}
}

// pageKey signs a page in, as berth open and the page do.
func (s *soakProject) pageKey(in *instance) (credential string, err error) {
	token, err := s.tokenOf(in)
	if err != nil {
		return "", err
	}
	person, err := wire.ReadPersonKey(filepath.Join(s.home, "person.key"))
	if err != nil {
		return "", err
	}
	var key struct{ Code, KeyID, Key string }
	err = post(in, "/signin/code", map[string]any{}, map[string]string{"Authorization": "Bearer " + token, wire.PersonHeader: person.Header()}, &key)
	if err != nil {
		return "", err
	}
	err = post(in, "/signin", map[string]any{"code": key.Code}, nil, &key)
	return "Bearer " + key.KeyID + "." + key.Key, err
}

// post sends one request to an instance that may go away at any moment, and
// decodes its answer. One other than 200 is an error.
func post(in *instance, path string, body any, header map[string]string, answer any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	res, text, err := tryRequest(in, "POST", path, string(raw), header)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", res.Status, text)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), answer)
}

func (s *soakProject) counter() string { return filepath.Join(s.root, "counter.txt") }

// counted is what counter.txt holds at n.
func counted(n int) []byte { return fmt.Appendf(nil, "at %d\n", n) }

// fileEdit counts one further in counter.txt.
func (s *soakProject) fileEdit() {
	s.compareFile()
	trim := func(n int) string { return strings.TrimSpace(string(counted(n))) }
	got, ok := s.call("fs_edit_file", map[string]any{"path": "counter.txt", "version": version.Of(counted(s.written)),
		"edits": []any{map[string]any{"old_text": trim(s.written), "new_text": trim(s.written + 1)}}})
	var r reply
	if ok {
		assert.NoError(s.t, json.Unmarshal([]byte(got.text()), &r), "%s: %s", s.name, got.text())
	}
	if !ok || r.Reason == "internal_error" {
		s.unanswered++
		s.late = true
		return
	}
	if assert.True(s.t, r.Success, "%s: %s", s.name, got.text()) {
		s.fileEdits++
		s.written++
	}
}

// compareFile holds counter.txt against the model, and takes from it what
// became of an edit without an answer.
func (s *soakProject) compareFile() {
	content, err := os.ReadFile(s.counter())
	assert.NoError(s.t, err, s.name)
	if s.late && bytes.Equal(content, counted(s.written+1)) {
		s.written++
	}
	s.late = false
	assert.Equal(s.t, string(counted(s.written)), string(content), "%s: the file is not what was acknowledged", s.name)
}
