package clients

import (
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"
)

// A format reads one kind of file, by its client's rules.
type format interface {
	parse(text []byte) (document, error)
}

// A document is the text of a file that can be edited. None of its methods
// changes it: they return the new text.
type document interface {
	// entry finds the server berth.
	entry() (e Entry, found bool, err error)
	// add puts an entry into a document without one.
	add(e Entry) ([]byte, error)
	// mend sets command and arguments of the entry that is there, and keeps
	// what else a person wrote in it.
	mend(e Entry) ([]byte, error)
	// remove takes the entry out.
	remove() ([]byte, error)
}

// member is one more member of an entry.
type member struct {
	name  string
	value any
}

// jsonServers is a file of JSON with an object of servers.
type jsonServers struct {
	client      string
	rule        rule
	list        string // the member with the servers
	oneList     bool   // command and arguments are one array
	alsoJSONC   bool   // the file's name may end in .jsonc
	first, last []member
}

// stdioServer is an entry as most clients have it.
type stdioServer struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// jsonDocument is one such file.
type jsonDocument struct {
	jsonServers
	*jsoncFile
}

func (f jsonServers) parse(text []byte) (document, error) {
	c, err := parseCommented(text)
	if err != nil {
		return nil, err
	}
	return jsonDocument{f, c}, c.check(f.rule, f.client)
}

// servers finds the list; ok is false if there is none.
func (d jsonDocument) servers() (list hujson.Value, ok bool, err error) {
	list, ok, err = lookUp(d.root, d.list)
	if err != nil || !ok {
		return list, ok, err
	}
	if _, isObject := list.Value.(*hujson.Object); !isObject {
		return list, true, fmt.Errorf("%s: %w", d.list, errNoObject)
	}
	return list, true, nil
}

// own finds the entry.
func (d jsonDocument) own() (list, entry hujson.Value, index int, err error) {
	list, ok, err := d.servers()
	if err != nil || !ok {
		return list, entry, -1, err
	}
	if index, err = find(list, serverName); err != nil || index < 0 {
		return list, entry, -1, err
	}
	return list, list.Value.(*hujson.Object).Members[index].Value, index, nil
}

func (d jsonDocument) entry() (Entry, bool, error) {
	_, entry, index, err := d.own()
	if err != nil || index < 0 {
		return Entry{}, false, err
	}
	return d.read(entry), true, nil
}

// read reads an entry. What is not a program with arguments has no Command.
func (d jsonDocument) read(v hujson.Value) Entry {
	clone := v.Clone()
	clone.Standardize()
	var all map[string]json.RawMessage
	if json.Unmarshal(clone.Pack(), &all) != nil {
		return Entry{}
	}
	e := Entry{Bare: true}
	known := map[string]bool{"command": true, "args": true, "type": true}
	for _, m := range append(d.first, d.last...) {
		known[m.name] = true
	}
	for key := range all {
		e.Bare = e.Bare && known[key]
	}
	if !d.oneList {
		if json.Unmarshal(all["command"], &e.Command) != nil || all["args"] != nil && json.Unmarshal(all["args"], &e.Args) != nil {
			return Entry{}
		}
		return e
	}
	var line []string
	if json.Unmarshal(all["command"], &line) != nil || len(line) == 0 {
		return Entry{}
	}
	e.Command, e.Args = line[0], line[1:]
	return e
}

// value is an entry as the client wants it, with its members in order.
func (d jsonDocument) value(e Entry) any {
	fields := append([]member{}, d.first...)
	if d.oneList {
		fields = append(fields, member{"command", append([]string{e.Command}, e.Args...)})
	} else {
		fields = append(fields, member{"command", e.Command}, member{"args", e.Args})
	}
	return ordered(append(fields, d.last...))
}

// ordered encodes as an object with its members in this order.
type ordered []member

// MarshalJSON implements json.Marshaler.
func (o ordered) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for i, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, quoteJSON(m.name)...), ':'), value...)
	}
	return append(text, '}'), nil
}

func (d jsonDocument) add(e Entry) ([]byte, error) {
	list, ok, err := d.servers()
	if err != nil {
		return nil, err
	}
	if !ok {
		return d.addMember(d.root, d.list, ordered{{serverName, d.value(e)}})
	}
	return d.addMember(list, serverName, d.value(e))
}

func (d jsonDocument) mend(e Entry) ([]byte, error) {
	_, entry, _, err := d.own()
	if err != nil {
		return nil, err
	}
	old := d.read(entry)
	if d.oneList || old.Command == "" || len(old.Args) == 0 || old.Args[0] != "mcp" {
		if len(old.Args) > 0 && old.Args[0] == "mcp" {
			e.Args = old.Args
		}
		return d.replace(entry, d.value(e))
	}
	command, _, err := lookUp(entry, "command")
	if err != nil {
		return nil, err
	}
	return d.replace(command, e.Command)
}

func (d jsonDocument) remove() ([]byte, error) {
	list, _, index, err := d.own()
	if err != nil || index < 0 {
		return nil, err
	}
	return d.jsoncFile.remove(list, index), nil
}
