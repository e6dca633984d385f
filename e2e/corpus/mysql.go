package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
)

type mysqlDatabase struct {
	config *mysql.Config // with the database's name
}

func mysqlServer() string { return cmp.Or(os.Getenv("BERTH_TEST_MYSQL"), "root@tcp(127.0.0.1:3306)/") }

func createMySQL(ctx context.Context) (database, error) {
	if _, err := program("mariadb", "mysql"); err != nil {
		return nil, err
	}
	config, err := mysql.ParseDSN(mysqlServer())
	if err != nil {
		return nil, err
	}
	config.DBName = freshName()
	return mysqlDatabase{config}, onServer(context.WithoutCancel(ctx), "mysql", mysqlServer(), "CREATE DATABASE "+config.DBName+" CHARACTER SET utf8mb4")
}

// login is the server and who logs in, as the server's programs take it. The
// password goes through the environment.
func (d mysqlDatabase) login(ctx context.Context, path string, args ...string) *exec.Cmd {
	host, port, err := net.SplitHostPort(d.config.Addr)
	where := []string{"--protocol=tcp", "-h", host, "-P", port}
	if err != nil {
		where = []string{"-S", d.config.Addr}
	}
	cmd := exec.CommandContext(ctx, path, slices.Concat(where, []string{"-u", d.config.User}, args)...)
	cmd.Env = append(os.Environ(), "MYSQL_PWD="+d.config.Passwd)
	return cmd
}

// otherSchema is [otherDatabase] where a schema is a database too.
var otherSchema = regexp.MustCompile(`(?im)^\s*(?:(?:DROP|CREATE)\s+(?:DATABASE|SCHEMA)\b[^;\n]*;|USE\s[^;\n]*;)`)

var mysqlError = regexp.MustCompile(`^ERROR `)

func (d mysqlDatabase) load(ctx context.Context, file string) ([]string, error) {
	path, err := program("mariadb", "mysql")
	if err != nil {
		return nil, err
	}
	return client(d.login(ctx, path, "--force", "-s", "--default-character-set=utf8mb4", d.config.DBName), file, otherSchema, mysqlError)
}

var (
	autoIncrement = regexp.MustCompile(` AUTO_INCREMENT=\d+`)
	definer       = regexp.MustCompile("DEFINER=`[^`]*`@`[^`]*`")
)

func (d mysqlDatabase) dump(ctx context.Context) ([]string, error) {
	path, err := program("mariadb-dump", "mysqldump")
	if err != nil {
		return nil, nil
	}
	out, err := d.login(ctx, path, "--no-data", "--routines", "--triggers", "--events", "--skip-comments", d.config.DBName).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all := statements(strings.ReplaceAll(string(out), d.config.DBName, "db"), func(line string) string {
		return definer.ReplaceAllString(autoIncrement.ReplaceAllString(line, ""), "")
	})
	for i, one := range all { // keys are listed in the order they were made in
		lines := strings.Split(one, "\n")
		slices.Sort(lines)
		all[i] = strings.ReplaceAll(strings.Join(lines, "\n"), ",\n", "\n")
	}
	slices.Sort(all)
	return all, nil
}

func (d mysqlDatabase) settings() string {
	u := url.URL{Scheme: "mysql", User: url.User(d.config.User), Host: d.config.Addr, Path: "/" + d.config.DBName}
	if d.config.Passwd != "" {
		u.User = url.UserPassword(d.config.User, d.config.Passwd)
	}
	return fmt.Sprintf("{url: %q}", u.String())
}

func (d mysqlDatabase) open() (*sql.DB, error) { return sql.Open("mysql", d.config.FormatDSN()) }

func (d mysqlDatabase) drop() error {
	return onServer(context.Background(), "mysql", mysqlServer(), "DROP DATABASE IF EXISTS "+d.config.DBName)
}
