package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// PersonHeader carries the person key, as [Token.Header] writes it, in addition
// to the instance token. It states that the caller can ask the person at this
// machine and passes on their answers: a front-end for an MCP client, or a
// command at a terminal. Without it the token's holder is treated as an agent,
// whatever it claims.
const PersonHeader = "Berth-Person"

const personNotice = "# Who shows this key to berth speaks for the person at this machine: answers given with it\n" +
	"# count as theirs. It is for berth's own processes, not for agents.\n"

// ReadPersonKey reads the person key at path, as strictly as
// [ReadInstance] reads its file.
func ReadPersonKey(path string) (Token, error) {
	var key Token
	raw, err := readPrivate(path)
	if err != nil {
		return key, fmt.Errorf("read person key %s: %w", path, err)
	}
	text, ok := bytes.CutPrefix(raw, []byte(personNotice))
	if !ok {
		return key, fmt.Errorf("read person key %s: not a file of berth's", path)
	}
	if err := key.UnmarshalText(bytes.TrimSuffix(text, []byte("\n"))); err != nil {
		return key, fmt.Errorf("read person key %s: %w", path, err)
	}
	return key, nil
}

// EnsurePersonKey writes a person key to path if there is none. It replaces a key
// that other users could read; note then says so. If two processes write at the
// same time, the later key wins, which is harmless: the key is read again for
// each use.
func EnsurePersonKey(path string) (note string, err error) {
	_, err = ReadPersonKey(path)
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, ErrNotPrivate):
		note = path + " was open to other users: the key in it was replaced"
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err := writeFile(path, []byte(personNotice+NewToken().text()+"\n")); err != nil {
		return "", fmt.Errorf("write person key %s: %w", path, err)
	}
	return note, nil
}
