package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/clients"
)

// choose returns the clients that the flags or the person name, or else those
// that are found.
func (s *setup) choose() ([]*clients.Client, error) {
	if len(s.flags.clients) > 0 {
		return s.kept(named(s.flags.clients)), nil
	}
	if s.flags.remove {
		list, err := s.registered()
		return s.kept(list), err
	}
	all := s.kept(clients.All())
	found := map[*clients.Client]string{}
	var usual []*clients.Client
	for _, c := range all {
		found[c] = c.Detect(s.machine, s.root)
		// What a project's command writes to the user's own file is asked for by
		// name.
		if found[c] != "" && (s.scope(c) == clients.Project || s.flags.user || c.Paste != "") {
			usual = append(usual, c)
		}
	}
	if !s.flags.yes && !s.flags.print && s.person.present() {
		return s.ask(all, found, usual)
	}
	if len(usual) == 0 {
		return nil, &failure{code: exitUsage, text: "no client was found on this machine or in the project: " + strings.Join(clients.IDs(), ", "),
			hint: "name yours, as in: berth init --client claude-code --yes"}
	}
	return usual, nil
}

// kept are those of the clients that no flag leaves out.
func (s *setup) kept(list []*clients.Client) []*clients.Client {
	return slices.DeleteFunc(list, func(c *clients.Client) bool { return slices.Contains(s.flags.without, c.ID) })
}

// registered are the clients whose files have an entry of berth. A file that
// cannot be read is another client's matter: it is named when its client is.
func (s *setup) registered() ([]*clients.Client, error) {
	var list []*clients.Client
	for _, c := range clients.All() {
		if !s.flags.user && s.scope(c) == clients.User {
			continue
		}
		for _, t := range c.Targets(s.machine, s.scope(c), s.root) {
			if f, err := t.Look(); err == nil && f.Found && s.berth.Judge(f.Entry) != clients.Foreign {
				list = append(list, c)
				break
			}
		}
	}
	return list, nil
}

func named(ids []string) []*clients.Client {
	var list []*clients.Client
	for _, c := range clients.All() {
		if slices.Contains(ids, c.ID) || slices.Contains(ids, "all") {
			list = append(list, c)
		}
	}
	return list
}

// ask lets the person choose by number.
func (s *setup) ask(all []*clients.Client, found map[*clients.Client]string, usual []*clients.Client) ([]*clients.Client, error) {
	if len(s.flags.without) > 0 {
		fmt.Fprintln(s.person.out, "left out: "+strings.Join(s.flags.without, ", "))
	}
	var numbers []string
	for i, c := range all {
		line := fmt.Sprintf("%3d  %s", i+1, c.Name)
		if found[c] != "" {
			line += "  (found: " + found[c] + ")"
		}
		if !s.flags.user && s.scope(c) == clients.User && c.Paste == "" {
			line += "  your own file, for all projects"
		}
		fmt.Fprintln(s.person.out, printable(line))
		if slices.Contains(usual, c) {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	answer := s.person.ask("Which, by number? [" + strings.Join(numbers, " ") + "] ")
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 0 {
		if len(usual) == 0 {
			return nil, &failure{code: exitRefused, text: "nothing chosen, nothing written"}
		}
		return usual, nil
	}
	var list []*clients.Client
	for _, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(all) {
			return nil, &failure{code: exitUsage, text: quote(word) + " is no number of the list: nothing was written"}
		}
		list = append(list, all[n-1])
	}
	return list, nil
}
