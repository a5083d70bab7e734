import type { AnyHandler, Answer, Call } from './handler.ts'
import { RefusalError, type Contract, type Operation } from '@svc/contract'
import { common } from '@svc/contracts'
import { claim, ClaimLost, fingerprint, finish, release, type ClaimKey, type Pool, type Tx } from '@svc/postgres'
import { inboxOf, type Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { isOutage } from './errors.ts'
import { fieldErrors } from './field-errors.ts'
import { decodeFrame, encodeFrame, type CallHead, type ReplyHead } from './frame.ts'
import type { Log } from './log.ts'
import { contextOf, countRequest, inSpan, SpanKind } from './telemetry.ts'

export interface ServeOptions {
  readonly bus: Bus
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly pool: Pool | null
  readonly log: Log
  readonly clock: Clock
  /** Seconds after which a call that never finished may be taken over. */
  readonly takeoverSec: number
  /** Called with its operation after each committed effect, so that its events leave and its work is done at once. */
  readonly wake: (operation: string) => void
}

interface Reply {
  readonly head: ReplyHead
  readonly body: unknown
}

/** Seconds until the instant that a refusal names as its end; undefined where it names none. */
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

/** The one place where what a handler throws becomes a status: refusal, outage or bug. */
function replyOf(error: unknown, log: Log, operation: string, requestId: string, now: Date): Reply {
  if (error instanceof RefusalError) return refusalReply(error, waitOf(error, now))
  if (error instanceof ClaimLost) return plainReply(common.idempotencyInFlight, 1)
  if (isOutage(error)) {
    log.warn({ err: error, operation, request_id: requestId }, 'dependency down or late')
    return plainReply(common.temporarilyUnavailable, 1)
  }
  log.error({ err: error, operation, request_id: requestId }, 'unexpected failure')
  return plainReply(common.internal)
}

type Facts = Pick<Call, 'requestId' | 'deadline' | 'caller' | 'client' | 'from' | 'now'>

/**
 * A call as its handler sees it. A class and no literal with a getter: that would give each call a hidden class of its
 * own in V8's old generation, which keeps all that the call refers to until the next full collection.
 */
class ServedCall implements Call {
  readonly requestId: string
  readonly deadline: number
  readonly caller: Call['caller']
  readonly client: string | null
  readonly from: string
  readonly now: Date
  readonly effect: Call['effect']
  readonly #serviceLog: Log
  #log: Log | undefined

  constructor({ requestId, deadline, caller, client, from, now }: Facts, serviceLog: Log, effect: Call['effect']) {
    this.requestId = requestId
    this.deadline = deadline
    this.caller = caller
    this.client = client
    this.from = from
    this.now = now
    this.effect = effect
    this.#serviceLog = serviceLog
  }

  /** Made when it is first asked for: most calls log nothing, and a child logger costs more than they do. */
  get log(): Log {
    return (this.#log ??= this.#serviceLog.child({ request_id: this.requestId }))
  }
}

/** Whether the service at the other end of a subject may ask this operation. */
function mayCall(operation: Operation, from: string): boolean {
  return operation.auth === 'service' ? operation.callers?.includes(from) === true : from === 'gateway'
}

/** Answers every operation of a contract; returns how to stop without losing a request. */
export function serve(options: ServeOptions): { drain(): Promise<void> } {
  const { bus, contract, handlers, log, clock } = options
  for (const key of Object.keys(contract.operations)) {
    if (handlers[key] === undefined) throw new Error(`${contract.name}.${key} has no handler`)
  }

  /** An answer outside the declaration is a bug, and must show before anything is committed. */
  const checked = <A extends Answer>(operation: Operation, answer: A): A => {
    const schema = operation.success[answer.status]
    if (schema === undefined) throw new Error(`${operation.key} answered undeclared status ${answer.status}`)
    return { ...answer, body: schema.parse(answer.body) }
  }

  const effectOf =
    (operation: Operation, claimed: { key: ClaimKey; attempt: number } | null) =>
    async <A extends Answer>(work: (tx: Tx) => Promise<A>): Promise<A> => {
      if (options.pool === null) throw new Error(`${contract.name} has no Postgres schema`)
      const answer = await options.pool.transaction(async (tx) => {
        const result = await work(tx)
        if (claimed !== null) {
          const answer = checked(operation, result)
          await finish(
            tx,
            claimed.key,
            claimed.attempt,
            operation.secret === true ? { status: answer.status, body: null } : answer,
          )
        }
        return result
      })
      options.wake(operation.key)
      return answer
    }

  const run = async (operation: Operation, head: CallHead, from: string, body: Buffer): Promise<Reply> => {
    if (head.by <= Date.now()) return plainReply(common.temporarilyUnavailable, 1)
    const parsed = operation.input.safeParse(JSON.parse(body.toString('utf8')))
    if (!parsed.success)
      return refusalReply(new RefusalError(common.invalidRequest, undefined, {}, fieldErrors(parsed.error, 'body')))
    const input: unknown = parsed.data
    const caller = from === 'gateway' ? (head.caller ?? null) : null

    let claimed: { key: ClaimKey; attempt: number } | null = null
    if (operation.idempotent === true && head.key !== undefined && options.pool !== null) {
      const key: ClaimKey = { accountId: caller?.account_id ?? 0, operation: operation.key, key: head.key }
      const outcome = await claim(options.pool, key, fingerprint(input), options.takeoverSec)
      if (outcome.state === 'mismatch') return plainReply(common.idempotencyMismatch)
      if (outcome.state === 'in_flight') return plainReply(common.idempotencyInFlight, outcome.retryAfterSec)
      if (outcome.state === 'done') {
        return operation.secret === true
          ? plainReply(common.secretAlreadyShown)
          : { head: { s: outcome.status, replayed: true }, body: outcome.body }
      }
      claimed = { key, attempt: outcome.attempt }
    }
    const call = new ServedCall(
      {
        requestId: head.id,
        deadline: head.by,
        caller,
        client: from === 'gateway' ? (head.client ?? null) : null,
        from,
        now: clock.now(),
      },
      log,
      effectOf(operation, claimed),
    )
    try {
      const answer = await (handlers[operation.key] as AnyHandler)(input as never, call)
      return { head: { s: answer.status }, body: checked(operation, answer).body }
    } catch (error) {
      if (claimed !== null && options.pool !== null)
        await release(options.pool, claimed.key, claimed.attempt).catch(() => {})
      throw error
    }
  }

  const responder = bus.respond(`rpc.${contract.name}.>`, contract.name, async (message) => {
    const started = performance.now()
    const [, , from = '', key = ''] = message.subject.split('.')
    // A reply may go to whatever subject a request names, also where its sender may not publish: events, other services.
    if (message.reply?.startsWith(`${inboxOf(from)}.`) !== true)
      throw new Error('a request wants no reply to its sender')
    const operation = Object.hasOwn(contract.operations, key) ? contract.operations[key] : undefined
    let reply: Reply
    let head: CallHead | undefined
    const failed = (error: unknown) => replyOf(error, log, key, head?.id ?? '', clock.now())
    try {
      const frame = decodeFrame<CallHead>(message.data)
      head = frame.head
      if (operation === undefined || !mayCall(operation, from)) reply = plainReply(common.forbidden)
      else {
        const known = operation
        const attributes = {
          'messaging.system': 'nats',
          'messaging.operation.type': 'process',
          'messaging.destination.template': `rpc.${known.service}.<caller>.${known.key}`,
          'rpc.service': known.service,
          'rpc.method': known.key,
          'hub.caller': from,
        }
        reply = await inSpan(
          `process ${known.service}.${known.key}`,
          SpanKind.SERVER,
          contextOf(frame.head.trace),
          attributes,
          () => run(known, frame.head, from, frame.body),
        )
      }
    } catch (error) {
      reply = failed(error)
    }
    let answer = encodeFrame(reply.head, JSON.stringify(reply.body))
    // The client library throws for what the server would not take, and nobody would be answered.
    if (answer.byteLength > (bus.connection.info?.max_payload ?? Infinity)) {
      reply = failed(new Error(`an answer of ${answer.byteLength} bytes is larger than NATS carries`))
      answer = encodeFrame(reply.head, JSON.stringify(reply.body))
    }
    countRequest(operation === undefined ? 'unknown' : key, from, reply.head.s, (performance.now() - started) / 1000)
    return answer
  })

  return {
    drain: async () => {
      await responder.drain()
      while (responder.inFlight() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}
