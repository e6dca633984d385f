package files

import (
	"path"
	"slices"
	"strings"
)

// heldGroup is a part of the list of names that are held back.
type heldGroup struct {
	what  string // in replies
	why   string
	forms bool // names with .example and the like are held back too: for keys they are no templates
	names []string
}

// heldNames finds the group of a path. It is built once and only read.
type heldNames struct {
	whole   map[string]*heldGroup            // by the last part of a path
	ends    map[string]*heldGroup            // by its end from a dot or underscore
	starts  map[string]*heldGroup            // by its start up to and with a dot or underscore
	below   map[string]*heldGroup            // by a folder above, at any depth
	folders map[string]map[string]*heldGroup // by the folder and the last part; "" for its start
	open    map[string]bool
}

func newHeldNames(groups []heldGroup) *heldNames {
	h := &heldNames{whole: map[string]*heldGroup{}, ends: map[string]*heldGroup{}, starts: map[string]*heldGroup{},
		below: map[string]*heldGroup{}, folders: map[string]map[string]*heldGroup{}, open: map[string]bool{}}
	for i := range groups {
		for _, name := range groups[i].names {
			h.add(&groups[i], name)
		}
	}
	for _, name := range openNames {
		h.open[name] = true
	}
	return h
}

func (h *heldNames) add(g *heldGroup, name string) {
	folder, last := path.Split(name)
	folder = strings.TrimSuffix(folder, "/")
	switch {
	case last == "**":
		h.below[folder] = g
	case folder != "":
		if h.folders[folder] == nil {
			h.folders[folder] = map[string]*heldGroup{}
		}
		h.folders[folder][last] = g
	case strings.HasSuffix(last, ".*"), strings.HasSuffix(last, "_*"):
		h.starts[strings.TrimSuffix(last, "*")] = g
		h.addEnd(last, g)
	case strings.HasPrefix(last, "*"):
		h.ends[last[1:]] = g
	default:
		h.whole[last] = g
	}
}

// addEnd adds a name such as *.tfstate.*, which is held wherever it stands.
func (h *heldNames) addEnd(name string, g *heldGroup) {
	if strings.HasPrefix(name, "*") {
		delete(h.starts, strings.TrimSuffix(name, "*"))
		h.ends[strings.TrimSuffix(name[1:], "*")] = g
	}
}

// group returns the group that holds a file back; nil: none does.
func (h *heldNames) group(name string) *heldGroup {
	folder, last := path.Split(name)
	last = folded(last)
	parents := parents(folder)
	for {
		if h.isOpen(last) {
			return nil
		}
		if g := h.match(parents, last); g != nil {
			return g
		}
		shorter := withoutBackup(last)
		if shorter == last || shorter == "" {
			return nil
		}
		last = shorter
	}
}

// parents returns the parent folders, the nearest last.
func parents(folder string) []string {
	if folder == "" {
		return nil
	}
	list := strings.Split(strings.TrimSuffix(folder, "/"), "/")
	for i, name := range list {
		list[i] = folded(name)
	}
	return list
}

func (h *heldNames) isOpen(last string) bool {
	return h.open[last] || h.open["*"+path.Ext(last)]
}

func (h *heldNames) match(parents []string, last string) *heldGroup {
	for _, folder := range parents {
		if g := h.below[folder]; g != nil {
			return g
		}
	}
	if g := h.matchName(last); g != nil && (g.forms || !isForm(last)) {
		return g
	}
	if len(parents) == 0 || isForm(last) {
		return nil
	}
	in := h.folders[parents[len(parents)-1]]
	if g := in[last]; g != nil {
		return g
	}
	if stem, _, ok := strings.Cut(last, "."); ok {
		return in[stem+".*"]
	}
	return nil
}

func (h *heldNames) matchName(last string) *heldGroup {
	if g := h.whole[last]; g != nil {
		return g
	}
	for i := range len(last) {
		switch last[i] {
		case '.', '_', '-':
			if g := h.ends[last[i:]]; g != nil {
				return g
			}
			if g := h.starts[last[:i+1]]; g != nil {
				return g
			}
			if end := strings.IndexByte(last[i+1:], '.'); end >= 0 {
				if g := h.ends[last[i:i+end+2]]; g != nil { // *.tfstate.*
					return g
				}
			}
		}
	}
	return looseName(h, last)
}

// looseName finds names that people write in many ways: prod-service-account.json,
// client_secret_1234.apps.json, my-credentials.json.
func looseName(h *heldNames, last string) *heldGroup {
	switch path.Ext(last) {
	case ".json", ".csv":
		plain := strings.Map(letters, last)
		for _, word := range []string{"serviceaccount", "clientsecret", "adminsdk", "accesskeys", "applicationdefaultcredentials"} {
			if strings.Contains(plain, word) {
				return h.whole["service-account.json"]
			}
		}
	}
	return nil
}

// letters drops the characters between words.
func letters(r rune) rune {
	if r == '-' || r == '_' || r == ' ' {
		return -1
	}
	return r
}

// isForm reports whether a name is that of a template to be filled in.
func isForm(last string) bool {
	parts := strings.Split(last, ".")
	end := len(parts) - 1
	return end > 0 && (slices.Contains(formEnds, parts[end]) || slices.Contains(formWords, parts[end-1]) && slices.Contains(formKinds, parts[end]))
}

// withoutBackup returns the name of the original file of a backup, by the
// backup's name.
func withoutBackup(last string) string {
	if strings.HasPrefix(last, "#") && strings.HasSuffix(last, "#") && len(last) > 2 {
		return last[1 : len(last)-1]
	}
	if rest, ok := strings.CutPrefix(last, ".#"); ok {
		return rest
	}
	for _, end := range backupEnds {
		rest, ok := strings.CutSuffix(last, end)
		if !ok {
			continue
		}
		if (end == ".swp" || end == ".swo") && strings.HasPrefix(rest, ".") {
			return rest[1:] // vim's, of a file without the dot in front
		}
		return rest
	}
	return last
}
