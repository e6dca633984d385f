package discovery

import (
	"path"
	"slices"
	"strings"

	"github.com/berth-dev/berth/cmd/berth/settings"
	"github.com/berth-dev/berth/designer/lazyregexp"
)

// scriptEndings are those of files that Node's tools load.
func scriptEndings() []string { return []string{".js", ".ts", ".mjs", ".mts", ".cjs", ".cts"} }

// isScript reports whether a file is one of a name, as a program or as one
// of other endings.
func isScript(name string, others []string, bases ...string) bool {
	ending := path.Ext(name)
	return (slices.Contains(scriptEndings(), ending) || slices.Contains(others, ending)) &&
		slices.Contains(bases, strings.TrimSuffix(path.Base(name), ending))
}

var javaScriptExport = lazyregexp.New(`(?m)^[ \t]*(?:module\.exports(?:\.default)?[ \t]*=|export[ \t]+default\b|exports\.default[ \t]*=|export[ \t]*=)`)

// exported is what a file of JavaScript gives to the one that loads it, or
// the value of one of JSON.
func exported(c *code) value {
	if path.Ext(c.file) == ".json" || path.Ext(c.file) == "" && strings.HasPrefix(strings.TrimSpace(c.text), "{") {
		return c.at(0).value()
	}
	at := javaScriptExport().FindAllStringIndex(c.text, -1)
	if len(at) == 0 {
		return value{kind: null}
	}
	return c.at(at[len(at)-1][1]).value()
}

// environments of a tool's file that are not development's.
func isOther(name string) bool {
	switch strings.ToLower(name) {
	case "test", "tests", "testing", "ci", "e2e", "production", "prod", "live", "staging", "stage", "preview", "qa", "uat":
		return true
	}
	return false
}

// development picks development's part of an object that has several; false:
// it has others alone.
func development(v value) (value, bool) {
	for _, name := range []string{"development", "dev", "local", "default"} {
		if inner, ok := v.fields[name]; ok && inner.kind != text {
			return inner, true
		}
	}
	for name := range v.fields {
		if isOther(name) {
			return value{}, false
		}
	}
	return v, true
}

// isKnex matches the settings of Knex's command line.
func isKnex(name string) bool { return isScript(name, []string{".json"}, "knexfile") }

// readKnex finds {client, connection}, alone or as development's. Knex runs
// in the folder of its file.
func readKnex(s *search, f file) {
	c, ok := s.codeOf(javaScript(), f)
	if !ok {
		return
	}
	v, ok := development(exported(c))
	if !ok {
		return
	}
	if v.kind != object {
		s.notTold(f, v, "what it exports")
		return
	}
	d := declared{file: f.name, base: "knex", line: v.line, params: v.fields["connection"].trust()}
	d.take(v, asDialect, "client", "dialect")
	connection, ok := v.fields["connection"]
	switch {
	case ok && connection.kind == object:
		d.line = connection.line
		d.take(connection, asURL, "connectionString", "uri", "url")
		d.server(connection)
		d.take(connection, asPath, "filename")
	case ok || v.open:
		d.line = max(connection.line, d.line)
		d.parts = append(d.parts, part{asURL, "connection", connection})
	default:
		s.note(f.name, v.line, "has no connection")
		return
	}
	s.declare(d)
}

// notTold notes that a file's value could not be told, if there is one.
func (s *search) notTold(f file, v value, what string) {
	if v.kind != null {
		s.note(f.name, v.line, "%s %s", what, notRun)
	}
}

// server takes the parts of a server under the names that Node's tools have.
func (d *declared) server(v value) {
	d.take(v, asHost, "host", "server", "hostname")
	d.take(v, asPort, "port")
	d.take(v, asUser, "user", "username")
	d.take(v, asPassword, "password")
	d.take(v, asDatabase, "database")
	d.take(v, asSocket, "socketPath")
	d.take(v, asInstance, "instanceName")
}

// trust are the parameters that SQL Server's options become.
func (v value) trust() map[string]string {
	for _, inner := range []value{v, v.fields["options"], v.fields["extra"], v.fields["dialectOptions"].fields["options"]} {
		if trusts := inner.fields["trustServerCertificate"]; trusts.kind == flag {
			return map[string]string{"TrustServerCertificate": trusts.text}
		}
	}
	return nil
}

// withTrust keeps parameters for the dialect that knows them.
func (d *declared) withTrust(v value) {
	if trust := v.trust(); trust != nil {
		d.params = trust
	}
}

// isDrizzle matches the settings of Drizzle Kit.
func isDrizzle(name string) bool {
	return isScript(name, []string{".json"}, "drizzle.config", "drizzle-dev.config", "drizzle.dev.config")
}

// readDrizzle finds {dialect, dbCredentials}.
func readDrizzle(s *search, f file) {
	c, ok := s.codeOf(javaScript(), f)
	if !ok {
		return
	}
	v := exported(c)
	if v.kind != object {
		s.notTold(f, v, "what it exports")
		return
	}
	credentials, ok := v.fields["dbCredentials"]
	if !ok && !v.open {
		return // it only writes migrations
	}
	d := declared{file: f.name, base: "drizzle", line: max(credentials.line, v.line)}
	d.take(v, asDialect, "dialect", "driver")
	if dialect := v.fields["dialect"].text; dialect == "turso" && strings.HasPrefix(credentials.fields["url"].text, "file:") {
		d.parts, d.dialect = nil, settings.DialectSQLite
	}
	if hosted := v.fields["driver"].text; slices.Contains([]string{"d1-http", "aws-data-api", "expo", "pglite", "durable-sqlite"}, hosted) {
		s.note(f.name, d.line, "a driver that is not served")
		return
	}
	if credentials.kind == object {
		d.take(credentials, asURL, "url", "connectionString", "uri")
		d.server(credentials)
	} else {
		d.parts = append(d.parts, part{asURL, "dbCredentials", value{line: d.line}})
	}
	s.declare(d)
}

// isTypeORM matches the settings of TypeORM: its old file, and the usual
// names of a module with a DataSource.
func isTypeORM(name string) bool {
	return isScript(name, []string{".json"}, "ormconfig") ||
		isScript(name, nil, "data-source", "datasource", "app-data-source", "app.data-source", "typeorm.config", "typeorm-config")
}

var javaScriptDataSource = lazyregexp.New(`\bnew[ \t]+(?:\w+\.)?DataSource[ \t]*\(`)

// readTypeORM finds the options of DataSources, or those that are exported.
func readTypeORM(s *search, f file) {
	c, ok := s.codeOf(javaScript(), f)
	if !ok {
		return
	}
	var sources []value
	for _, at := range javaScriptDataSource().FindAllStringIndex(c.text, maxConnections) {
		r := c.at(at[1])
		r.open++
		sources = append(sources, r.value())
	}
	if len(sources) == 0 {
		v := exported(c)
		if sources = []value{v}; v.kind == list {
			sources = v.items
		}
	}
	for _, v := range sources {
		s.typeORM(f, v)
	}
}

func (s *search) typeORM(f file, v value) {
	if v.kind != object {
		s.notTold(f, v, "a data source")
		return
	}
	name := v.fields["name"].text
	if isOther(name) {
		return
	}
	d := declared{file: f.name, base: "typeorm", line: v.line}
	if name != "" && name != "default" {
		d.base += "-" + plain(name)
	}
	d.withTrust(v)
	if master := v.fields["replication"].fields["master"]; master.kind == object {
		v.fields["host"] = value{kind: null}
		for name, field := range master.fields {
			v.fields[name] = field
		}
	}
	d.take(v, asDialect, "type")
	d.take(v, asURL, "url")
	d.server(v)
	if len(d.parts) > 0 {
		s.declare(d)
	}
}

// isSequelize matches the settings of Sequelize's command line, and the file
// that names them.
func isSequelize(name string) bool {
	dir := path.Base(path.Dir(name))
	return path.Base(name) == ".sequelizerc" ||
		(dir == "config" || dir == "configs" || dir == "db" || dir == "database") && isScript(name, []string{".json"}, "config", "database", "sequelize")
}

// readSequelize finds development's part of config/config.json or of the
// file that .sequelizerc names. What has no dialect is another program's.
func readSequelize(s *search, f file) {
	c, ok := s.codeOf(javaScript(), f)
	if !ok {
		return
	}
	v := exported(c)
	if path.Base(f.name) == ".sequelizerc" {
		s.sequelizeNamed(f, v)
		return
	}
	dir := path.Dir(path.Dir(f.name))
	if inner, ok := development(v); ok && (inner.fields["dialect"].kind != computed || inner.fields["use_env_variable"].kind == text) {
		s.sequelize(f.name, dir, c, inner)
	}
}

// sequelizeNamed reads the file that .sequelizerc names, if it is not one
// that is read by its own name.
func (s *search) sequelizeNamed(f file, v value) {
	config, ok := v.fields["config"]
	if !ok {
		return // the usual file
	}
	name := path.Join(path.Dir(f.name), config.text)
	if config.kind == place {
		name = config.text
	}
	switch {
	case config.kind != text && config.kind != place:
		s.note(f.name, config.line, "config %s", notRun)
		return
	case isSequelize(name):
		return
	}
	data, ok := []byte(nil), s.isFile(name)
	if ok {
		data, ok = s.data(name)
	}
	if !ok {
		s.note(f.name, config.line, "config names a file that is not there, or not in the project")
		return
	}
	named := file{name: name, data: data}
	c, ok := s.codeOf(javaScript(), named)
	if !ok {
		return
	}
	if inner, ok := development(exported(c)); ok {
		if inner.kind != object {
			s.notTold(named, inner, "what it exports")
			return
		}
		s.sequelize(name, path.Dir(f.name), c, inner)
	}
}

func (s *search) sequelize(name, dir string, c *code, v value) {
	d := declared{file: name, base: "sequelize", line: v.line, dir: dir}
	d.withTrust(v)
	d.take(v, asDialect, "dialect")
	if variable := v.fields["use_env_variable"]; variable.kind == text {
		url := c.environment(variable.text)
		url.line = variable.line
		d.parts = append(d.parts, part{asURL, "use_env_variable", url})
	} else {
		d.take(v, asURL, "url")
	}
	d.take(v, asHost, "host")
	d.take(v, asPort, "port")
	d.take(v, asUser, "username")
	d.take(v, asPassword, "password")
	d.take(v, asDatabase, "database")
	d.take(v, asPath, "storage")
	s.declare(d)
}
