import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from './call.ts'
import type { Quote } from './quote.ts'

/** Returns how a refusal is fixed, by its code; null for an unknown code. */
export type FixOf = (code: string) => string | null

/** Longest text of a failure. */
const TEXT_MAX = 2_000

/**
 * Returns the result of a tool for the answer of its route, with texts of strangers quoted: a business failure is a result,
 * with the same refusal block, whose text says the fix.
 */
export function resultOf({ status, body: given, type }: Answer, quote: Quote, fixOf: FixOf): CallToolResult {
  const body = given === null ? null : quote(status, given)
  if (body === null) return { content: [text(`The answer is no JSON but ${type}; read it over HTTP.`)], isError: true }
  return status < 400
    ? { content: [text(JSON.stringify(body))], structuredContent: { ...body } }
    : { content: [text(failureText(body, fixOf))], structuredContent: { ...body }, isError: true }
}

/**
 * Returns the same result as the SDK prints it, without the braces around it. A success is printed once, although it stands
 * there twice.
 */
export function printedResult(answer: Answer, quote: Quote, fixOf: FixOf): string {
  const { status, body } = answer
  if (body === null || status >= 400) return JSON.stringify(resultOf(answer, quote, fixOf)).slice(1, -1)
  const printed = JSON.stringify(quote(status, body))
  return `"content":[{"type":"text","text":${JSON.stringify(printed)}}],"structuredContent":${printed}`
}

/** Returns a result that names a tool which is not to be had. */
export const notAvailable = (name: string): CallToolResult => ({
  isError: true,
  content: [text(`not available: ${name.slice(0, 128)} is switched off here.`)],
  structuredContent: {
    ok: false,
    code: 'not_available',
    title: 'not available',
    status: 404,
    tool: name.slice(0, 128),
  },
})

const text = (of: string) => ({ type: 'text' as const, text: of })

/** Returns a failure in words: its code, what is wrong, where, and what to do. */
function failureText(problem: Readonly<Record<string, unknown>>, fixOf: FixOf): string {
  const { code, detail, errors, retry_at: retryAt } = problem
  const fix = fixOf(String(code))
  const places = Array.isArray(errors)
    ? (errors as { pointer: string; detail: string }[]).map((one) => `${one.pointer}: ${one.detail}`)
    : []
  return [
    `${String(code)}: ${String(detail)}`,
    ...places,
    ...(typeof retryAt === 'string' ? [`Retry at ${retryAt}.`] : []),
    ...(fix === null ? [] : [`Fix: ${fix}`]),
    ...('refusal' in problem ? [JSON.stringify(problem['refusal'])] : []),
  ]
    .join('\n')
    .slice(0, TEXT_MAX)
}
