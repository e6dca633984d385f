// An agent for the editor's chat, without a model: an extension of this test's
// own, whose participant calls berth's tools as an agent of the editor does. The
// editor gives a request to no participant without a model, so there is one that
// says nothing.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const manifest = {
  name: 'scripted', publisher: 'test', version: '0.0.1', engines: { vscode: '^1.101.0' }, main: './main.cjs', activationEvents: ['onStartupFinished'],
  contributes: {
    chatParticipants: [{ id: 'test.scripted', name: 'scripted', fullName: 'Scripted', description: 'Makes the edits that it is told', isSticky: true }],
    languageModelChatProviders: [{ vendor: 'scripted', displayName: 'Scripted' }],
  },
}

const main = `const vscode = require('vscode')

exports.activate = (context) => {
  const handler = async ({ prompt, toolInvocationToken }, _, stream, token) => {
    const { name } = vscode.lm.tools.find((t) => t.name.endsWith('schema_designer'))
    const call = async (input) => {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token)
      return JSON.parse(content.map((part) => part.value ?? '').join(''))
    }
    const { projectRoot, edits } = JSON.parse(prompt)
    const { version: expectedVersion } = await call({ projectRoot, operation: 'show' })
    const { success } = await call({ projectRoot, operation: 'apply_edits', payload: { expectedVersion, edits } })
    stream.markdown(success ? 'The edits are made.' : 'The edits were refused.')
  }
  const model = { id: 'none', name: 'None', family: 'none', version: '1', maxInputTokens: 1000, maxOutputTokens: 1000, isUserSelectable: true, isDefault: true, capabilities: { toolCalling: true } }
  const models = { provideLanguageModelChatInformation: () => [model], provideLanguageModelChatResponse: () => {}, provideTokenCount: () => 1 }
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', models), vscode.chat.createChatParticipant('test.scripted', handler))
  void vscode.lm.selectChatModels({ vendor: 'scripted' }) // the editor has asked for them
}
`

// addScripted puts the extension among those that the editor has installed.
export async function addScripted(extensions) {
  const relativeLocation = 'test.scripted-0.0.1'
  const folder = join(extensions, relativeLocation)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'main.cjs'), main)
  const list = join(extensions, 'extensions.json')
  const installed = JSON.parse(await readFile(list, 'utf8'))
  const entry = { identifier: { id: 'test.scripted' }, version: manifest.version, location: { $mid: 1, path: folder, scheme: 'file' }, relativeLocation, metadata: {} }
  await writeFile(list, JSON.stringify([...installed, entry]))
}
