import type { Address, Hex } from './wallet.ts'

/** A transaction that this tab asked a wallet for. Public facts only: what anybody reads on the chain. */
export interface SentCall {
  /** Which act of which mandate, such as `mdt_…/deposit`. */
  readonly key: string
  /** Null from the moment the wallet is asked until it answers: a reload in between must not ask twice. */
  readonly hash: Hex | null
  readonly from: Address
  /** Number of transactions of the account when the wallet was asked; null if unknown. */
  readonly nonce: number | null
  readonly chainId: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The part of `sessionStorage` that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const NAME = 'sent'
/** Most calls that are remembered, and for how long. */
const CALLS_MAX = 20
const AGE_MAX_MS = 7 * 86_400_000

const isSent = (value: unknown): value is SentCall => {
  const { key, hash, from, nonce, chainId, at } = (value ?? {}) as Record<string, unknown>
  return (
    typeof key === 'string' &&
    (hash === null || (typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash))) &&
    typeof from === 'string' &&
    (nonce === null || typeof nonce === 'number') &&
    typeof chainId === 'number' &&
    typeof at === 'number'
  )
}

function all(shelf: Shelf): SentCall[] {
  try {
    const stored: unknown = JSON.parse(shelf.getItem(NAME) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSent) : []
  } catch {
    return []
  }
}

/** Returns the call that was asked for and whose end is not known yet; null if there is none. */
export const sentCall = (shelf: Shelf, key: string): SentCall | null =>
  all(shelf).find((call) => call.key === key) ?? null

/** Remembers a call over reloads of the tab. */
export function rememberCall(shelf: Shelf, call: SentCall): void {
  const others = all(shelf).filter(({ key, at }) => key !== call.key && call.at - at < AGE_MAX_MS)
  shelf.setItem(NAME, JSON.stringify([...others, call].slice(-CALLS_MAX)))
}

/** Forgets a call whose end is known. */
export function forgetCall(shelf: Shelf, key: string): void {
  const left = all(shelf).filter((call) => call.key !== key)
  if (left.length === 0) shelf.removeItem(NAME)
  else shelf.setItem(NAME, JSON.stringify(left))
}
