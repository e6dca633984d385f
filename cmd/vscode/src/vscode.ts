// The editor's API, imported once: a bundle copies the names of each import of
// it, several hundred, which each window waits for.
export * as vscode from 'vscode'
