import { Problem } from '../../lib/problem.ts'
import type { Answered, Placed, ToSign, TradeMode } from './answers.ts'
import { differencesOf, type Difference, type Wanted } from './order-action.ts'
import type { Packed } from './msgpack.ts'
import type { OrderKey, Signature } from './order-key.ts'

/** How an order ended for this page. */
export type Outcome =
  | { readonly kind: 'done'; readonly result: Placed }
  /** The mode is another one than stood on the screen; nothing was executed. */
  | { readonly kind: 'mode'; readonly mode: TradeMode }
  /** A key must sign, and this page has none that the wallet approved. */
  | { readonly kind: 'unsigned' }
  /** The action to sign is not the order on the screen; nothing was signed. */
  | { readonly kind: 'differs'; readonly differences: readonly Difference[] }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** The venue has not said yet what became of the order. */
  | { readonly kind: 'unresolved' }

/** What placing an order needs. Each call repeats the same request under the same key. */
export interface Means {
  readonly send: () => Promise<Answered>
  readonly record: (confirmId: string, signature: Signature) => Promise<Answered>
  /** Key of this page; null without one that the wallet approved. */
  readonly key: OrderKey | null
  readonly network: 'testnet' | 'mainnet' | null
  readonly wanted: () => Wanted
  readonly pause: () => Promise<void>
}

/** How often a page asks what became of an order, with a pause between. */
const TRIES = 20

/** Places an order, has the key of this page sign it if nobody else does, and asks until it is known what became of it. */
export async function place(means: Means): Promise<Outcome> {
  try {
    const answer = await settled(means, means.send)
    if (answer === null) return { kind: 'unresolved' }
    if (!('code' in answer)) return { kind: 'done', result: answer }
    if (answer.code === 'signature_required') return await signed(means, answer)
    return { kind: 'unresolved' }
  } catch (error) {
    return outcomeOf(error)
  }
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Problem)) throw error
  const { mode } = error.body
  if (error.code === 'mode_changed' && (mode === 'paper' || mode === 'live')) return { kind: 'mode', mode }
  return { kind: 'refused', problem: error }
}

async function signed(means: Means, prepared: ToSign): Promise<Outcome> {
  const { key, network } = means
  const { action, nonce, expires_after: expiresAfter, confirm_id: confirmId } = prepared
  if (key === null || network === null) return { kind: 'unsigned' }
  const differences = differencesOf(prepared, means.wanted())
  if (differences.length > 0) return { kind: 'differs', differences }
  if (nonce === null || expiresAfter === null || confirmId === null) return { kind: 'differs', differences: [] }
  const signature = await key.signOrder({ action: action as Packed, nonce, expiresAfter, network })
  const answer = await settled(means, () => means.record(confirmId, signature))
  return answer !== null && !('code' in answer) ? { kind: 'done', result: answer } : { kind: 'unresolved' }
}

/** Repeats a request until the venue has said what became of the order; null if it has not. */
async function settled(means: Means, send: () => Promise<Answered>): Promise<Answered | null> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await means.pause()
    const answer = await unlessLooking(send)
    if (answer !== null && !('code' in answer && answer.code === 'order_unresolved')) return answer
  }
  return null
}

/** An order that is not at the venue yet may still come. */
async function unlessLooking(send: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof Problem && error.code === 'order_not_at_venue') return null
    throw error
  }
}
