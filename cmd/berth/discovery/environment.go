package discovery

import (
	"path"
	"slices"
	"strings"
)

// environment is what the environment files of one folder say, together.
type environment map[string]setting

// environmentFiles are those that count in development, in the order in which
// they are read; a later one overrides. Next.js and dotenv of Rails have
// .env.local above .env.development, Symfony below .env.dev. (Vite has
// .env.local below .env.development, and reads no database's settings.)
func environmentFiles() []string {
	return []string{".env", ".env.development", ".env.local", ".env.dev", ".env.development.local", ".env.dev.local"}
}

// isEnvironment matches environment files.
func isEnvironment(name string) bool { return slices.Contains(environmentFiles(), path.Base(name)) }

// environmentOf reads the environment files of a folder, once.
func (s *search) environmentOf(dir string) environment {
	if env, ok := s.environments[dir]; ok {
		return env
	}
	env := environment{}
	s.environments[dir] = env // also while it is read: nothing asks twice
	for _, base := range environmentFiles() {
		data, ok := s.data(path.Join(dir, base))
		if !ok {
			continue
		}
		for _, v := range parseDotenv(data, env.look) {
			v.file = path.Join(dir, base)
			env[v.name] = v
		}
	}
	return env
}

// look finds a variable's value.
func (e environment) look(name string) (string, bool) {
	v, ok := e[name]
	return v.value, ok
}

// variables finds what a variable stands for to a program in a folder: the
// environment files there, then those of the folders above, up to the root.
func (s *search) variables(dir string) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		for at := dir; ; at = path.Dir(at) {
			if value, ok := s.environmentOf(at).look(name); ok {
				return value, true
			}
			if at == "." || at == "/" {
				return "", false
			}
		}
	}
}

// firstOf returns the first of the variables that is there, with its name.
func (e environment) firstOf(names ...string) (setting, bool) {
	for _, name := range names {
		if v, ok := e[name]; ok && strings.TrimSpace(v.value) != "" {
			return v, true
		}
	}
	return setting{}, false
}
