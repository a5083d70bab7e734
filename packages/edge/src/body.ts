import { common } from '@svc/contracts'
import type { FieldError } from '@svc/contract'
import { EdgeRefusal } from './problem.ts'

const MAX_DEPTH = 16
const decoder = new TextDecoder('utf-8', { fatal: true })

const bad = (pointer: string, code: string, detail: string): never => {
  throw new EdgeRefusal(common.invalidRequest, { errors: [{ pointer, code, detail } satisfies FieldError] })
}

/** Refuses text that cannot be stored or compared safely: lone surrogates and NUL. */
export function checkText(text: string, pointer: string): void {
  if (!text.isWellFormed()) bad(pointer, 'invalid_unicode', 'The text has a lone surrogate; send well-formed Unicode.')
  if (text.includes('\u0000')) bad(pointer, 'invalid_unicode', 'The text has a NUL character; remove it.')
}

/** Refuses a member name that cannot be one: unsafe text, or a word that would change an object instead of being put into it. */
export function checkName(name: string, parent: string): void {
  checkText(name, parent)
  if (name === '__proto__') bad(`${parent}/${name}`, 'unknown_field', 'This member is not known here; remove it.')
}

const escape = (key: string) => key.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

function checkTree(value: unknown, pointer: string, depth: number): void {
  if (typeof value === 'string') return checkText(value, pointer)
  if (typeof value !== 'object' || value === null) return
  if (depth === 0) bad(pointer, 'too_deep', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkTree(item, `${pointer}/${index}`, depth - 1)
    return
  }
  for (const key of Object.keys(value)) {
    checkName(key, pointer)
    checkTree((value as Record<string, unknown>)[key], `${pointer}/${escape(key)}`, depth - 1)
  }
}

/** Parses a request body: well-formed UTF-8, JSON, an object, bounded depth. */
export function parseBody(bytes: Buffer): Record<string, unknown> {
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
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('', 'invalid_type', 'The body must be a JSON object.')
  checkTree(value, '', MAX_DEPTH)
  return value as Record<string, unknown>
}
