import { metrics } from '@opentelemetry/api'
import { common } from '@svc/contracts'
import type { Caller } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allowanceOf, DOCUMENTS_PER_MINUTE, type AccountLimits } from './allowance.ts'
import { authorize } from './authorize.ts'
import { clientKey } from './client-address.ts'
import { bringsTwo, credentialOf } from './credential.ts'
import type { Credential, Directory } from './directory.ts'
import type { Limiter, Policy, Verdict } from './limiter.ts'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

export interface AdmissionOptions extends AccountLimits {
  readonly directory: Directory
  readonly limiter: Limiter
  /** Calls without a credential, per client address. */
  readonly openLimits: { readonly perMinute: number; readonly perDay: number }
  /** Told of every call of an agent with a good key, also of one that is refused; must return at once. */
  readonly onAgentSeen?: (accountId: number, channel: 'http' | 'mcp') => void
}

/** Decides who gets in: authenticate → authorize → count, before a body is read. */
export interface Admission {
  /**
   * Notes the caller in the state of a request, or throws the refusal that keeps it out. At once where everything is
   * known: a promise for what is already there would cost a turn of the queue on every request.
   */
  admit(route: Route, request: FastifyRequest, reply: FastifyReply): void | Promise<void>
  /** Throws when the credential of a request that goes on does not let it in any more; counts nothing. */
  recheck(route: Route, request: FastifyRequest): Promise<void>
  /** Counts a request without a caller against its client address. */
  countOpen(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts the reading of a document, apart from every call. */
  countDocument(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const DAY_SEC = 86_400

const limited = metrics
  .getMeter('edge')
  .createCounter('hub_rate_limited_total', { description: 'Requests refused for their allowance' })

function hold(reply: FastifyReply, verdict: Verdict): void {
  const { name, limit, windowSec } = verdict.policy
  void reply.header('ratelimit-policy', `"${name}";q=${limit};w=${windowSec}`)
  void reply.header('ratelimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSec}`)
  if (verdict.allowed) return
  limited.add(1, { policy: name })
  throw new EdgeRefusal(common.rateLimited, {
    detail: `The allowance of ${limit} calls in ${windowSec} seconds is used up.`,
    members: {
      'violated-policies': [name],
      retry_at: new Date(Date.now() + verdict.resetSec * 1000).toISOString(),
    },
    headers: { 'retry-after': String(verdict.resetSec) },
  })
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { directory, limiter, openLimits, onAgentSeen } = options

  const openPolicies = (request: FastifyRequest): { perDay: Policy; perMinute: Policy } => {
    const key = clientKey(request.ip)
    return {
      perDay: { name: 'open_day', key, limit: openLimits.perDay, windowSec: DAY_SEC, durable: false },
      perMinute: { name: 'open_minute', key, limit: openLimits.perMinute, windowSec: 60, durable: false },
    }
  }
  const refuseSpent = (reply: FastifyReply, policy: Policy) => {
    const spent = limiter.spent(policy)
    if (spent !== null) hold(reply, spent)
  }
  const countOpen = async (request: FastifyRequest, reply: FastifyReply) => {
    const { perDay, perMinute } = openPolicies(request)
    // A refusal that is foreseeable takes nothing from the day and asks nobody.
    if (limiter.spent(perMinute) !== null) for (const policy of [perDay, perMinute]) refuseSpent(reply, policy)
    // Both are taken, so that who is out for the day soon is out for the minute too, which unknown credentials look at.
    const verdicts = await Promise.all([limiter.take(perDay), limiter.take(perMinute)])
    for (const verdict of verdicts) hold(reply, verdict)
  }

  const enterOpen = async (
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    credential: Credential | null | undefined,
  ): Promise<void> => {
    await countOpen(request, reply)
    // A bad credential is an error also where none is needed: its sender believes in something that is not so.
    if (credential !== undefined)
      throw new EdgeRefusal(common.unauthenticated, {
        detail: bringsTwo(request.headers)
          ? 'A key and a token came together: send the one of whom the call is to be.'
          : 'The credential is unknown, expired, revoked or malformed.',
      })
    authorize(route, null)
  }

  const enterAs = (
    caller: Caller,
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void | Promise<void> => {
    if (request.state !== null) request.state.caller = caller
    if (caller.kind === 'agent') onAgentSeen?.(caller.account_id, 'http')
    authorize(route, caller)
    const allowance = allowanceOf(route.operation.limit ?? 'daily', caller, options)
    if (allowance === null) return
    const taken = limiter.take(allowance)
    if (taken instanceof Promise) return taken.then((verdict) => hold(reply, verdict))
    hold(reply, taken)
  }

  const countDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = clientKey(request.ip)
    hold(
      reply,
      await limiter.take({ name: 'documents', key, limit: DOCUMENTS_PER_MINUTE, windowSec: 60, durable: false }),
    )
  }

  return {
    countOpen,
    countDocument,
    recheck: async (route, request) => {
      const credential = credentialOf(request.headers)
      authorize(route, credential === null || credential === undefined ? null : await directory.resolve(credential))
    },
    admit: (route, request, reply) => {
      const credential = credentialOf(request.headers)
      if (credential === null || credential === undefined) return enterOpen(route, request, reply, credential)
      const enter = (caller: Caller | null) =>
        caller === null ? enterOpen(route, request, reply, credential) : enterAs(caller, route, request, reply)
      // A stranger's guesses cost a question to identity each, until its address is out of its minute.
      if (!directory.known(credential)) refuseSpent(reply, openPolicies(request).perMinute)
      const found = directory.resolve(credential)
      return found instanceof Promise ? found.then(enter) : enter(found)
    },
  }
}
