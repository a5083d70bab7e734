import { common } from '@svc/contracts'
import type { Caller } from '@svc/contract'
import { counterOf } from '@svc/service'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { allowances, DOCUMENTS_PER_MINUTE, type AccountLimits, type AllowanceOf } from './allowance.ts'
import { authorize, refusalOf } from './authorize.ts'
import { parseBody } from './body.ts'
import { channelOf, type Channel } from './channel.ts'
import { clientKey } from './client-address.ts'
import { credentialOf, credentialProblem } from './credential.ts'
import type { Credential, Directory } from './directory.ts'
import { policyOf, type Limiter, type Policy, type Verdict } from './limiter.ts'
import { isPage } from './page-host.ts'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

/** Limits per client address of what needs no credential. */
export interface OpenLimits {
  readonly perMinute: number
  readonly perDay: number
  /** Pages with their parts, per minute; counted separately. Default 600. */
  readonly pagesPerMinute?: number
}

export interface AdmissionOptions extends AccountLimits {
  readonly directory: Directory
  readonly limiter: Limiter
  /** Calls without a credential, per client address. */
  readonly openLimits: OpenLimits
  /** Called for every call with a valid agent key, rejected ones included; must return at once. */
  readonly onAgentSeen?: (accountId: number, channel: Channel) => void
}

/** What an account has used of the requests of the UTC day. */
export interface DailyUse {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resets_at: string
}

/** Decides which requests are admitted: authenticate → authorize → count, before a body is read. */
export interface Admission {
  /**
   * Stores the caller in the state of a request, or throws the refusal. Synchronous if all facts are cached: a promise
   * would cost every request a turn of the queue.
   */
  admit(route: Route, request: FastifyRequest): void | Promise<void>
  /** Counts a request whose bucket depends on its body (`exitWhen`), after the body was read. */
  countByBody(route: Route, request: FastifyRequest): Promise<void>
  /** Throws when the credential of a running request no longer admits it; counts nothing. */
  recheck(route: Route, request: FastifyRequest): Promise<void>
  /**
   * Returns the refusal of each route for the account of a request, read afresh; null for a route that would admit it. Counts
   * nothing.
   */
  refusalsOf(request: FastifyRequest, routes: readonly Route[]): Promise<(EdgeRefusal | null)[]>
  /** Returns what the caller of an admitted request has used of the requests of the day; null without a caller, and while it is unknown. */
  dailyUseOf(request: FastifyRequest): Promise<DailyUse | null>
  /** Throws for a request whose credential is not valid; one without a credential passes. Counts only the invalid ones. */
  checkCredential(request: FastifyRequest): Promise<void>
  /** Counts a request without a caller against its client address. Synchronous if the counters are in memory. */
  countOpen(request: FastifyRequest): void | Promise<void>
  /** Counts a read of a document, separately from calls. Synchronous if the counter is in memory. */
  countDocument(request: FastifyRequest): void | Promise<void>
}

const DAY_SEC = 86_400

const countLimited = counterOf(
  'hub_rate_limited_total',
  'Requests refused for their allowance, by its name and the tier of the caller; open without a caller',
  [{ policy: 'open_minute', tier: 'open' }],
)

/** Returns what helps beside waiting; null if nothing does. */
function fixOfAllowance(name: string, { headers, state }: FastifyRequest): string | null {
  const caller = state?.caller ?? null
  if (caller === null)
    // Documents and pages count the same with a key, and a credential that was sent opens nothing.
    return name.startsWith('open_') && headers['x-svc-user-key'] === undefined && headers.authorization === undefined
      ? 'Wait until retry_at, or call with a key or a session: an account has an allowance of its own.'
      : null
  return name === 'daily' && caller.tier < TIER_MAX
    ? 'Wait until retry_at, or buy a higher tier with POST /subscriptions/cherries/subscribe: it has more requests a day.'
    : null
}
const TIER_MAX = 2

/** Keeps the allowance for the headers of the answer; throws the refusal if it is used up. */
function enforce(request: FastifyRequest, verdict: Verdict): void {
  const { state } = request
  if (state !== null) state.verdict = verdict
  if (verdict.allowed) return
  const { name, limit, windowSec } = verdict.policy
  countLimited({ policy: name, tier: String(state?.caller?.tier ?? 'open') })
  const fix = fixOfAllowance(name, request)
  throw new EdgeRefusal(common.rateLimited, {
    detail: `The allowance of ${limit} calls in ${windowSec} seconds is used up.`,
    members: {
      ...(fix === null ? {} : { fix }),
      'violated-policies': [name],
      retry_at: new Date(Date.now() + verdict.resetSec * 1000).toISOString(),
    },
    headers: { 'retry-after': String(verdict.resetSec) },
  })
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { directory, limiter, onAgentSeen } = options
  const open = openCounts(options)
  const allowanceOf = allowances(options)
  const enterOpen = (
    route: Route,
    request: FastifyRequest,
    credential: Credential | null | undefined,
  ): void | Promise<void> => {
    const enter = () => {
      // An invalid credential is an error on open routes too, because its sender believes that it is valid.
      if (credential !== undefined) throw badCredential(request)
      authorize(route, null)
    }
    const counted = open.count(request)
    if (counted instanceof Promise) return counted.then(enter)
    enter()
  }
  const enterAs = (caller: Caller, route: Route, request: FastifyRequest): void | Promise<void> => {
    if (request.state !== null) request.state.caller = caller
    if (caller.kind === 'agent') onAgentSeen?.(caller.account_id, channelOf())
    authorize(route, caller)
    const allowance = allowanceOf(route.operation.limit ?? 'daily', caller)
    if (allowance === null) return
    if (route.operation.exitWhen !== undefined) return refuseUnread(allowance, caller, request)
    const taken = limiter.take(allowance)
    if (taken instanceof Promise) return taken.then((verdict) => enforce(request, verdict))
    enforce(request, taken)
  }
  /** Refuses a request, before its body is read, if neither bucket that may count it has room. */
  const refuseUnread = (allowance: Policy, caller: Caller, request: FastifyRequest): void => {
    const exits = allowanceOf('hub_exit', caller)
    const spent = limiter.spent(allowance)
    if (spent !== null && (exits === null || limiter.spent(exits) !== null)) enforce(request, spent)
  }
  return {
    countByBody: async ({ operation }, request) => {
      const caller = request.state?.caller ?? null
      if (caller === null || operation.exitWhen === undefined) return
      const isExit = isTrueIn(request, operation.exitWhen)
      const allowance = allowanceOf(isExit ? 'hub_exit' : (operation.limit ?? 'daily'), caller)
      if (allowance !== null) enforce(request, await limiter.take(allowance))
    },
    checkCredential: async (request) => {
      const credential = credentialOf(request.headers, directory.isKey)
      if (credential === undefined) return
      if (credential !== null && !directory.known(credential)) open.refuseSpentMinute(request)
      const caller = credential === null ? null : await directory.resolve(credential)
      if (caller !== null) return
      await open.count(request)
      throw badCredential(request)
    },
    countOpen: open.count,
    countDocument: open.countDocument,
    recheck: async (route, request) => {
      const credential = credentialOf(request.headers)
      authorize(route, credential === null || credential === undefined ? null : await directory.resolve(credential))
    },
    refusalsOf: refusalsFor(directory),
    dailyUseOf: dailyUse(limiter, allowanceOf),
    admit: (route, request) => {
      const credential = credentialOf(request.headers, directory.isKey)
      if (credential === null || credential === undefined) return enterOpen(route, request, credential)
      const enter = (caller: Caller | null) =>
        caller === null ? enterOpen(route, request, credential) : enterAs(caller, route, request)
      const cached = directory.cached(credential)
      if (cached !== undefined) {
        if (cached === null || refusalOf(route, cached) === null) return enter(cached)
        // A scope, a role or a tier may be newer than what is cached.
        return Promise.resolve(directory.refresh(credential))
          .catch(() => cached)
          .then(enter)
      }
      // Each guessed credential costs a request to identity, until its address has no calls left this minute.
      if (!directory.known(credential)) open.refuseSpentMinute(request)
      const found = directory.resolve(credential)
      return found instanceof Promise ? found.then(enter) : enter(found)
    },
  }
}

const dailyUse =
  (limiter: Limiter, allowanceOf: AllowanceOf): Admission['dailyUseOf'] =>
  async ({ state }) => {
    const policy = state?.caller == null ? null : allowanceOf('daily', state.caller)
    if (policy === null) return null
    const read = await limiter.read(policy)
    if (read === null) return null
    const { used, resetsAt } = read
    const { limit } = policy
    return { limit, used, remaining: Math.max(0, limit - used), resets_at: resetsAt.toISOString() }
  }

const refusalsFor =
  (directory: Directory): Admission['refusalsOf'] =>
  async ({ headers }, routes) => {
    const credential = credentialOf(headers, directory.isKey)
    if (credential === null || credential === undefined) return routes.map((route) => refusalOf(route, null))
    // What was known a moment ago is better than an outage.
    const known = directory.cached(credential) ?? null
    const caller = await Promise.resolve(directory.refresh(credential)).catch(() => known)
    return routes.map((route) => refusalOf(route, caller))
  }

/** Returns true if a member of the body is true. A body that cannot be read is refused after it was counted. */
function isTrueIn({ body }: FastifyRequest, member: string): boolean {
  if (!(body instanceof Buffer)) return false
  try {
    return parseBody(body)[member] === true
  } catch (error) {
    if (error instanceof EdgeRefusal) return false
    throw error
  }
}

function badCredential({ headers }: FastifyRequest): EdgeRefusal {
  const { detail, fix } = credentialProblem(headers)
  return new EdgeRefusal(common.unauthenticated, { detail, members: { fix } })
}

/** Maximum number of client addresses whose policies are kept. */
const ADDRESSES_MAX = 10_000

/** What a client address may do without a credential. */
interface AddressPolicies {
  readonly perDay: Policy
  readonly perMinute: Policy
  /** Readers of pages and programs that read documents, perhaps behind one address, do not use up each other's reads. */
  readonly documents: Policy
  readonly pages: Policy
}

/** Counts calls without a credential, and reads of documents, against their client address. */
function openCounts({ limiter, openLimits }: Pick<AdmissionOptions, 'limiter' | 'openLimits'>) {
  const known = new LRUCache<string, AddressPolicies>({ max: ADDRESSES_MAX })
  const policiesOf = ({ ip }: FastifyRequest): AddressPolicies => {
    const policies = known.get(ip)
    if (policies !== undefined) return policies
    const key = clientKey(ip)
    const { perDay, perMinute, pagesPerMinute = DOCUMENTS_PER_MINUTE } = openLimits
    const ofMinute = (name: string, limit: number) => policyOf({ name, key, limit, windowSec: 60, durable: false })
    const made = {
      perDay: policyOf({ name: 'open_day', key, limit: perDay, windowSec: DAY_SEC, durable: false }),
      perMinute: ofMinute('open_minute', perMinute),
      documents: ofMinute('documents', DOCUMENTS_PER_MINUTE),
      pages: ofMinute('pages', pagesPerMinute),
    }
    known.set(ip, made)
    return made
  }
  const refuseSpent = (request: FastifyRequest, policy: Policy) => {
    const spent = limiter.spent(policy)
    if (spent !== null) enforce(request, spent)
  }
  return {
    countDocument: (request: FastifyRequest): void | Promise<void> => {
      const { documents, pages } = policiesOf(request)
      const taken = limiter.take(isPage(request.url) ? pages : documents)
      if (taken instanceof Promise) return taken.then((verdict) => enforce(request, verdict))
      enforce(request, taken)
    },
    refuseSpentMinute: (request: FastifyRequest) => refuseSpent(request, policiesOf(request).perMinute),
    count: (request: FastifyRequest): void | Promise<void> => {
      const { perDay, perMinute } = policiesOf(request)
      // A foreseeable refusal uses none of the daily calls and no counter.
      if (limiter.spent(perMinute) !== null) for (const policy of [perDay, perMinute]) refuseSpent(request, policy)
      // Both are counted, so that an address without calls for the day soon has none for the minute either, which is
      // the limit for unknown credentials.
      const [day, minute] = [limiter.take(perDay), limiter.take(perMinute)]
      const settle = (ofDay: Verdict, ofMinute: Verdict) => enforce(request, ofDay.allowed ? ofMinute : ofDay)
      if (day instanceof Promise || minute instanceof Promise)
        return Promise.all([day, minute]).then(([ofDay, ofMinute]) => settle(ofDay, ofMinute))
      settle(day, minute)
    },
  }
}
