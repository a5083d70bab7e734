import type { FieldError } from '@svc/contract'
import type { z } from 'zod'

const MAX_ERRORS = 20

const escape = (part: PropertyKey) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Returns the invalid members of an input, at most 20: JSON Pointer, code and sentence. `place` is where the input
 * travels.
 */
export function fieldErrors(error: z.ZodError, place: 'path' | 'query' | 'body'): FieldError[] {
  const prefix = place === 'body' ? '' : `/${place}`
  return error.issues
    .flatMap((issue) => {
      const at = issue.path.map((part) => `/${escape(part)}`).join('')
      if (issue.code === 'unrecognized_keys') {
        return issue.keys.map((key) => ({
          pointer: `${prefix}${at}/${escape(key.slice(0, 100))}`,
          code: 'unknown_field',
          detail: 'This member is not known here; remove it or correct its name.',
        }))
      }
      return [{ pointer: `${prefix}${at}`, code: issue.code, detail: sentenceOf(issue) }]
    })
    .slice(0, MAX_ERRORS)
}

/**
 * Returns the message of zod, with three exceptions. For a missing member and for text that is not a number, zod describes
 * a value that the caller did not send. For a value that no shape of a union accepts, zod does not name the choices.
 */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') return `${issue.message}${choicesOf(issue)}`
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.message.endsWith('received undefined')) return `This member is missing; give it as ${issue.expected}.`
  return issue.message.endsWith('received NaN') ? 'must be a number in decimal digits' : issue.message
}

function choicesOf({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const choices = errors.flat().flatMap((issue) => {
    if (issue.path.length > 0) return []
    if (issue.code === 'invalid_value') return issue.values.map(String)
    return issue.code === 'invalid_type' ? [issue.expected] : []
  })
  return choices.length === 0 ? '' : `: expected one of ${[...new Set(choices)].join(', ')}`
}
