package mysql

import (
	"slices"
	"strings"

	"github.com/berth-dev/berth/designer"
)

// A view or trigger acts with the rights of its definer. One that is made again
// has to keep him, or it would act with those of who publishes.

// noteDefiner notes the definer of a view or trigger in its options, where
// the session's user would not be it by making it again.
func (c *catalog) noteDefiner(options *map[string]string, definer string) {
	if definer == "" || definer == c.user {
		return
	}
	at := strings.LastIndexByte(definer, '@')
	user, host := definer[:max(at, 0)], definer[at+1:]
	text := quoteName(user)
	if at < 0 {
		text = quoteName(definer)
	} else if host != "" { // else it is a role
		text += "@" + quoteName(host)
	}
	setOption(options, OptionDefiner, text)
	if !c.setsDefiner {
		setOption(options, OptionDefinerFixed, yes)
	}
}

// hasForeign reports whether any view or trigger has another definer than the
// session's user.
func (c *catalog) hasForeign() bool {
	return slices.ContainsFunc(c.views, func(r viewRow) bool { return r.definer != c.user }) ||
		slices.ContainsFunc(c.triggers, func(r triggerRow) bool { return r.definer != c.user })
}

// definerRights let a user name another definer, on all databases.
var definerRights = []string{"ALL PRIVILEGES", "SUPER", "SET USER", "SET_USER_ID", "SET_ANY_DEFINER"}

// definedBy writes the statement that makes a view or trigger so that its
// definer stays.
func definedBy(definition string, options map[string]string) string {
	if definer := options[OptionDefiner]; definer != "" {
		return "CREATE DEFINER=" + definer + " " + strings.TrimPrefix(definition, "CREATE ")
	}
	return definition
}

// refuseDefiners finds what would have to be made again in a name that who
// publishes may not use.
func (p *planner) refuseDefiners() error {
	refused := func(t *designer.Table, what string, options map[string]string) error {
		return broken(t, "%s would have to be re-created with the new names, and only a user with the right SET USER (MySQL: SET_USER_ID) "+
			"can leave it to its definer %s: publish as such a user, or drop it first", what, options[OptionDefiner])
	}
	for _, c := range p.d.Changed {
		for _, o := range p.triggersOf(c.From) {
			if o.Options[OptionDefinerFixed] != "" && p.triggerAfter(c, o) != o.Definition {
				return refused(c.From, "trigger "+o.Name, o.Options)
			}
		}
	}
	for _, v := range p.d.From.Views() {
		if text, now := p.viewAfter(v); v.Options[OptionDefinerFixed] != "" && now != v.Definition {
			for _, t := range text.tables {
				if from := p.tableBefore(t.name); from != nil {
					return refused(from, "view "+v.Name, v.Options)
				}
			}
		}
	}
	return nil
}
