import { setTimeout as delay } from 'node:timers/promises'
import type { AnyHandler, Call } from './handler.ts'
import { RefusalError, type Contract, type Operation } from '@svc/contract'
import { common } from '@svc/contracts'
import { claim, ClaimLost, fingerprint, isSchemaBehind, release, type ClaimKey, type Pool } from '@svc/postgres'
import { inboxOf, type Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { asksDryRun, checked, effectOf, rollingBack, type Claimed } from './effect.ts'
import { isOutage } from './errors.ts'
import { fieldErrors } from './field-errors.ts'
import { decodeFrame, encodeFrame, fromWire, type CallHead, type ReplyHead, type WireHead } from './frame.ts'
import type { Log } from './log.ts'
import { watchClaims, type Claims } from './metrics.ts'
import { contextOf, countAlarm, countRequest, inSpan, SpanKind } from './telemetry.ts'

export interface ServeOptions {
  readonly bus: Bus
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly pool: Pool | null
  readonly log: Log
  readonly clock: Clock
  /** Seconds after which an unfinished call may be taken over. */
  readonly takeoverSec: number
  /** Called with the operation after each committed effect, so that its events and jobs run at once. */
  readonly wake: (operation: string) => void
}

interface Serving extends ServeOptions {
  /** The running calls that hold an idempotency key. */
  readonly claims: Claims
}

interface Reply {
  readonly head: ReplyHead
  readonly body: unknown
}

/** Returns the seconds until the end that a refusal names; undefined if it names none. */
const waitOf = ({ members }: RefusalError, now: Date): number | undefined => {
  const { retry_at } = members
  if (typeof retry_at !== 'string') return undefined
  return Math.max(1, Math.ceil((Date.parse(retry_at) - now.getTime()) / 1000))
}

const refusalReply = (error: RefusalError, retry?: number): Reply => ({
  head: { s: error.refusal.status, ...(retry === undefined ? {} : { retry }) },
  body: {
    code: error.refusal.code,
    detail: error.message,
    ...(error.errors.length === 0 ? {} : { errors: error.errors }),
    ...error.members,
  },
})

const plainReply = (
  refusal: { readonly code: string; readonly status: number; readonly meaning: string },
  retry?: number,
): Reply => ({
  head: { s: refusal.status, ...(retry === undefined ? {} : { retry }) },
  body: { code: refusal.code, detail: refusal.meaning },
})

/** Converts an exception of a handler into a reply: refusal, outage or bug. This is the only place that does so. */
function replyOf(error: unknown, log: Log, operation: string, requestId: string, now: Date): Reply {
  if (error instanceof RefusalError) return refusalReply(error, waitOf(error, now))
  if (error instanceof ClaimLost) return plainReply(common.idempotencyInFlight, 1)
  if (isOutage(error)) {
    log.warn({ err: error, operation, request_id: requestId }, 'dependency down or late')
    return plainReply(common.temporarilyUnavailable, 1)
  }
  if (isSchemaBehind(error)) {
    countAlarm('schema_behind', operation)
    const facts = { alarm: 'schema_behind', err: error, operation, request_id: requestId }
    log.error(facts, 'the schema lacks what this release needs: run its migrations')
    return plainReply(common.temporarilyUnavailable, 1)
  }
  log.error({ err: error, operation, request_id: requestId }, 'unexpected failure')
  return plainReply(common.internal)
}

type Facts = Pick<Call, 'requestId' | 'deadline' | 'caller' | 'client' | 'from' | 'now' | 'idempotencyKey' | 'isDryRun'>

/**
 * The call that a handler receives. It is a class because a literal with a getter would create a hidden class per call
 * in V8's old generation, which would retain everything that the call refers to until the next full collection.
 */
class ServedCall implements Call {
  readonly requestId: string
  readonly deadline: number
  readonly caller: Call['caller']
  readonly client: string | null
  readonly from: string
  readonly now: Date
  readonly idempotencyKey: string | null
  readonly isDryRun: boolean
  readonly effect: Call['effect']
  readonly #serviceLog: Log
  #log: Log | undefined
  #replayed = false

  constructor(facts: Facts, serviceLog: Log, effect: Call['effect']) {
    const { requestId, deadline, caller, client, from, now, idempotencyKey, isDryRun } = facts
    this.requestId = requestId
    this.deadline = deadline
    this.caller = caller
    this.client = client
    this.from = from
    this.now = now
    this.idempotencyKey = idempotencyKey
    this.isDryRun = isDryRun
    this.effect = effect
    this.#serviceLog = serviceLog
  }

  get replayed(): boolean {
    return this.#replayed
  }

  markReplayed(): void {
    this.#replayed = true
  }

  /** Creates the logger at the first use: most calls log nothing, and a child logger costs more than the call. */
  get log(): Log {
    return (this.#log ??= this.#serviceLog.child({ request_id: this.requestId }))
  }
}

/** Returns true if a service may call an operation. */
function mayCall(operation: Operation, from: string): boolean {
  return operation.auth === 'service' ? operation.callers?.includes(from) === true : from === 'gateway'
}

/** A request as the bus delivers it. */
interface Request {
  readonly operation: Operation
  readonly head: CallHead
  /** Calling service, proven by the subject. */
  readonly from: string
  readonly body: Buffer
}

/** Answers every operation of a contract. `drain` stops without losing a request. */
export function serve(options: ServeOptions): { drain(): Promise<void> } {
  const { bus, contract, handlers, log, clock } = options
  for (const key of Object.keys(contract.operations)) {
    if (handlers[key] === undefined) throw new Error(`${contract.name}.${key} has no handler`)
  }
  const serving: Serving = { ...options, claims: watchClaims(contract.name) }
  const responder = bus.respond(`rpc.${contract.name}.>`, contract.name, async (message) => {
    const started = performance.now()
    const [, , from = '', key = ''] = message.subject.split('.')
    // Between accounts the server names the subject of the reply. In one account the sender does, and might name one where it may
    // not publish.
    if (!['_R_', inboxOf(from)].some((own) => message.reply?.startsWith(`${own}.`)))
      throw new Error('the reply subject of a request does not belong to its sender')
    const operation = Object.hasOwn(contract.operations, key) ? contract.operations[key] : undefined
    let requestId = ''
    const failed = (error: unknown) => replyOf(error, log, key, requestId, clock.now())
    let reply: Reply
    try {
      const { head: sent, body } = decodeFrame<WireHead>(message.data)
      const head = fromWire(sent)
      requestId = head.id
      reply =
        operation === undefined || !mayCall(operation, from)
          ? plainReply(common.forbidden)
          : await traced({ operation, head, from, body }, serving)
    } catch (error) {
      reply = failed(error)
    }
    let answer = encodeFrame(reply.head, JSON.stringify(reply.body))
    // The client library throws for an answer above the server's limit, and the caller would get no reply.
    if (answer.byteLength > (bus.connection.info?.max_payload ?? Infinity)) {
      reply = failed(new Error(`an answer of ${answer.byteLength} bytes is larger than a NATS message may be`))
      answer = encodeFrame(reply.head, JSON.stringify(reply.body))
    }
    countRequest(operation === undefined ? 'unknown' : key, from, reply.head.s, (performance.now() - started) / 1000)
    return answer
  })
  return {
    drain: async () => {
      await responder.drain()
      while (responder.inFlight() > 0) await delay(DRAIN_LOOK_MS)
    },
  }
}

const DRAIN_LOOK_MS = 5

/** Runs a request in a span if its caller is traced. */
function traced(request: Request, options: Serving): Promise<Reply> {
  const { operation, head, from } = request
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.type': 'process',
    'messaging.destination.template': `rpc.${operation.service}.<caller>.${operation.key}`,
    'rpc.service': operation.service,
    'rpc.method': operation.key,
    'hub.caller': from,
  }
  const name = `process ${operation.service}.${operation.key}`
  return inSpan(name, SpanKind.SERVER, contextOf(head.trace), attributes, () => run(request, options))
}

/** Checks the deadline, parses the input, claims the idempotency key and calls the handler. */
async function run({ operation, head, from, body }: Request, options: Serving): Promise<Reply> {
  if (head.by <= Date.now()) return plainReply(common.temporarilyUnavailable, 1)
  const parsed = operation.input.safeParse(JSON.parse(body.toString('utf8')))
  if (!parsed.success)
    return refusalReply(new RefusalError(common.invalidRequest, undefined, {}, fieldErrors(parsed.error, 'body')))
  const input: unknown = parsed.data
  const isFromEdge = from === 'gateway'
  const caller = isFromEdge ? (head.caller ?? null) : null

  const isDryRun = asksDryRun(operation, input)
  const usedKey = isDryRun ? undefined : head.key
  const claiming = await claimKey(operation, usedKey, caller?.account_id ?? 0, input, options)
  if ('reply' in claiming) return claiming.reply
  const { claimed } = claiming
  const { pool, log, clock, handlers } = options
  const client = isFromEdge ? (head.client ?? null) : null
  const idempotencyKey = operation.keepsKey === true ? (usedKey ?? null) : null
  const facts = {
    requestId: head.id,
    deadline: head.by,
    caller,
    client,
    from,
    now: clock.now(),
    idempotencyKey,
    isDryRun,
  }
  const effect = isDryRun ? rollingBack(options) : effectOf(operation, claimed, options)
  const call = new ServedCall(facts, log, effect)
  if (claimed !== null) options.claims.add(call)
  try {
    const answer = await (handlers[operation.key] as AnyHandler)(input as never, call)
    return {
      head: {
        s: answer.status,
        ...(call.replayed ? { replayed: true as const } : {}),
        ...(isDryRun ? { dry: true as const } : {}),
      },
      body: checked(operation, answer).body,
    }
  } catch (error) {
    if (claimed !== null && pool !== null) await release(pool, claimed.key, claimed.attempt).catch(() => {})
    throw error
  } finally {
    options.claims.delete(call)
  }
}

/** Claims the idempotency key of a call; returns the reply if the key already has one or may not be used. */
async function claimKey(
  operation: Operation,
  key: string | undefined,
  accountId: number,
  input: unknown,
  { pool, takeoverSec }: ServeOptions,
): Promise<{ readonly claimed: Claimed | null } | { readonly reply: Reply }> {
  if (operation.idempotent !== true || operation.keepsKey === true || key === undefined || pool === null)
    return { claimed: null }
  const claimed: ClaimKey = { accountId, operation: operation.key, key }
  const outcome = await claim(pool, claimed, fingerprint(input), takeoverSec)
  if (outcome.state === 'mismatch') return { reply: plainReply(common.idempotencyMismatch) }
  if (outcome.state === 'in_flight') return { reply: plainReply(common.idempotencyInFlight, outcome.retryAfterSec) }
  if (outcome.state !== 'done') return { claimed: { key: claimed, attempt: outcome.attempt } }
  if (operation.secret === true) return { reply: plainReply(common.secretAlreadyShown) }
  return { reply: { head: { s: outcome.status, replayed: true }, body: outcome.body } }
}
