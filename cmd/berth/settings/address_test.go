package settings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/cmd/berth/settings"
)

// server is what an address says, the password in the open.
type server struct {
	dialect, host  string
	port           int
	user, password string
	database       string
	instance, ssl  string
	params         map[string]string
}

func revealed(t *testing.T, dialect string, s settings.Server) server {
	t.Helper()
	password, err := s.Password.Reveal(t.Context())
	require.NoError(t, err)
	return server{dialect, s.Host, s.Port, s.User, password, s.Database, s.Instance, s.SSLMode, s.Params}
}

func TestAddressesAreReadAsProgramsWriteThem(t *testing.T) {
	const pg, my, ms = settings.DialectPostgres, settings.DialectMySQL, settings.DialectMSSQL
	for text, want := range map[string]server{
		"postgres://ann:secret@db.example:5433/shop?sslmode=require": {dialect: pg, host: "db.example", port: 5433, user: "ann", password: "secret", database: "shop", ssl: "require"},
		"postgresql://ann@h":                                                              {dialect: pg, host: "h", user: "ann", database: "ann"},
		"postgresql+asyncpg://ann:x@[::1]:5432/shop":                                      {dialect: pg, host: "::1", port: 5432, user: "ann", password: "x", database: "shop"},
		"postgres:///shop?host=/var/run/postgresql":                                       {dialect: pg, host: "/var/run/postgresql", database: "shop"},
		"postgres://%2Fvar%2Frun/shop":                                                    {dialect: pg, host: "/var/run", database: "shop"},
		"postgres://u:p@h/d?schema=app&connection_limit=5":                                {dialect: pg, host: "h", user: "u", password: "p", database: "d", params: map[string]string{"search_path": "app"}},
		"jdbc:postgresql://h:1/d?user=u&password=p+p&ssl=true":                            {dialect: pg, host: "h", port: 1, user: "u", password: "p+p", database: "d", ssl: "require"},
		"jdbc:postgresql:d":                                                               {dialect: pg, database: "d"},
		"Host=h;Port=5433;Username=u;Password=p;Database=d;SSL Mode=Require;Pooling=true": {dialect: pg, host: "h", port: 5433, user: "u", password: "p", database: "d", ssl: "require"},

		"mysql://u:p@h:3307/d?charset=utf8mb4":                  {dialect: my, host: "h", port: 3307, user: "u", password: "p", database: "d", params: map[string]string{"charset": "utf8mb4"}},
		"mariadb://u@h/d?ssl-mode=VERIFY_IDENTITY":              {dialect: my, host: "h", user: "u", database: "d", ssl: "verify-full"},
		"mysql2://u@h/d?useSSL=false":                           {dialect: my, host: "h", user: "u", database: "d", ssl: "disable"},
		"mysql+pymysql://u:p@h/d?charset=utf8":                  {dialect: my, host: "h", user: "u", password: "p", database: "d", params: map[string]string{"charset": "utf8"}},
		"u:p:w/@x@tcp(h:3306)/d?tls=skip-verify&parseTime=true": {dialect: my, host: "h", port: 3306, user: "u", password: "p:w/@x", database: "d", ssl: "require"},
		"u:%41@unix(/run/my.sock)/d":                            {dialect: my, host: "/run/my.sock", user: "u", password: "%41", database: "d"},
		"mysql://u:p@tcp([::1]:3306)/d":                         {dialect: my, host: "::1", port: 3306, user: "u", password: "p", database: "d"},
		"Server=h;Port=3306;Database=d;Uid=root;Pwd='a;b'''":    {dialect: my, host: "h", port: 3306, user: "root", password: "a;b'", database: "d"},

		"sqlserver://sa:p@h:1433?database=d&encrypt=disable":                                               {dialect: ms, host: "h", port: 1433, user: "sa", password: "p", database: "d", params: map[string]string{"encrypt": "disable"}},
		"sqlserver://sa:p@h/SQLEXPRESS?database=d":                                                         {dialect: ms, host: "h", instance: "SQLEXPRESS", user: "sa", password: "p", database: "d"},
		"sqlserver://sa:p@h:1433/d":                                                                        {dialect: ms, host: "h", port: 1433, user: "sa", password: "p", database: "d"},
		"mssql://sa:p@h/d":                                                                                 {dialect: ms, host: "h", user: "sa", password: "p", database: "d"},
		"mssql+pyodbc://sa:p@h/d?driver=ODBC+Driver+18":                                                    {dialect: ms, host: "h", user: "sa", password: "p", database: "d"},
		"sqlserver://h:1433;database=d;user=sa;password={a;}}b};":                                          {dialect: ms, host: "h", port: 1433, user: "sa", password: "a;}b", database: "d"},
		`jdbc:sqlserver://h\X:1433;databaseName=d;user=sa;password=p;encrypt=false`:                        {dialect: ms, host: "h", port: 1433, instance: "X", user: "sa", password: "p", database: "d", params: map[string]string{"encrypt": "false"}},
		"Server=tcp:h,1434;Initial Catalog=d;User ID=sa;Password=\"a\"\"b\";Trust Server Certificate=True": {dialect: ms, host: "h", port: 1434, user: "sa", password: `a"b`, database: "d", params: map[string]string{"TrustServerCertificate": "True"}},
		`Server=.\SQLEXPRESS;Database=d;Trusted_Connection=True;`:                                          {dialect: ms, host: "localhost", instance: "SQLEXPRESS", database: "d"},
		"Data Source=h;Database=d;User Id=u;Password= p w ;":                                               {dialect: ms, host: "h", user: "u", password: "p w", database: "d"},
	} {
		t.Run(text, func(t *testing.T) {
			a, err := settings.ParseAddress("", text)
			require.NoError(t, err)
			assert.Equal(t, want, revealed(t, a.Dialect, a.Server))
			assert.Empty(t, a.Unknown)
		})
	}
}

func TestAddressesOfSQLiteAreReadInEveryForm(t *testing.T) {
	for text, want := range map[string]string{
		"jdbc:sqlite:data/app.db":            "data/app.db",
		"sqlite:///srv/app.db":               "/srv/app.db",
		"file:./dev.db":                      "./dev.db",
		"Data Source=app.db;Cache=Shared":    "app.db",
		"DataSource=x":                       "DataSource=x",
		"sqlite+aiosqlite:///srv/app%20b.db": "/srv/app b.db",
	} {
		a, err := settings.ParseAddress("", text)
		require.NoError(t, err, text)
		assert.Equal(t, settings.DialectSQLite, a.Dialect, text)
		assert.Equal(t, want, a.Path, text)
	}
}

func TestWhatIsNoAddressSaysWhy(t *testing.T) {
	for text, want := range map[string]string{
		"postgres:h/d":                    "needs // behind its scheme",
		"postgres://u:p@a,b/d":            "several hosts are not supported",
		"postgres://h:99999/d":            "the port is not a number",
		"mysql://u:p@h":                   "a database must be named",
		"mongodb://u:p@h/d":               "the scheme mongodb is not served",
		"hunter2:whatever":                "this scheme is not served",
		`Server=(localdb)\X;Database=d`:   "LocalDB",
		"Server=h;nonsense;Database=d":    "without an equals sign",
		"u:p@tcp(h:1)":                    "needs a slash",
		"postgres://h/d?sslmode=sometime": "must be one of disable, allow",
		"postgres://h\x00/d":              "NUL",
		"postgres://u@h/d%00":             "NUL",
	} {
		_, err := settings.ParseAddress("", text)
		require.ErrorContains(t, err, want, text)
		assert.NotContains(t, err.Error(), "hunter2")
	}
	a, err := settings.ParseAddress("", "postgres://h/d?nonsense=1")
	require.NoError(t, err)
	assert.Equal(t, []string{"nonsense"}, a.Unknown)
}

func FuzzParseAddress(f *testing.F) {
	for _, text := range []string{"postgres://u:p@h:1/d?sslmode=require", "u:p@tcp(h)/d", "Server=h;Password={x}}};", "sqlserver://h;a='", "jdbc:x", "file:///a?mode=ro", "mysql://tcp(", "postgres://[::1]"} {
		f.Add("", text)
		f.Add("mssql", text)
	}
	f.Fuzz(func(t *testing.T, dialect, text string) {
		dialect = settings.DialectOf(dialect) // "" or a known one, as callers have it
		a, err := settings.ParseAddress(dialect, text)
		if err != nil {
			if len(err.Error()) > 600 {
				t.Fatalf("error of %d bytes", len(err.Error()))
			}
			return
		}
		if a.Dialect == settings.DialectSQLite {
			return
		}
		if settings.DialectOf(a.Dialect) != a.Dialect || a.Server.Database == "" || a.Server.Port < 0 || a.Server.Port > 65535 {
			t.Fatalf("invalid address %+v", a)
		}
	})
}
