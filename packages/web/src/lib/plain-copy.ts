/** Returns a text as other programs read it: spreadsheets take figures with a hyphen for negative, and know no other spaces. */
export const plainText = (text: string): string => text.replaceAll('−', '-').replaceAll('\u00a0', ' ')

/** Copies what is selected on a page as plain text, so that its figures are numbers where they are pasted. */
export function copyPlainly(): void {
  document.addEventListener('copy', (event) => {
    const isTyped = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    const text = String(getSelection())
    if (event.defaultPrevented || isTyped || text === plainText(text)) return
    event.clipboardData?.setData('text/plain', plainText(text))
    event.preventDefault()
  })
}
