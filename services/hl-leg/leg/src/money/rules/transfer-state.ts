import type { TransferKind, TransferState } from '@svc/contracts/hl-leg/money'

/**
 * What is known of the transaction on the chain: `seen` once its own log lies deep enough, `lost` after replaced blocks. `failed`:
 * it never happens; of money that came from the venue, because the leg ended before it was credited.
 */
export type ChainStep = 'none' | 'sending' | 'seen' | 'lost' | 'failed'

/** What is known of the transfer at the venue: `landed` once its ledger has an entry for it. */
export type VenueStep = 'none' | 'signed' | 'landed' | 'refused' | 'void'

/** Where a transfer stands on its two sides. */
export interface Standing {
  readonly kind: TransferKind
  readonly chain: ChainStep
  readonly venue: VenueStep
}

export type TransferEvent =
  | 'chain_sent'
  | 'chain_seen'
  | 'chain_lost'
  | 'chain_failed'
  | 'chain_ended'
  | 'venue_signed'
  | 'venue_landed'
  | 'venue_refused'
  | 'voided'

/** Transfers that pay a vault: the gateway gives back under a reference that it accepts once. */
const GIVES_BACK: ReadonlySet<TransferKind> = new Set(['return', 'payment', 'turn_back', 'closing', 'fallback'])
/** Transfers whose money moves at the venue first. */
const FROM_VENUE: ReadonlySet<TransferKind> = new Set(['return', 'payment'])
/** Transfers at the venue alone. */
const AT_VENUE_ONLY: ReadonlySet<TransferKind> = new Set(['activation', 'refund'])

export const givesBack = (kind: TransferKind): boolean => GIVES_BACK.has(kind)
/** Whether the pool signs it. */
export const isPoolSend = (kind: TransferKind): boolean => kind === 'fund' || AT_VENUE_ONLY.has(kind)
/** Whether it is sent at the venue: the pool or the owner signs it. A payment was found in the ledger; nobody signs it here. */
export const movesAtVenue = (kind: TransferKind): boolean => isPoolSend(kind) || kind === 'return'

/** Returns the state that a standing is shown as. */
export function stateOf({ kind, chain, venue }: Standing): TransferState {
  if (kind === 'fund') return fundingState(chain, venue)
  if (AT_VENUE_ONLY.has(kind)) return venueState(venue)
  if (!FROM_VENUE.has(kind)) return backState(chain, 'planned')
  if (chain === 'failed') return 'cancelled'
  return venue === 'landed' ? backState(chain, 'delivered_at_venue') : venueState(venue)
}

function fundingState(chain: ChainStep, venue: VenueStep): TransferState {
  if (chain === 'seen')
    return venue === 'none'
      ? 'confirmed'
      : venue === 'signed'
        ? 'sent'
        : venue === 'landed'
          ? 'delivered'
          : 'turned_back'
  const arrived = venue === 'signed' || venue === 'landed'
  if (chain === 'failed') return venue === 'landed' ? 'leg_debt' : arrived ? 'unbacked' : 'cancelled'
  if (arrived) return 'unbacked'
  return chain === 'none' ? 'planned' : 'on_chain'
}

const venueState = (venue: VenueStep): TransferState =>
  venue === 'none'
    ? 'planned'
    : venue === 'signed'
      ? 'sent'
      : venue === 'landed'
        ? 'delivered'
        : venue === 'void'
          ? 'void'
          : 'refused'

const backState = (chain: ChainStep, before: TransferState): TransferState =>
  chain === 'seen' ? 'confirmed' : chain === 'sending' || chain === 'lost' ? 'on_chain' : before

const ENDS: ReadonlySet<TransferState> = new Set([
  'delivered',
  'cancelled',
  'turned_back',
  'leg_debt',
  'void',
  'refused',
])

/** Whether something is still to be done for a transfer. */
export function isOpen(standing: Standing): boolean {
  const state = stateOf(standing)
  return !ENDS.has(state) && !(givesBack(standing.kind) && state === 'confirmed')
}

/**
 * Returns the standing after an event; the same one if the event says what is known. Null if the event contradicts what is
 * known: bytes are signed once, and for a funding only while its own log lies on the chain.
 */
export function after(standing: Standing, event: TransferEvent): Standing | null {
  switch (event) {
    case 'chain_sent':
    case 'chain_seen':
    case 'chain_lost':
    case 'chain_failed':
    case 'chain_ended':
      return AT_VENUE_ONLY.has(standing.kind) ? null : onChain(standing, event)
    default:
      return atVenue(standing, event)
  }
}

type ChainEvent = 'chain_sent' | 'chain_seen' | 'chain_lost' | 'chain_failed' | 'chain_ended'

function onChain(standing: Standing, event: ChainEvent): Standing | null {
  const { kind, chain, venue } = standing
  const begun = kind === 'fund' || !FROM_VENUE.has(kind) || venue === 'landed'
  const to = (step: ChainStep): Standing => (chain === step ? standing : { ...standing, chain: step })
  const moving = chain === 'none' || chain === 'sending' || chain === 'lost'
  switch (event) {
    case 'chain_sent':
      return begun && moving ? to('sending') : null
    case 'chain_seen':
      return begun && (moving || chain === 'seen') ? to('seen') : null
    case 'chain_lost':
      return chain === 'seen' || chain === 'lost' ? to('lost') : null
    case 'chain_failed':
      // The gateway accepts a reference once, so that giving back is simply tried again.
      if (kind !== 'fund') return begun && moving ? to('none') : null
      return moving || chain === 'failed' ? to('failed') : null
    case 'chain_ended':
      // Credit and refund exclude each other: what was credited is not refunded, and what is refunded is not credited.
      return FROM_VENUE.has(kind) && venue === 'landed' && (moving || chain === 'failed') ? to('failed') : null
  }
}

function atVenue(standing: Standing, event: Exclude<TransferEvent, ChainEvent>): Standing | null {
  const { kind, chain, venue } = standing
  if (!movesAtVenue(kind)) return null
  const to = (step: VenueStep): Standing => (venue === step ? standing : { ...standing, venue: step })
  switch (event) {
    case 'venue_signed':
      return venue === 'none' && (kind !== 'fund' || chain === 'seen') ? to('signed') : null
    case 'venue_landed':
      return venue === 'signed' || venue === 'landed' ? to('landed') : null
    case 'venue_refused':
      return venue === 'signed' || venue === 'refused' ? to('refused') : null
    case 'voided':
      return kind === 'return' && (venue === 'none' || venue === 'void') ? to('void') : null
  }
}
