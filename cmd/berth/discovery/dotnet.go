package discovery

import (
	"bytes"
	"path"
	"runtime"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// The settings of a .NET application; those of development go first.
const (
	dotNetSettings    = "appsettings.json"
	dotNetDevelopment = "appsettings.Development.json"
)

// isDotNet matches the settings of a .NET application.
func isDotNet(name string) bool {
	return path.Base(name) == dotNetSettings || path.Base(name) == dotNetDevelopment
}

// readDotNet finds the ConnectionStrings. Of a name in both files that of
// development counts.
func readDotNet(s *search, f file) {
	overridden := map[string]bool{}
	if path.Base(f.name) == dotNetSettings {
		if data, ok := s.data(path.Join(path.Dir(f.name), dotNetDevelopment)); ok {
			list, _, _ := connectionStrings(data) // its own reading tells what is wrong
			for _, v := range list {
				overridden[v.name] = true
			}
		}
	}
	list, line, err := connectionStrings(f.data)
	if err != nil {
		s.note(f.name, line, "%v", err)
		return
	}
	for _, v := range list {
		if !overridden[v.name] {
			s.connectionString(f.name, v)
		}
	}
}

func (s *search) connectionString(name string, v setting) {
	address, err := settings.ParseAddress("", v.value)
	switch {
	case err != nil:
		s.note(name, v.line, "connection string %s %v", plain(v.name), err)
	case address.Dialect == settings.DialectSQLite && address.Path == strings.TrimSpace(v.value):
		// a storage account, a cache: no database's
	case address.Dialect == settings.DialectMSSQL && address.Server.User == "" && runtime.GOOS != "windows":
		s.note(name, v.line, "connection string %s signs in with the account of Windows, which this system has not", plain(v.name))
	default:
		s.found(candidate{base: "dotnet-" + plain(v.name), address: address, file: name, line: v.line})
	}
}

// connectionStrings lists the texts of the object ConnectionStrings.
func connectionStrings(data []byte) (list []setting, line int, err error) {
	root, line, err := settings.ParseCommented(data)
	if err != nil {
		return nil, line, err
	}
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, 0, nil
	}
	for _, m := range top.Members {
		object, ok := m.Value.Value.(*hujson.Object)
		if !ok || literalText(m.Name.Value) != "ConnectionStrings" {
			continue
		}
		for _, c := range object.Members {
			if literal, ok := c.Value.Value.(hujson.Literal); ok && literal.Kind() == '"' && literal.String() != "" {
				at := 1 + bytes.Count(data[:c.Value.StartOffset], []byte("\n"))
				list = append(list, setting{name: literalText(c.Name.Value), value: literal.String(), line: at})
			}
		}
	}
	return list, 0, nil
}
