package settings

import (
	"fmt"
	"slices"
	"strings"
)

// A right is a setting of which a project's own files may take, and not give:
// more than the user's own settings allow is asked for.
type right[T any] struct {
	// raises reports whether a value is more than the user's own settings
	// allow.
	raises func(users, asked *T) bool
	words  func(users, asked *T) string
}

// raised gives a setting its rule.
func raised(f field[Settings], raises func(users, asked *Settings) bool, words func(users, asked *Settings) string) field[Settings] {
	f.right = &right[Settings]{raises, words}
	return f
}

// turnedOn is the rule of a switch that gives a right where it is on.
func turnedOn(f field[Settings], at func(*Settings) *bool, words string) field[Settings] {
	return raised(f, func(users, asked *Settings) bool { return *at(asked) && !*at(users) },
		func(_, _ *Settings) string { return words })
}

// confirmsLess: the designer asks a person less often than the user wants.
func confirmsLess(users, asked *Settings) bool {
	order := []string{ConfirmNever, ConfirmDestructive, ConfirmAlways}
	return slices.Index(order, asked.Designer.Confirm) < slices.Index(order, users.Designer.Confirm)
}

func confirmWords(users, asked *Settings) string {
	return fmt.Sprintf("asks you about an agent's edits of a design less often than your own settings (designer.confirm %s, not %s)",
		asked.Designer.Confirm, users.Designer.Confirm)
}

// defaultIsUsers: a call that names no connection goes to one of the user's
// own, which may lead anywhere and allow writes.
func defaultIsUsers(users, asked *Settings) bool {
	_, own := users.Connection(asked.Default)
	return own && !strings.EqualFold(asked.Default, users.Default)
}

func defaultWords(_, asked *Settings) string {
	return "sends calls that name no connection to your own connection " + plain(asked.Default) + " (default)"
}

// allow puts a value that a file of the project or above it gives in force,
// or keeps the value of before where it raises a right that its user did not
// trust it with. before are the settings as they were.
func (f *ownFile) allow(field field[Settings], before Settings, at int) {
	s := f.s
	if s.raise(field, before, origin{f.level, f.file, at}) {
		s.origins[field.name] = origin{f.level, f.file, at}
	}
}

// raise reports whether the value of a field that was just set stands.
func (s *Settings) raise(field field[Settings], before Settings, from origin) bool {
	delete(s.rights, field.name) // a more specific file has its own say
	if from.level == LevelGlobal || field.right == nil || !field.right.raises(s.users, s) {
		return true
	}
	a := s.ask(request{kind: "right", bound: []string{fmt.Sprint(field.get(s))}, words: field.right.words(s.users, s)},
		field.name, from.file, from.line)
	s.rights[field.name] = a
	if !a.Trusted {
		*s = before
	}
	return a.Trusted
}
