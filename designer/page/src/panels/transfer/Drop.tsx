import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { toast } from '../../store/toasts'
import { biggestText, decode } from './formats'

interface DropProps {
  onText: (text: string, name: string) => void
  children: ReactNode
}

// Drop takes a file by dropping or choosing it.
export function Drop({ onText, children }: DropProps) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (file.size > biggestText) {
      toast('bad', `${file.name} is larger than 4 MiB, which is the most that can be imported at once.`)
      return
    }
    onText(decode(await file.arrayBuffer()), file.name)
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void read(event.dataTransfer.files[0])
  }
  return (
    <div
      className={over ? 'drop over' : 'drop'}
      data-testid="import-drop"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {children}
      <div className="hstack">
        <button type="button" className="button small" onClick={() => input.current?.click()}>
          Choose a file …
        </button>
        <input ref={input} type="file" accept=".sql,.ddl,.dbml,.prisma,.json,.txt" hidden aria-label="File to import" data-testid="import-file" onChange={(e) => void read(e.target.files?.[0])} />
      </div>
    </div>
  )
}
