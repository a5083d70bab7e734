/** Parses JSON text; undefined for any other text, which no schema of an answer accepts. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
