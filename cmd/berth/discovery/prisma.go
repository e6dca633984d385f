package discovery

import (
	"path"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// isPrisma matches Prisma's schema files.
func isPrisma(name string) bool { return path.Ext(name) == ".prisma" }

var (
	prismaBlock    = lazyregexp.New(`^\s*datasource\s+(\w+)\s*\{`)
	prismaProvider = lazyregexp.New(`^\s*provider\s*=\s*"([^"]*)"`)
	prismaEnv      = lazyregexp.New(`^\s*url\s*=\s*env\(\s*"([^"]*)"\s*\)`)
	prismaURL      = lazyregexp.New(`^\s*url\s*=\s*"([^"]*)"`)
)

// readPrisma finds the datasource of a schema. Its url may be text or a
// variable; files are relative to the schema.
func readPrisma(s *search, f file) {
	var provider, block string
	for i, line := range strings.Split(string(f.data), "\n") {
		switch {
		case block == "":
			if m := prismaBlock().FindStringSubmatch(line); m != nil {
				block, provider = m[1], ""
			}
		case strings.HasPrefix(strings.TrimSpace(line), "}"):
			block = ""
		case prismaProvider().MatchString(line):
			provider = prismaProvider().FindStringSubmatch(line)[1]
		case prismaURL().MatchString(line):
			s.prismaFound(f.name, i+1, provider, prismaURL().FindStringSubmatch(line)[1])
		case prismaEnv().MatchString(line):
			name := prismaEnv().FindStringSubmatch(line)[1]
			url, ok := s.variables(path.Dir(f.name))(name)
			if !ok {
				s.note(f.name, i+1, "the variable %s is in no .env file of the project", plain(name))
				continue
			}
			s.prismaFound(f.name, i+1, provider, url)
		}
	}
}

func (s *search) prismaFound(name string, line int, provider, url string) {
	if provider != "" && settings.DialectOf(provider) == "" {
		s.note(name, line, "a provider that is not served")
		return
	}
	address, err := settings.ParseAddress(settings.DialectOf(provider), url)
	if err != nil {
		s.note(name, line, "url %v", err)
		return
	}
	s.found(candidate{base: "prisma", address: address, file: name, line: line})
}
