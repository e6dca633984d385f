package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// vsix makes the editor's extension of one target, with the programs inside: a
// zip file with two lists that say what it is, as vsce makes them. It needs
// what npm run build left in cmd/vscode/out.
func vsix(dist, programs, version string, t target) error {
	manifest, err := template("cmd/vscode/package.json", map[string]any{"version": version, "private": nil, "scripts": nil, "devDependencies": nil})
	if err != nil {
		return err
	}
	text, err := encodeJSON(manifest)
	if err != nil {
		return err
	}
	about, err := vsixManifest(text, t)
	if err != nil {
		return err
	}
	z := newZip()
	z.add("extension.vsixmanifest", about, 0o644)
	z.add("[Content_Types].xml", contentTypes, 0o644)
	z.add("extension/package.json", text, 0o644)
	z.addFile("extension/readme.md", "cmd/vscode/README.md", 0o644)
	z.addFile("extension/LICENSE.txt", "LICENSE", 0o644)
	for _, folder := range []string{"media", "out"} {
		if err := z.addFolder("extension/"+folder, filepath.Join("cmd/vscode", folder)); err != nil {
			return err
		}
	}
	for _, program := range t.programs() {
		z.addFile("extension/bin/"+program, filepath.Join(programs, program), 0o755)
	}
	z.add("extension/bin/installed-by", []byte("vsix\n"), 0o644)
	data, err := z.bytes()
	if err != nil {
		return err
	}
	return write(filepath.Join(dist, "berth_"+version+"_"+t.goos+"_"+t.goarch+".vsix"), data, 0o644)
}

// vsixHere makes the extension of this machine's system and processor.
func vsixHere(dist, programs string) error {
	i := slices.IndexFunc(targets, func(t target) bool { return t.goos == runtime.GOOS && t.goarch == runtime.GOARCH })
	if i < 0 {
		return fmt.Errorf("no release is made for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	return vsix(dist, programs, "0.0.0-dev", targets[i])
}

// addFolder adds all files of a folder, in the order of their names.
func (z *zipFile) addFolder(name, folder string) error {
	return filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rest, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		z.addFile(path.Join(name, filepath.ToSlash(rest)), file, 0o644)
		return nil
	})
}

// An extension is what package.json says that the list repeats.
type extension struct {
	Name, DisplayName, Description, Publisher, Version, Icon string
	Categories, Keywords, ExtensionKind                      []string
	Engines                                                  struct{ VSCode string }
}

// targetPlatform is what the marketplaces call a target.
func (t target) targetPlatform() string { return t.npmOS + "-" + t.npmCPU }

// vsixManifest is extension.vsixmanifest: what a marketplace and an editor read
// before they unpack anything.
func vsixManifest(manifest []byte, t target) ([]byte, error) {
	var e extension
	if err := json.Unmarshal(manifest, &e); err != nil {
		return nil, err
	}
	type property struct {
		ID    string `xml:"Id,attr"`
		Value string `xml:",attr"`
	}
	type asset struct {
		Type, Path  string `xml:",attr"`
		Addressable bool   `xml:",attr"`
	}
	type identity struct {
		Language       string `xml:",attr"`
		ID             string `xml:"Id,attr"`
		Version        string `xml:",attr"`
		Publisher      string `xml:",attr"`
		TargetPlatform string `xml:",attr"`
	}
	type installation struct {
		ID string `xml:"Id,attr"`
	}
	list := struct {
		XMLName      xml.Name     `xml:"http://schemas.microsoft.com/developer/vsx-schema/2011 PackageManifest"`
		Version      string       `xml:",attr"`
		Identity     identity     `xml:"Metadata>Identity"`
		DisplayName  string       `xml:"Metadata>DisplayName"`
		Description  string       `xml:"Metadata>Description"`
		Tags         string       `xml:"Metadata>Tags"`
		Categories   string       `xml:"Metadata>Categories"`
		GalleryFlags string       `xml:"Metadata>GalleryFlags"`
		Properties   []property   `xml:"Metadata>Properties>Property"`
		License      string       `xml:"Metadata>License"`
		Icon         string       `xml:"Metadata>Icon"`
		Installation installation `xml:"Installation>InstallationTarget"`
		Dependencies struct{}
		Assets       []asset `xml:"Assets>Asset"`
	}{
		Version:     "2.0.0",
		Identity:    identity{"en-US", e.Name, e.Version, e.Publisher, t.targetPlatform()},
		DisplayName: e.DisplayName, Description: e.Description, GalleryFlags: "Public",
		Tags: strings.Join(e.Keywords, ","), Categories: strings.Join(e.Categories, ","),
		Properties: []property{
			{"Microsoft.VisualStudio.Code.Engine", e.Engines.VSCode},
			{"Microsoft.VisualStudio.Code.ExtensionKind", strings.Join(e.ExtensionKind, ",")},
			{"Microsoft.VisualStudio.Services.Links.Source", repository + ".git"},
			{"Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown", "true"},
			{"Microsoft.VisualStudio.Services.Content.Pricing", "Free"},
		},
		License: "extension/LICENSE.txt", Icon: "extension/" + e.Icon,
		Installation: installation{"Microsoft.VisualStudio.Code"},
		Assets: []asset{
			{"Microsoft.VisualStudio.Code.Manifest", "extension/package.json", true},
			{"Microsoft.VisualStudio.Services.Content.Details", "extension/readme.md", true},
			{"Microsoft.VisualStudio.Services.Content.License", "extension/LICENSE.txt", true},
			{"Microsoft.VisualStudio.Services.Icons.Default", "extension/" + e.Icon, true},
		},
	}
	text, err := xml.MarshalIndent(list, "", "  ")
	return slices.Concat([]byte(xml.Header), text, []byte("\n")), err
}

// contentTypes says of each kind of file what it is.
var contentTypes = func() []byte {
	kinds := [][2]string{
		{"vsixmanifest", "text/xml"}, {"json", "application/json"}, {"cjs", "application/javascript"}, {"js", "application/javascript"}, {"css", "text/css"},
		{"html", "text/html"}, {"svg", "image/svg+xml"}, {"png", "image/png"}, {"md", "text/markdown"}, {"txt", "text/plain"}, {"exe", "application/octet-stream"},
	}
	var text bytes.Buffer
	text.WriteString(xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`)
	for _, kind := range kinds {
		text.WriteString(`<Default Extension=".` + kind[0] + `" ContentType="` + kind[1] + `"/>`)
	}
	text.WriteString("</Types>\n")
	return text.Bytes()
}()
