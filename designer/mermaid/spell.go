package mermaid

import (
	"strings"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// reserved are words that begin something else in a diagram. It is never
// modified.
var reserved = map[string]bool{
	"erdiagram": true, "to": true, "one": true, "many": true, "only": true, "optionally": true, "zero": true, "style": true,
	"class": true, "classdef": true, "subgraph": true, "end": true, "title": true, "direction": true, "acctitle": true, "accdescr": true,
	"u": true, "o": true, "pk": true, "fk": true, "uk": true,
}

var otherThanWord = lazyregexp.New(`[^A-Za-z0-9_]+`)

// identifier makes a word of a name: letters, digits and underscores, none of
// them reserved.
func identifier(name string) string {
	id := otherThanWord().ReplaceAllString(name, "_")
	if id == "" || id[0] >= '0' && id[0] <= '9' || strings.Trim(id, "_") == "" {
		id = "t_" + strings.Trim(id, "_")
	}
	if reserved[strings.ToLower(id)] {
		id += "_"
	}
	return id
}

// attributeName makes a word of a column's name.
func attributeName(name string) string {
	id := identifier(name)
	if strings.HasPrefix(id, "t_") && !strings.HasPrefix(name, "t_") {
		id = "c_" + strings.TrimPrefix(id, "t_")
	}
	return id
}

var otherThanType = lazyregexp.New(`[^A-Za-z0-9_()\[\]]+`)

// typeWord writes a type as one word: decimal(10,2) as decimal(10-2), double
// precision as double_precision.
func typeWord(text string) string {
	text = strings.ReplaceAll(text, ",", "-")
	parts := strings.Split(text, "-")
	for i, p := range parts {
		parts[i] = otherThanType().ReplaceAllString(strings.TrimSpace(p), "_")
	}
	text = strings.Join(parts, "-")
	if text == "" {
		return "any"
	}
	if c := text[0] | 0x20; c < 'a' || c > 'z' {
		text = "t_" + text
	}
	return text
}

// label writes text that may stand in double quotes, on one line and bounded.
func label(text string) string {
	const most = 120
	text = strings.NewReplacer(`"`, "'", `\`, "/", "%", "_").Replace(strings.Join(strings.Fields(text), " "))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	if text == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, text)
}
