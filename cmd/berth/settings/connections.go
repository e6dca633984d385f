package settings

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// connections reads the list form and the mapping form:
//
//	connections:              connections:
//	  - name: main              main:
//	    path: data/app.db         path: data/app.db
func (f *ownFile) connections(node ast.Node) error {
	var read []Connection
	add := func(c Connection, err error) error {
		if err != nil {
			return err
		}
		for _, other := range read {
			if strings.EqualFold(other.Name, c.Name) {
				return f.fail(c.Line, keyConnections+"."+c.Name, "is defined twice in this file", "")
			}
		}
		read = append(read, c)
		return nil
	}
	var err error
	if list, ok := node.(*ast.SequenceNode); ok {
		for _, item := range list.Values {
			if err = add(f.listed(item)); err != nil {
				return err
			}
		}
	} else {
		err = f.mapping(node, keyConnections+".", func(name string, at int, value ast.Node) error {
			return add(f.connection(name, at, value))
		})
	}
	if err != nil {
		return err
	}
	f.s.put(read)
	return nil
}

// listed reads one item of the list form, which carries its name inside.
func (f *ownFile) listed(item ast.Node) (Connection, error) {
	m, ok := item.(*ast.MappingNode)
	if !ok {
		return Connection{}, f.fail(line(item), keyConnections, wrongType("a mapping with a name", scalarOf(item)).Error(), "")
	}
	for _, pair := range m.Values {
		if key, ok := pair.Key.(*ast.StringNode); ok && key.Value == "name" {
			v := scalarOf(pair.Value)
			if v.kind != kindText {
				return Connection{}, f.fail(line(pair.Key), keyConnections+".name", wrongType("text", v).Error(), "")
			}
			return f.connection(v.text, line(pair.Key), item)
		}
	}
	return Connection{}, f.fail(line(item), keyConnections, "a connection of the list lacks a name", "")
}

// connection reads the settings of one connection and resolves its address.
func (f *ownFile) connection(name string, at int, node ast.Node) (Connection, error) {
	c := Connection{Name: name, Level: f.level, File: f.file, Line: at}
	if err := checkConnectionName(name); err != nil {
		return c, f.fail(at, keyConnections, err.Error(), "")
	}
	prefix := keyConnections + "." + name + "."
	f.s.forget(prefix)
	all := connectionFields()
	known := append(names(all), keyParams)
	err := f.mapping(node, prefix, func(key string, keyLine int, value ast.Node) error {
		if i := slices.Index(known, key); i >= 0 && i < len(all) {
			f.s.origins[prefix+key] = origin{f.level, f.file, keyLine}
			return set(f, &c, all[i], prefix+key, value, keyLine)
		}
		if key == keyParams {
			return f.params(&c, prefix+keyParams+".", value)
		}
		if key == "name" { // read already; the mapping form may repeat it
			return f.sameName(name, keyLine, value)
		}
		return f.fail(keyLine, prefix+key, "is not a setting of a connection", didYouMean(key, known))
	})
	if err != nil {
		return c, err
	}
	return c, f.resolve(&c, prefix)
}

// params reads what the driver is told besides, in the file's order.
func (f *ownFile) params(c *Connection, prefix string, node ast.Node) error {
	return f.mapping(node, prefix, func(name string, at int, value ast.Node) error {
		v := scalarOf(value)
		switch v.kind {
		case kindText, kindInt, kindBool:
		default:
			return f.fail(at, prefix+name, "must be text, a number, true or false", "")
		}
		c.given.params = append(c.given.params, param{name, v.text})
		f.s.origins[prefix+name] = origin{f.level, f.file, at}
		return nil
	})
}

func (f *ownFile) sameName(name string, at int, value ast.Node) error {
	if v := scalarOf(value); v.kind != kindText || v.text != name {
		return f.fail(at, keyConnections+"."+name+".name", "differs from the connection's key", "")
	}
	return nil
}

// resolve fills the address in, unless that waits for the user's trust.
func (f *ownFile) resolve(c *Connection, prefix string) error {
	if f.level != LevelGlobal {
		c.Server.Below = f.s.root
		f.judge(c, strings.TrimSuffix(prefix, "."))
	}
	key, err := "", error(nil)
	if c.Withheld {
		key, err = c.withhold(f.dir)
	} else {
		key, c.variables, err = c.resolve(f.dir, f.lookup)
	}
	if err == nil {
		return nil
	}
	at := c.Line
	if o, ok := f.s.origins[prefix+key]; ok {
		at = o.line
	}
	advice := ""
	if unset := (*unsetError)(nil); errors.As(err, &unset) {
		advice = "set it where berth is started, or write the address without it"
	}
	return f.fail(at, strings.TrimSuffix(prefix+key, "."), err.Error(), advice)
}

// put adds a file's connections before those of less specific files, and in
// place of those of the same names.
func (s *Settings) put(read []Connection) {
	replaced := func(o Connection) bool {
		return slices.ContainsFunc(read, func(c Connection) bool { return strings.EqualFold(o.Name, c.Name) })
	}
	s.Connections = slices.Concat(read, slices.DeleteFunc(slices.Clone(s.Connections), replaced))
}

// forget drops the origins below prefix: a connection is taken whole from one
// file.
func (s *Settings) forget(prefix string) {
	for key := range s.origins {
		if strings.HasPrefix(strings.ToLower(key), strings.ToLower(prefix)) {
			delete(s.origins, key)
		}
	}
}
