import type { FastifyReply, FastifyRequest } from 'fastify'

/** Headers of every answer, as names and values in turn. */
export const SECURITY_HEAD = [
  'x-content-type-options',
  'nosniff',
  'strict-transport-security',
  'max-age=31536000',
  'referrer-policy',
  'no-referrer',
  // Also for a request without an origin: a shared cache would give its answer to pages of all origins.
  'vary',
  'Origin',
] as const

/** Returns the headers of an answer that do not depend on its route: security, id and allowance. */
export function headOf({ id, state }: FastifyRequest): string[] {
  const verdict = state?.verdict ?? null
  if (verdict === null) return [...SECURITY_HEAD, 'x-request-id', id]
  const { policy, remaining, resetSec } = verdict
  return [
    ...SECURITY_HEAD,
    'x-request-id',
    id,
    'ratelimit-policy',
    policy.text,
    'ratelimit',
    `"${policy.name}";r=${remaining};t=${resetSec}`,
  ]
}

/** Adds these headers to an answer that Fastify writes. A more exact `Vary` of the answer stays. */
export function addHead(request: FastifyRequest, reply: FastifyReply): void {
  const head = headOf(request)
  for (let at = 0; at < head.length; at += 2) {
    const name = head[at] as string
    if (!reply.hasHeader(name)) void reply.header(name, head[at + 1])
  }
}
