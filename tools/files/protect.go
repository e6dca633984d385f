package files

import (
	"path"
	"strings"
	"unicode"

	"github.com/berth-dev/berth/tools/files/disk"
	"github.com/berth-dev/berth/tools/files/tree"
)

// folders that are never written: git's and berth's own, whose settings say
// what an agent may do.
const (
	gitFolder   = ".git"
	berthFolder = ".berth"
)

// readable refuses files whose content is not for an agent.
func (t *Tool) readable(name string) *failure {
	for part := range strings.SplitSeq(name, "/") {
		if folded(part) == gitFolder {
			return &failure{Reason: reasonProtected, Message: clip(name, 300) + " belongs to git; ask git"}
		}
	}
	if disk.IsTemp(name) {
		return &failure{Reason: reasonProtected, Message: clip(name, 300) + " is a file that is being written"}
	}
	if !t.settings.Load().Secrets && secret(name) {
		return &failure{Reason: reasonSecret, Message: clip(name, 300) + " may hold secrets and is not read",
			Hint: "a person can allow it with files: {secrets: true} in .berth/config.yaml"}
	}
	return nil
}

// writable refuses files that are never written by a tool.
func (t *Tool) writable(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if folded(part) == berthFolder {
			return &failure{Reason: reasonProtected, Message: clip(name, 300) + " lies in .berth, which only a person changes"}
		}
	}
	if f := t.readable(name); f != nil {
		return f
	}
	verdict, err := tree.Check(t.project.Root(), name, false)
	if err != nil {
		return err
	}
	if verdict.Ignored {
		return &failure{Reason: reasonProtected, Message: clip(name, 300) + " is hidden by .gitignore, and such files are not written",
			Hint: clip("the rule stands in "+verdict.Source, 200)}
	}
	return nil
}

// folded is a name as file systems may understand it: without regard to case,
// to what cannot be seen, and to dots and spaces at its end.
func folded(part string) string {
	part = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, part)
	part, _, _ = strings.Cut(part, ":") // a stream of a file on Windows
	part = strings.TrimRight(part, ". ")
	if strings.HasPrefix(part, "git~") { // .git as Windows shortens it
		return gitFolder
	}
	return part
}

// secret tells whether a file holds secrets, by its name.
func secret(name string) bool {
	base := folded(path.Base(name))
	switch base {
	case ".env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".npmrc", ".pypirc", ".htpasswd", ".git-credentials",
		".vault-token", ".dockercfg", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials", "credentials.json", "secrets.json",
		"secrets.yml", "secrets.yaml", "secrets.toml", "terraform.tfvars", "terraform.tfstate", "local.settings.json":
		return true
	case "config.yaml", "workspace.yaml":
		return folded(path.Base(path.Dir(name))) == berthFolder
	case "config.json":
		return folded(path.Base(path.Dir(name))) == ".docker"
	}
	if rest, ok := strings.CutPrefix(base, ".env."); ok {
		switch rest {
		case "example", "sample", "template", "dist", "defaults", "schema":
			return false
		}
		return true
	}
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".tfstate", ".env":
		return true
	}
	return false
}
