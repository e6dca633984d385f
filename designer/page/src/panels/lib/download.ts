// save hands a file to the person.
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000) // the browser reads it after the click
}

// fileName makes a name that any file system takes.
export function fileName(name: string, extension: string): string {
  // eslint-disable-next-line no-control-regex -- controls are no part of a file's name
  const safe = name.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, '_').replace(/^\.+|[. ]+$/g, '') || 'design'
  return `${safe}.${extension}`
}
