import { vscode } from './vscode'
import { program } from './program'

// The editor's own agent gets berth's tools from here, without a file. One
// server for all folders: it finds each project by the call. As in DevDB,
// Devdb.enableMcpServer: false of all folders offers none.
export function provideServer(version: string): vscode.Disposable {
  const lm = vscode.lm as Partial<typeof vscode.lm> // of an older editor, or a fork of one
  if (!lm.registerMcpServerDefinitionProvider) return { dispose: () => undefined }
  const changed = new vscode.EventEmitter<void>()
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('Devdb.enableMcpServer') || e.affectsConfiguration('berth.path')) changed.fire()
    }),
    lm.registerMcpServerDefinitionProvider('berth', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => (wanted() ? [new vscode.McpStdioServerDefinition('Berth', program(), ['mcp'], {}, version)] : []),
    }),
  )
}

// wanted reports whether a folder of the window wants the server, or the window
// that has none: the setting may stand in the files of each.
function wanted(): boolean {
  const says = (of?: vscode.Uri): boolean => vscode.workspace.getConfiguration('Devdb', of).get('enableMcpServer', true)
  const folders = vscode.workspace.workspaceFolders ?? []
  return folders.length === 0 ? says() : folders.some(({ uri }) => says(uri))
}
