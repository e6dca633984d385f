package e2e

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/berth-dev/berth/e2e/needs"
)

// npmVersion is that of the packages here: the one that cmd/claude names.
const npmVersion = "0.0.0"

// npmPacked is a folder with npm's packages of the berth that is tested, made
// by the command that makes a release's. It is removed with the binary.
var npmPacked = sync.OnceValues(func() (string, error) {
	whole, err := filepath.Abs(binary)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(whole), "packed")
	programs := filepath.Join(dir, "programs")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		return "", err
	}
	small := exec.Command("go", "build", "-o", filepath.Join(programs, "berth"), "github.com/berth-dev/berth/cmd/front")
	small.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := small.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	if err := os.Link(whole, filepath.Join(programs, "berth-full")); err != nil {
		return "", err
	}
	pack := exec.Command("go", "run", "./e2e/release", "npm", dir, programs, npmVersion)
	pack.Dir = ".."
	if out, err := pack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(dir, "npm"), nil
})

// npmRegistry serves the packages on loopback, as registry.npmjs.org would, and
// returns its address. It knows those of this system alone: the others are
// optional, and npm leaves them out.
func npmRegistry(t *testing.T) string {
	t.Helper()
	needs.Program(t, "npm")
	folder, err := npmPacked()
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("GET /-/", http.StripPrefix("/-/", http.FileServer(http.Dir(folder))))
	mux.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) {
		name, ours := strings.CutPrefix(r.PathValue("name"), "@berth-dev/")
		manifest, err := npmManifest(folder, name)
		if !ours || err != nil {
			http.NotFound(w, r)
			return
		}
		manifest["dist"].(map[string]any)["tarball"] = "http://" + r.Host + "/-/" + npmTarball(name)
		w.Header().Set("Content-Type", "application/json")
		assert.NoError(t, json.NewEncoder(w).Encode(map[string]any{"name": manifest["name"],
			"dist-tags": map[string]any{"latest": npmVersion}, "versions": map[string]any{npmVersion: manifest}}))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func npmTarball(name string) string { return "berth-dev-" + name + "-" + npmVersion + ".tgz" }

// npmManifest is a package's own, with the digest of its tarball.
func npmManifest(folder, name string) (map[string]any, error) {
	text, err := os.ReadFile(filepath.Join(folder, filepath.Base(name), "package.json"))
	if err != nil {
		return nil, err
	}
	tarball, err := os.ReadFile(filepath.Join(folder, npmTarball(filepath.Base(name))))
	if err != nil {
		return nil, err
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	sum := sha512.Sum512(tarball)
	manifest["dist"] = map[string]any{"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
	return manifest, nil
}

// npmHome has npm of this world's user, whose home is empty, know the registry
// and no other, and put programs into the home.
func (w *world) npmHome() {
	w.t.Helper()
	user := filepath.Join(w.dir, "user")
	require.NoError(w.t, os.MkdirAll(user, 0o700))
	own := fmt.Sprintf("registry=%s/\nprefix=%s\n", npmRegistry(w.t), filepath.Join(user, ".local"))
	require.NoError(w.t, os.WriteFile(filepath.Join(user, ".npmrc"), []byte(own), 0o600))
}

// npmInstall installs berth from the registry as its user does, and returns
// npm's script and the program that it becomes.
func (w *world) npmInstall() (script, native string) {
	w.t.Helper()
	w.npmHome()
	got := w.run("npm", "", "install", "-g", "@berth-dev/berth")
	require.Zero(w.t, got.code, got.stderr)
	script = filepath.Join(w.dir, "user", ".local", "bin", "berth")
	got = w.run(script, "", "version", "--json")
	require.Zero(w.t, got.code, got.stderr)
	var version struct{ Installed struct{ By, Program string } }
	require.NoError(w.t, json.Unmarshal([]byte(got.stdout), &version))
	require.Equal(w.t, "npm", version.Installed.By)
	return script, filepath.Join(filepath.Dir(version.Installed.Program), "berth") // the small one becomes the whole one, which answered
}
