package settings

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

const keyTeam = "team"

// Team is the broker of the designs that the user shares with others.
type Team struct {
	URL         string // of the broker; several are divided by commas
	Credentials string // path of a credentials file; "": as URL says
	CA          string // path of the authority that signed the broker's certificate; "": the system's
	Certificate string // path of what the user shows the broker as their login; "": none
	Key         string // path of the private key of Certificate
	Name        string // whom this user's edits are from; "": the user's login and machine
}

// brokerSchemes are those of a broker's address.
var brokerSchemes = []string{"nats", "tls", "ws", "wss"}

// teamFields are the settings of a team.
func teamFields() []field[Team] {
	return []field[Team]{
		checkedField("url", checkBroker, func(t *Team) *string { return &t.URL }),
		checkedField("credentials", checkAbsolute, func(t *Team) *string { return &t.Credentials }),
		checkedField("ca", checkAbsolute, func(t *Team) *string { return &t.CA }),
		checkedField("certificate", checkAbsolute, func(t *Team) *string { return &t.Certificate }),
		checkedField("key", checkAbsolute, func(t *Team) *string { return &t.Key }),
		checkedField("name", checkPerson, func(t *Team) *string { return &t.Name }),
	}
}

// checkedField is a text that check takes.
func checkedField(name string, check func(string) error, at func(*Team) *string) field[Team] {
	f := textField(name, at)
	set := f.set
	f.set = func(t *Team, v scalar) error {
		if v.kind == kindText {
			if err := check(v.text); err != nil {
				return err
			}
		}
		return set(t, v)
	}
	return f
}

func checkBroker(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" || !slices.Contains(brokerSchemes, u.Scheme) {
			return errors.New("must be the address of a NATS server, as nats://broker.example.com:4222 (also tls://, ws://, wss://)")
		}
	}
	return nil
}

func checkAbsolute(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("must be an absolute path, not %s", shown(path))
	}
	return nil
}

// maxPerson bounds a person's name in a team.
const maxPerson = 64

func checkPerson(name string) error {
	if len(name) > maxPerson || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return fmt.Errorf("must be a line of at most %d bytes", maxPerson)
	}
	return nil
}

// team reads the user's team.
func (f *ownFile) team(node ast.Node, at int) error {
	if f.level != LevelGlobal {
		return f.fail(at, keyTeam, "is for the user's own config.yaml",
			"a project does not decide which brokers those who open it connect to; see berth config --help for where that file is")
	}
	t, prefix, all := Team{}, keyTeam+".", teamFields()
	err := f.mapping(node, prefix, func(key string, line int, value ast.Node) error {
		for _, field := range all {
			if field.name == key {
				f.s.origins[prefix+key] = origin{f.level, f.file, line}
				return set(f, &t, field, prefix+key, value, line)
			}
		}
		return f.fail(line, prefix+key, "is not a setting of a team", didYouMean(key, names(all)))
	})
	if err != nil {
		return err
	}
	if t.URL == "" {
		return f.fail(at, keyTeam, "lacks its url", "write it as in: team: {url: nats://broker.example.com:4222}")
	}
	if (t.Certificate == "") != (t.Key == "") {
		return f.fail(at, keyTeam, "needs both certificate and key, or none of them", "key is the private key that belongs to certificate, each the path of a PEM file")
	}
	f.s.Team = &t
	return nil
}

// teamValues lists the team as a file spells it; a login in its address is
// masked.
func (s *Settings) teamValues() []Value {
	if s.Team == nil {
		return nil
	}
	var list []Value
	for _, f := range teamFields() {
		v := f.get(s.Team)
		if v == "" {
			continue
		}
		if f.name == "url" {
			v = maskedBroker(s.Team.URL)
		}
		list = append(list, s.value(keyTeam+"."+f.name, v, s.origins[keyTeam+"."+f.name]))
	}
	return list
}

// maskedBroker is an address without the login in it.
func maskedBroker(text string) string {
	list := strings.Split(text, ",")
	for i, one := range list {
		scheme, rest, _ := strings.Cut(one, "://")
		if at := strings.LastIndex(rest, "@"); at >= 0 {
			list[i] = scheme + "://" + hiddenSecret + rest[at:]
		}
	}
	return strings.Join(list, ",")
}
