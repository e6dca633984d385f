import { sql } from '@codemirror/lang-sql'
import { syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { dialectOf } from './highlight'
import './panels.css'

interface ScriptProps {
  text: string
  dialect: string // '': plain text
  label: string
}

// ScriptView shows a long script, drawing only the lines that are seen. It is
// loaded when first shown.
export default function ScriptView({ text, dialect, label }: ScriptProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  useEffect(() => {
    if (!host.current) return
    const editor = new EditorView({ parent: host.current, state: stateOf(text, dialect, label) })
    view.current = editor
    return () => editor.destroy()
    // A text that changes is put into the editor that is there, below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [dialect, label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === text) return
    const top = editor.scrollDOM.scrollTop
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
    editor.scrollDOM.scrollTop = top
  }, [text])
  return <div className="script" ref={host} data-testid="script" />
}

function stateOf(text: string, dialect: string, label: string): EditorState {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="berth-style-nonce"]')?.content
  return EditorState.create({
    doc: text,
    extensions: [
      nonce ? EditorView.cspNonce.of(nonce) : [],
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true', 'aria-label': label }),
      lineNumbers(),
      EditorView.lineWrapping, // nothing that a person decides on lies out of sight
      highlightSpecialChars(),
      dialect === '' ? [] : sql({ dialect: dialectOf(dialect) }),
      syntaxHighlighting(classHighlighter),
    ],
  })
}
