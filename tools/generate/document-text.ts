type Json = Readonly<Record<string, unknown>>

/** Depth to which members stand on lines of their own: each operation, schema and response is one line. */
const LINES_TO_DEPTH = 3

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function text(value: unknown, depth: number): string {
  if (!isObject(value) || depth === LINES_TO_DEPTH || Object.keys(value).length === 0) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${text(member, depth + 1)}`)
  return `{\n${members.join(',\n')}\n}`
}

/** Prints a document of the API with a line for each of its parts: short, and a change of one part is one changed line. */
export const documentText = (document: Json): string => `${text(document, 0)}\n`
