/** Saves a text as a file of the reader, without a request. */
export function saveText(name: string, content: string): void {
  saveBlob(name, new Blob([content], { type: 'application/octet-stream' }))
}

/** Saves bytes as a file of the reader. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has its own hold on the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
