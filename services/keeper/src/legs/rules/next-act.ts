import type { LegTransfer } from '@svc/contracts/hl-leg/money'

/** A transaction of a transfer, as keeper stores it. */
export interface TransferTransaction {
  readonly outcome: 'done' | 'reverted' | 'cancelled' | 'nonce_taken' | 'refused' | 'expired' | 'lost' | null
  readonly detail: string | null
  readonly ended_at: Date | null
  /** Null while it waits to be signed, and for one that never was. */
  readonly nonce: number | null
  /** Hashes of its signed calls, oldest first. */
  readonly hashes: readonly string[]
}

/** A transfer's own log on the chain: `LegFunded` of its vault, or `GivenBack` under its reference. */
export interface OwnLog {
  readonly txHash: string
  /** Number of blocks above its block. */
  readonly depth: bigint
}

/** What the chain and keeper's own rows say of a transfer. */
export interface Seen {
  readonly log: OwnLog | null
  /** Its transactions that fund or give back, oldest first. */
  readonly transactions: readonly TransferTransaction[]
  /** The chain shows in blocks that are deep enough that the leg has ended. */
  readonly legEnded: boolean
  /** Nonces below this are used in blocks that are deep enough, for the account of the newest transaction. */
  readonly finalNonce: number
  /** Blocks above a log before it counts. */
  readonly confirmations: bigint
  readonly now: Date
}

/** What to do for a transfer now; null: wait. */
export type LegAct =
  | {
      readonly do: 'tell'
      readonly event: 'chain_sent' | 'chain_seen' | 'chain_lost' | 'chain_failed' | 'chain_ended'
      readonly txHash: string | null
      readonly reason: string | null
    }
  | { readonly do: 'fund_leg' }
  | { readonly do: 'give_back' }
  | { readonly do: 'send' }

/** Pause before a call that the gateway refused is tried again. */
const RETRY_MS = 60_000

const AT_VENUE_ONLY: ReadonlySet<string> = new Set(['activation', 'refund'])

/**
 * Returns the next step of a transfer. A step follows from stored rows and the chain alone, so that it is the same after a
 * crash at any point; each is safe to repeat.
 */
export function nextAct(transfer: LegTransfer, seen: Seen): LegAct | null {
  const { kind, chain_step, venue_step } = transfer
  if (AT_VENUE_ONLY.has(kind)) return venue_step === 'none' ? { do: 'send' } : null
  if (chain_step === 'failed' || venue_step === 'void') return null
  if (chain_step === 'seen') {
    if (seen.log === null) return tell('chain_lost', null)
    return kind === 'fund' && venue_step === 'none' && seen.log.depth >= seen.confirmations ? { do: 'send' } : null
  }
  if ((kind === 'return' || kind === 'payment') && venue_step !== 'landed') return null
  return seen.log === null ? onTransaction(transfer, seen) : onLog(transfer, seen.log, seen.confirmations)
}

const tell = (
  event: Extract<LegAct, { do: 'tell' }>['event'],
  txHash: string | null,
  reason: string | null = null,
): LegAct => ({ do: 'tell', event, txHash, reason })

function onLog({ chain_step }: LegTransfer, { txHash, depth }: OwnLog, confirmations: bigint): LegAct | null {
  if (depth >= confirmations) return tell('chain_seen', txHash)
  return chain_step === 'sending' ? null : tell('chain_sent', txHash)
}

function onTransaction(transfer: LegTransfer, seen: Seen): LegAct | null {
  const call: LegAct = transfer.kind === 'fund' ? { do: 'fund_leg' } : { do: 'give_back' }
  const newest = seen.transactions.at(-1)
  if (newest === undefined) return call
  const { outcome, nonce, hashes } = newest
  if (outcome === null)
    return nonce !== null && transfer.chain_step !== 'sending' ? tell('chain_sent', hashes[0] ?? null) : null
  // Its log is not visible yet, or its block was replaced and the transaction is about to be sent again.
  if (outcome === 'done') return null
  // As long as replaced blocks may free the nonce, the call may still be executed.
  if (nonce !== null && outcome !== 'lost' && nonce >= seen.finalNonce) return null
  if (transfer.kind === 'fund') return onFailedFunding(transfer, newest)
  return isPaymentTooLate(transfer, seen)
    ? tell('chain_ended', null, 'NoLeg')
    : onFailedReturn(transfer, newest, seen.now)
}

/** Money that cannot be credited: the leg has ended, and no call that would have credited it can still be mined. */
function isPaymentTooLate({ kind }: LegTransfer, { legEnded, transactions, finalNonce }: Seen): boolean {
  if (!legEnded || (kind !== 'return' && kind !== 'payment')) return false
  return transactions.every(({ outcome, nonce }) => outcome !== null && (nonce === null || nonce < finalNonce))
}

/** A funding whose bytes never left ends; one that is at the venue is tried again until the vault refuses it. */
function onFailedFunding({ venue_step }: LegTransfer, { outcome, detail }: TransferTransaction): LegAct {
  const isOut = venue_step === 'signed' || venue_step === 'landed'
  const ends = !isOut || outcome === 'refused' || outcome === 'lost'
  return ends ? tell('chain_failed', null, detail ?? outcome) : { do: 'fund_leg' }
}

function onFailedReturn({ reason }: LegTransfer, newest: TransferTransaction, now: Date): LegAct | null {
  const why = newest.detail ?? newest.outcome
  const rested = newest.ended_at === null || now.getTime() - newest.ended_at.getTime() >= RETRY_MS
  if (rested || newest.outcome !== 'refused') return { do: 'give_back' }
  return reason === why ? null : tell('chain_failed', null, why)
}
