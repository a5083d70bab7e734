import { common } from '@svc/contracts'
import type { FieldError } from '@svc/contract'
import { EdgeRefusal } from './problem.ts'

const MAX_DEPTH = 16
const decoder = new TextDecoder('utf-8', { fatal: true })

const bad = (pointer: string, code: string, detail: string): never => {
  throw new EdgeRefusal(common.invalidRequest, { errors: [{ pointer, code, detail } satisfies FieldError] })
}

/** Rejects text that cannot be stored or compared safely: lone surrogates and NUL. */
export function checkText(text: string, pointer: string): void {
  if (!text.isWellFormed())
    bad(pointer, 'invalid_unicode', 'The text contains a lone surrogate; send well-formed Unicode.')
  if (text.includes('\u0000')) bad(pointer, 'invalid_unicode', 'The text contains a NUL character; remove it.')
}

/** Rejects an unsafe member name: text that fails `checkText`, or `__proto__`, which would change the object. */
export function checkName(name: string, parent: string): void {
  checkText(name, parent)
  if (name === '__proto__') bad(`${parent}/${name}`, 'unknown_field', 'This member is not known here; remove it.')
}

const escape = (key: string) => key.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

/** Rejects values that cannot be stored or are nested too deep. Returns the total number of members of all objects. */
function checkTree(value: unknown, pointer: string, depth: number): number {
  if (typeof value === 'string') checkText(value, pointer)
  if (typeof value !== 'object' || value === null) return 0
  if (depth === 0) bad(pointer, 'too_deep', `The body is nested deeper than ${MAX_DEPTH} levels; send fewer levels.`)
  let members = 0
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) members += checkTree(item, `${pointer}/${index}`, depth - 1)
    return members
  }
  for (const key of Object.keys(value)) {
    checkName(key, pointer)
    members += 1 + checkTree((value as Record<string, unknown>)[key], `${pointer}/${escape(key)}`, depth - 1)
  }
  return members
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{},]/g

/**
 * Rejects valid JSON in which an object has a member twice. Parsing keeps the last of the two, but another reader of
 * the text may use the first.
 */
function checkOnce(text: string): void {
  // Objects and arrays that enclose a token, each with the current member or index.
  const open: { readonly names: Set<string> | null; at: string | number }[] = []
  for (const [token, name, colon] of text.matchAll(TOKENS)) {
    const within = open.at(-1)
    if (token === '{') open.push({ names: new Set(), at: '' })
    else if (token === '[') open.push({ names: null, at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof within?.at === 'number') within.at += 1
    else if (name !== undefined && colon !== undefined && within !== undefined) {
      const member = String(JSON.parse(name))
      within.at = escape(member)
      if (within.names?.has(member) === true)
        bad(`/${open.map(({ at }) => at).join('/')}`, 'duplicate_field', 'This member is given twice; give it once.')
      within.names?.add(member)
    }
  }
}

/** Parses a request body as `parseJson` does. Throws `EdgeRefusal` for any value but an object. */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('', 'invalid_type', 'The body must be a JSON object.')
  return value as Record<string, unknown>
}

/** Parses JSON: well-formed UTF-8, bounded depth, each member once. Throws `EdgeRefusal` for any other. */
export function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return bad('', 'invalid_utf8', 'The body is not valid UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return bad('', 'invalid_json', 'The body is not valid JSON.')
  }
  const members = checkTree(value, '', MAX_DEPTH)
  // If the number of colons after quotes equals the number of members, parsing dropped none. Text in values can only
  // increase it.
  if ((text.match(/"\s*:/g)?.length ?? 0) !== members) checkOnce(text)
  return value
}
