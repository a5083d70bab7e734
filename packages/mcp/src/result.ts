import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from './call.ts'
import type { Quote } from './quote.ts'

/** Returns how the refusal of a problem is fixed, in words that name tools; null for an unknown one. */
export type FixOf = (problem: Readonly<Record<string, unknown>>) => string | null

/** Where a problem stands in a result. A client that was told the schema of answers may refuse any other structure. */
export type ProblemPlace = 'structuredContent' | '_meta'

/** Members of `_meta` that are ours. */
const PROBLEM = 'svc/problem'

/**
 * Returns the result of a tool for the answer of its route, with texts of strangers quoted. A business failure is a result
 * with the problem of the route and its fix, as structure and as text.
 */
export function resultOf(answer: Answer, quote: Quote, fixOf: FixOf, place: ProblemPlace): CallToolResult {
  const { status, body: given, type } = answer
  const body = given === null ? null : { ...quote(status, given), ...answer.added }
  const meta = metaOf(answer)
  if (body === null)
    return { content: [text(`The answer is no JSON but ${type}; read it over HTTP.`)], isError: true, _meta: meta }
  if (status < 400) return { content: [text(JSON.stringify(body))], structuredContent: { ...body }, _meta: meta }
  const fix = fixOf(body)
  return failure(fix === null ? { ...body } : { ...body, fix }, place, meta)
}

/** Returns what a result says of its call beside the answer: what is left of its allowance, and whether it was a repeat. */
const metaOf = ({ allowance, replayed }: Answer): Record<string, unknown> => ({
  ...allowance,
  ...(replayed ? { replayed } : {}),
})

/** Returns the members of `_meta` that are not ours, which are the same in each result of a client. */
export const othersOfMeta = ({
  remaining: _left,
  resets_at: _until,
  replayed: _again,
  [PROBLEM]: _problem,
  ...others
}: Readonly<Record<string, unknown>>): Record<string, unknown> => others

function failure(problem: Record<string, unknown>, place: ProblemPlace, meta: Record<string, unknown>): CallToolResult {
  const content = [text(JSON.stringify(problem))]
  return place === '_meta'
    ? { _meta: { ...meta, [PROBLEM]: problem }, content, isError: true }
    : { _meta: meta, content, structuredContent: problem, isError: true }
}

/**
 * Returns the same result as the SDK prints it, without the braces around it. `added` are members of `_meta` that the SDK
 * adds. A success is printed once, although it stands there twice.
 */
export function printedResult(
  answer: Answer,
  quote: Quote,
  fixOf: FixOf,
  place: ProblemPlace,
  added: Readonly<Record<string, unknown>>,
): string {
  const { status, body } = answer
  if (body === null || status >= 400) {
    const { _meta: meta, ...result } = resultOf(answer, quote, fixOf, place)
    return `"_meta":${JSON.stringify({ ...meta, ...added })},${JSON.stringify(result).slice(1, -1)}`
  }
  const printed = JSON.stringify({ ...quote(status, body), ...answer.added })
  const meta = JSON.stringify({ ...metaOf(answer), ...added })
  return `"_meta":${meta},"content":[{"type":"text","text":${JSON.stringify(printed)}}],"structuredContent":${printed}`
}

/** Returns a result that names a tool which is not to be had. */
export const notAvailable = (name: string, place: ProblemPlace): CallToolResult =>
  failure(
    {
      ok: false,
      code: 'not_available',
      title: 'not available',
      status: 404,
      detail: `The tool ${name.slice(0, 128)} is switched off here.`,
      tool: name.slice(0, 128),
    },
    place,
    {},
  )

const text = (of: string) => ({ type: 'text' as const, text: of })
