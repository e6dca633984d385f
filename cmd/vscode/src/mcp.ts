import * as vscode from 'vscode'
import { program } from './program'

// The editor's own agent gets berth's tools from here, without a file. One
// server for all folders: it finds each project by the call.
export function provideServer(version: string): vscode.Disposable {
  const lm = vscode.lm as Partial<typeof vscode.lm> // of an older editor, or a fork of one
  if (!lm.registerMcpServerDefinitionProvider) return { dispose: () => undefined }
  return lm.registerMcpServerDefinitionProvider('berth', {
    provideMcpServerDefinitions: () => [new vscode.McpStdioServerDefinition('Berth', program(), ['mcp'], {}, version)],
  })
}
