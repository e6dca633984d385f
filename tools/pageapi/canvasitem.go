package pageapi

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/berth-dev/berth/designer/lazyregexp"
)

// The kinds of a [CanvasItem].
const (
	kindArea = "area"
	kindNote = "note"
)

const (
	maxAreaTitle = 80    // characters
	maxNoteText  = 1_000 // characters
	minItemSide  = 40
	maxItemSide  = 100_000
)

// itemColours are names; the page has a colour for each in either theme.
var itemColours = []string{"grey", "blue", "green", "yellow", "red", "purple"}

// CanvasItem is an area, which is a titled rectangle behind the tables, or a
// note, which is a card with text.
type CanvasItem struct {
	Kind   string  `json:"kind"` // area or note
	Text   string  `json:"text"` // the title of an area in one line, the text of a note
	Colour string  `json:"colour"`
	X      float64 `json:"x"` // of the upper left corner, in the canvas's own units
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// ItemChange is what a request says about an item: with a kind all of a new
// one, which takes the place of one that had its id; without, what is to change.
type ItemChange struct {
	Kind   *string  `json:"kind"`
	Text   *string  `json:"text"`
	Colour *string  `json:"colour"`
	X      *float64 `json:"x"`
	Y      *float64 `json:"y"`
	Width  *float64 `json:"width"`
	Height *float64 `json:"height"`
}

// applied returns the item that follows from the one there was.
func (c ItemChange) applied(old CanvasItem) (CanvasItem, error) {
	item := old
	if c.Kind != nil {
		if c.X == nil || c.Y == nil || c.Width == nil || c.Height == nil {
			return item, invalid("a new area or note takes x, y, width and height")
		}
		item = CanvasItem{Kind: *c.Kind}
	}
	set(&item.Text, c.Text)
	set(&item.Colour, c.Colour)
	set(&item.X, c.X)
	set(&item.Y, c.Y)
	set(&item.Width, c.Width)
	set(&item.Height, c.Height)
	err := item.check()
	return item, err
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// check refuses what no item can be, and makes its text what is kept.
func (i *CanvasItem) check() (err error) {
	switch i.Kind {
	case kindArea:
		i.Text, err = oneLine("the area's title", i.Text, maxAreaTitle)
	case kindNote:
		i.Text, err = someLines("the note", i.Text, maxNoteText)
	default:
		err = invalid(fmt.Sprintf("kind is %q; it takes %s or %s", shortened(i.Kind), kindArea, kindNote))
	}
	if i.Colour == "" {
		i.Colour = itemColours[0]
	}
	switch {
	case err != nil:
		return err
	case !slices.Contains(itemColours, i.Colour):
		return invalid(fmt.Sprintf("colour is %q; it takes %s", shortened(i.Colour), strings.Join(itemColours, ", ")))
	case !onCanvas(i.X, i.Y):
		return invalid(fmt.Sprintf("an area or note lies at most %.0f from the middle of the canvas", maxCoordinate))
	case !isSide(i.Width) || !isSide(i.Height):
		return invalid(fmt.Sprintf("width and height are %d to %d, not %g by %g", minItemSide, maxItemSide, i.Width, i.Height))
	}
	return nil
}

func isSide(n float64) bool { return n >= minItemSide && n <= maxItemSide }

// shortened is a value as an error repeats it.
func shortened(text string) string {
	if r := []rune(text); len(r) > 20 {
		return string(r[:20]) + "…"
	}
	return text
}

// someLines is a text as it is kept: lines of characters that are seen.
func someLines(what, text string, most int) (string, error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.Map(plain, line), " ")
	}
	text = strings.Trim(strings.Join(lines, "\n"), "\n")
	if n := utf8.RuneCountInString(text); n > most {
		return "", invalid(fmt.Sprintf("%s has %d characters, at most %d", what, n, most))
	}
	return text, nil
}

var itemID = lazyregexp.New(`^[0-9A-Za-z-]{1,64}$`)

func checkItemID(id string) error {
	if !itemID().MatchString(id) {
		return invalid(fmt.Sprintf("the id %q is none of an area or note, which has 1 to 64 letters, digits and hyphens", shortened(id)))
	}
	return nil
}

// checkItems refuses items that no view can have, and makes their texts what
// is kept.
func checkItems(items map[string]CanvasItem) error {
	if err := checkCount(items); err != nil {
		return err
	}
	for id, item := range items {
		if err := checkItemID(id); err != nil {
			return err
		}
		if err := item.check(); err != nil {
			return err
		}
		items[id] = item
	}
	return nil
}
