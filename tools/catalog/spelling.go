package catalog

import (
	"strconv"
	"strings"
)

// maxShownName bounds, in bytes, how much of a made-up name is repeated.
const maxShownName = 64

// Meant returns the tool whose name is name but for case and for "_" in place
// of "-", which clients write that allow no hyphen in a name; "": there is none.
func Meant(name string) string {
	for _, d := range All() {
		if strings.EqualFold(strings.ReplaceAll(d.Name, "-", "_"), strings.ReplaceAll(name, "-", "_")) {
			return d.Name
		}
	}
	return ""
}

// Unknown says in words that no tool has this name, and which one is meant.
func Unknown(name string) string {
	if len(name) > maxShownName {
		name = strings.ToValidUTF8(name[:maxShownName], "")
	}
	text := "unknown tool " + strconv.Quote(name)
	if meant := Meant(name); meant != "" {
		text += ": it is called " + meant + " here"
	}
	return text
}
