import { z } from 'zod'
import type { Caller } from '@svc/contract'

/**
 * Wire form of a request between services: one line of JSON about the call, a line feed, then the JSON of the input.
 * Replies have the same form with `ReplyHead` and the body. The bytes of the body can be forwarded unparsed.
 */
export interface CallHead {
  /** Request id, for logs and answers. */
  readonly id: string
  /** Absolute deadline by the clock of this process, milliseconds since the epoch. */
  readonly by: number
  /** Account of the end user; accepted from the gateway only. */
  readonly caller?: Caller
  /** Idempotency-Key. */
  readonly key?: string
  /** Client address of a call without a caller, as the rate limits count it; accepted from the gateway only. */
  readonly client?: string
  /** W3C traceparent, present only when the trace is sampled. */
  readonly trace?: string
}

/**
 * Head of a request as it travels: with the milliseconds that its caller still waits in place of a moment, because the clocks of
 * two hosts differ. The way of the message is not counted.
 */
export type WireHead = Omit<CallHead, 'by'> & { readonly ms: number }

/** Returns the head of a call as it travels. */
export function toWire({ by, ...head }: CallHead): WireHead {
  return { ...head, ms: by - Date.now() }
}

/** Returns the head of a call that has just arrived. */
export function fromWire({ ms, ...head }: WireHead): CallHead {
  return { ...head, by: Date.now() + ms }
}

export interface ReplyHead {
  readonly s: number
  /** The answer was stored earlier under the same Idempotency-Key and is replayed. */
  readonly replayed?: true
  /** The answer is that of a dry run: nothing was written. */
  readonly dry?: true
  /** Seconds for `Retry-After`. */
  readonly retry?: number
}

const LINE_FEED = 10

/** Encodes a frame from a head and the JSON text of its body. */
export function encodeFrame(head: WireHead | ReplyHead, body: string): Uint8Array {
  return Buffer.from(`${JSON.stringify(head)}\n${body}`)
}

/** Splits a frame into the parsed head and the bytes of the body. Throws for a frame without a head. */
export function decodeFrame<H>(data: Uint8Array): { readonly head: H; readonly body: Buffer } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const end = bytes.indexOf(LINE_FEED)
  if (end < 0) throw new Error('frame has no head')
  return { head: JSON.parse(bytes.toString('utf8', 0, end)) as H, body: bytes.subarray(end + 1) }
}

/** Body of a reply with status 400 or above; the edge prints it as problem details. */
export const refusalBody = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })).optional(),
})
export type RefusalBody = z.output<typeof refusalBody>
