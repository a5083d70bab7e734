import {
  subjectOf,
  type BodyOf,
  type Caller,
  type Contract,
  type ContractParts,
  type Operation,
  type RequestOf,
} from '@svc/contract'
import { context as otelContext, trace } from '@opentelemetry/api'
import { randomUUID } from 'node:crypto'
import type { Bus } from './bus.ts'
import { Outage } from './errors.ts'
import {
  decodeFrame,
  encodeFrame,
  refusalBody,
  toWire,
  type CallHead,
  type RefusalBody,
  type ReplyHead,
} from './frame.ts'
import { traceOf } from './telemetry.ts'

/** A declared refusal answered by another service. */
export class RemoteRefusal extends Error {
  override readonly name = 'RemoteRefusal'
  readonly status: number
  readonly body: RefusalBody
  constructor(status: number, body: RefusalBody) {
    super(`${body.code}: ${body.detail}`)
    this.status = status
    this.body = body
  }
}

/** Raw answer of a call: the status and the unparsed JSON bytes of the body. */
export interface RawReply {
  readonly head: ReplyHead
  readonly body: Buffer
}

/** Returns the head for the called service, without the ids of session and key unless the operation needs them. */
function headFor(operation: Operation, head: CallHead): CallHead {
  const { caller } = head
  if (caller === undefined || operation.knowsCredential === true) return head
  if (caller.key_id === null && caller.session_id === null) return head
  return { ...head, caller: { ...caller, key_id: null, session_id: null } }
}

/** Sends a call and returns the unparsed reply. */
export async function callRaw(
  bus: Bus,
  from: string,
  operation: Operation,
  inputJson: string,
  head: CallHead,
): Promise<RawReply> {
  const data = await bus.request(
    subjectOf(operation, from),
    encodeFrame(toWire(headFor(operation, head)), inputJson),
    head.by,
  )
  return decodeFrame<ReplyHead>(data)
}

type Client<P extends ContractParts> = {
  readonly [K in keyof P['operations']]: (
    input: RequestOf<P['operations'][K]>,
    options?: CallOptions,
  ) => Promise<BodyOf<P['operations'][K]>>
}

export interface CallOptions {
  readonly requestId?: string
  /** Absolute, milliseconds since the epoch. */
  readonly deadline?: number
  readonly caller?: Caller
  readonly client?: string
  readonly idempotencyKey?: string
}

/**
 * Returns a typed client of a service. `usual` are the options of every call, before its own. Calls reject with `RemoteRefusal` for a declared refusal and with `Outage`
 * if no answer arrives in time.
 */
export function clientOf<P extends ContractParts>(
  bus: Bus,
  from: string,
  target: Contract<P>,
  usual: CallOptions = {},
): Client<P> {
  const call =
    (operation: Operation) =>
    async (input: unknown, given: CallOptions = {}) => {
      const options = { ...usual, ...given }
      const head: CallHead = {
        id: options.requestId ?? randomUUID(),
        by: options.deadline ?? Date.now() + (operation.timeoutMs ?? 10_000),
        ...(options.caller === undefined ? {} : { caller: options.caller }),
        ...(options.client === undefined ? {} : { client: options.client }),
        ...(options.idempotencyKey === undefined ? {} : { key: options.idempotencyKey }),
        ...traceOf(trace.getSpan(otelContext.active())),
      }
      const reply = await callRaw(bus, from, operation, JSON.stringify(input), head)
      const body: unknown = JSON.parse(reply.body.toString('utf8'))
      if (reply.head.s < 400) {
        const schema = operation.success[reply.head.s]
        if (schema === undefined)
          throw new Outage('answer', `${operation.service}.${operation.key} answered an undeclared status`)
        return schema.parse(body)
      }
      const refused = refusalBody.parse(body)
      if (reply.head.s >= 500) throw new Outage(refused.code, `${operation.service}.${operation.key}`)
      throw new RemoteRefusal(reply.head.s, refused)
    }
  return Object.fromEntries(
    Object.entries(target.operations).map(([key, operation]) => [key, call(operation)]),
  ) as Client<P>
}
