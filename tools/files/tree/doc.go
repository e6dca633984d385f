// Package tree lists a project's files and evaluates .gitignore. [Walk] visits
// the files with several workers, [List] returns them sorted, [Check] evaluates
// one path.
//
// Everything is reached through one *os.Root, one path element at a time and
// never through a symbolic link, so that no link, and no folder that is
// replaced by a link while it is being read, leads out of the root. A folder
// called .git is never entered.
//
// Ignore files are read as git reads them: the root's .git/info/exclude, then
// the .gitignore of each folder, the deepest deciding. Ignore files outside the
// project are not read: neither the user's own core.excludesFile, nor the
// ignore files above the root. An ignore file that is a symbolic link is not
// followed (git does not either) and tracked files are not known: a hidden file
// is hidden even if it was committed.
//
// The package neither searches nor writes; that is tools/files/search and
// tools/files.
package tree
