package settings

import (
	"errors"
	"fmt"
	"path"

	"github.com/berth-dev/berth/designer/lint/rule"
)

// rulesField takes a list of names of rules.
func rulesField(name string, at func(*Settings) *[]string) field[Settings] {
	return checkedWords(name, at, func(word string) error {
		if rule.Known(word) {
			return nil
		}
		var known []string
		for _, id := range rule.All() {
			known = append(known, string(id))
		}
		return fmt.Errorf("no rule is called %s: %s", shown(word), didYouMean(word, known))
	})
}

// patternsField takes a list of names of tables, with stars.
func patternsField(name string, at func(*Settings) *[]string) field[Settings] {
	return checkedWords(name, at, func(word string) error {
		if _, err := path.Match(word, ""); err != nil {
			return errors.New("must be a list of names in which * and ? stand for other characters, not " + shown(word))
		}
		return nil
	})
}

// checkedWords is a wordsField each of whose words is looked at.
func checkedWords(name string, at func(*Settings) *[]string, check func(word string) error) field[Settings] {
	f := wordsField(name, at)
	set := f.set
	f.set = func(s *Settings, v scalar) error {
		for _, word := range v.list {
			if err := check(word); err != nil {
				return err
			}
		}
		return set(s, v)
	}
	return f
}
