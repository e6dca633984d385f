package discovery

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// isCompose matches Compose files.
func isCompose(name string) bool {
	return slices.Contains([]string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}, path.Base(name))
}

// maxServices bounds the services looked at.
const maxServices = 200

// service is a database that Compose runs.
type service struct {
	name, dir string
	dialect   string
	published string // the port on this machine; "": none
}

// readCompose finds the services that run the image of a database and publish
// its port on this machine.
func readCompose(s *search, f file) {
	documents, line, err := parseYAML(f.data)
	if err != nil {
		s.note(f.name, line, "%v", err)
		return
	}
	if len(documents) == 0 {
		return
	}
	dir := path.Dir(f.name)
	c := compose{search: s, file: f.name, dir: dir, doc: documents[0], look: s.variables(dir)}
	for i, pair := range c.doc.pairs(c.doc.field(c.doc.body, "services")) {
		if i == maxServices {
			return
		}
		c.service(keyOf(pair), lineOf(pair.Key), pair.Value)
	}
}

type compose struct {
	search    *search
	file, dir string
	doc       yamlDocument
	look      func(string) (string, bool)
}

func (c compose) service(name string, line int, node ast.Node) {
	image, _ := c.text(c.doc.field(node, "image"))
	dialect := imageDialect(image)
	if dialect == "" {
		return
	}
	host, port := c.published(c.doc.field(node, "ports"), defaultPort(dialect))
	c.search.services = append(c.search.services, service{name, c.dir, dialect, port})
	if container, ok := c.text(c.doc.field(node, "container_name")); ok {
		c.search.services = append(c.search.services, service{container, c.dir, dialect, port})
	}
	if port == "" {
		return // only its own network reaches it
	}
	env := c.environment(node)
	f := imageFields(dialect, env)
	f.Host, f.Port = host, port
	if f.Database == "" {
		c.search.note(c.file, line, "the service %s names no database", plain(name))
		return
	}
	address, err := settings.FieldAddress(dialect, f)
	if err != nil {
		c.search.note(c.file, line, "the service %s: %v", plain(name), err)
		return
	}
	c.search.found(candidate{base: "compose-" + plain(name), address: address, file: c.file, line: line})
}

// imageDialect tells the database that an image runs by its name.
func imageDialect(image string) string {
	image, _, _ = strings.Cut(image, "@")
	folder, base := path.Split(image)
	base, _, _ = strings.Cut(base, ":")
	switch base {
	case "postgres", "postgresql", "postgis", "timescaledb", "timescaledb-ha", "pgvector", "alloydbomni":
		return settings.DialectPostgres
	case "mysql", "mysql-server", "mariadb", "percona", "percona-server":
		return settings.DialectMySQL
	case "server", "azure-sql-edge":
		if base != "server" || strings.HasSuffix(folder, "mssql/") {
			return settings.DialectMSSQL
		}
	}
	return ""
}

// imageFields are what the variables of an image make of its database.
func imageFields(dialect string, env map[string]string) settings.Fields {
	first := func(names ...string) string {
		for _, name := range names {
			if env[name] != "" {
				return env[name]
			}
		}
		return ""
	}
	switch dialect {
	case settings.DialectPostgres:
		f := settings.Fields{User: first("POSTGRES_USER", "POSTGRESQL_USERNAME"), Password: first("POSTGRES_PASSWORD", "POSTGRESQL_PASSWORD"),
			Database: first("POSTGRES_DB", "POSTGRESQL_DATABASE")}
		if f.User == "" {
			f.User = "postgres"
		}
		if f.Database == "" {
			f.Database = f.User
		}
		return f
	case settings.DialectMySQL:
		f := settings.Fields{User: first("MYSQL_USER", "MARIADB_USER"), Password: first("MYSQL_PASSWORD", "MARIADB_PASSWORD"),
			Database: first("MYSQL_DATABASE", "MARIADB_DATABASE")}
		if f.User == "" {
			f.User, f.Password = "root", first("MYSQL_ROOT_PASSWORD", "MARIADB_ROOT_PASSWORD")
		}
		return f
	}
	return settings.Fields{User: "sa", Password: first("MSSQL_SA_PASSWORD", "SA_PASSWORD"), Database: "master",
		Params: map[string]string{"TrustServerCertificate": "true"}} // its certificate is its own
}

// environment joins a service's variables: of its files, then its own.
func (c compose) environment(node ast.Node) map[string]string {
	env := map[string]string{}
	files := c.doc.field(node, "env_file")
	for _, item := range append(c.doc.items(files), files) {
		name, ok := c.text(item)
		if !ok {
			name, ok = c.text(c.doc.field(item, "path"))
		}
		if !ok || path.IsAbs(name) {
			continue
		}
		if data, ok := c.search.data(path.Join(c.dir, name)); ok {
			for _, v := range parseDotenv(data, c.look) {
				env[v.name] = v.value
			}
		}
	}
	own := c.doc.field(node, "environment")
	for _, item := range c.doc.items(own) { // - NAME=value
		text, _ := c.text(item)
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			value, _ = c.look(name)
		}
		env[name] = value
	}
	for _, pair := range c.doc.pairs(own) {
		value, ok := c.text(pair.Value)
		if !ok {
			value, _ = c.look(keyOf(pair))
		}
		env[keyOf(pair)] = value
	}
	for _, pair := range c.doc.pairs(own) { // what is merged in counts where nothing stands
		if _, merge := pair.Key.(*ast.MergeKeyNode); !merge {
			continue
		}
		for _, inner := range c.doc.pairs(pair.Value) {
			if _, set := env[keyOf(inner)]; !set {
				env[keyOf(inner)], _ = c.text(inner.Value)
			}
		}
	}
	return env
}

// text is a scalar with Compose's variables put in.
func (c compose) text(node ast.Node) (string, bool) {
	text, ok := c.doc.text(node)
	return interpolate(text, c.look), ok
}

// published finds the port on this machine that leads to a container's port,
// and the address it listens at.
func (c compose) published(ports ast.Node, container int) (host, port string) {
	for _, item := range c.doc.items(ports) {
		text, ok := c.text(item)
		if !ok {
			text = c.longPort(item)
		}
		text, protocol, _ := strings.Cut(text, "/")
		if protocol != "" && protocol != "tcp" {
			continue
		}
		cut := strings.LastIndexByte(text, ':')
		if cut < 0 || text[cut+1:] != strconv.Itoa(container) {
			continue // unpublished, or published at a port that changes
		}
		host, port = "127.0.0.1", text[:cut]
		if at := strings.LastIndexByte(port, ':'); at >= 0 {
			host, port = strings.Trim(port[:at], "[]"), port[at+1:]
		}
		if host == "0.0.0.0" || host == "::" {
			host = "127.0.0.1"
		}
		if port != "" && !strings.Contains(port, "-") {
			return host, port
		}
	}
	return "", ""
}

// longPort writes the long form of a port as the short one.
func (c compose) longPort(item ast.Node) string {
	part := func(key string) string {
		text, _ := c.text(c.doc.field(item, key))
		return text
	}
	short := part("published") + ":" + part("target")
	if ip := part("host_ip"); ip != "" {
		short = ip + ":" + short
	}
	if protocol := part("protocol"); protocol != "" {
		short += "/" + protocol
	}
	return short
}

// publish turns an address within Compose's network, or another spelling of
// this machine, into one that this process can reach. False: it cannot.
func (s *search) publish(c *candidate) bool {
	server := &c.address.Server
	for _, service := range s.services {
		if c.address.Dialect != service.dialect || server.Host != service.name {
			continue
		}
		if service.published == "" {
			s.note(c.file, c.line, "its host is a service of Compose that publishes no port on this machine")
			return false
		}
		port, err := strconv.Atoi(service.published)
		if err != nil {
			return false // the service's own note says why
		}
		server.Host, server.Port = "127.0.0.1", port
		return true
	}
	return true
}
