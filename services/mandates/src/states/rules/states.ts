import { nobody, type VaultState } from '@svc/limits'
import type { MandateState, StateCause } from '@svc/contracts/mandates/fields'

type Targets = Partial<Record<StateCause, readonly MandateState[]>>

const stops = {
  stopped_in_record: ['stopped'],
  stopped_by_owner: ['stopped'],
  stopped_by_stop_line: ['stopped'],
} as const satisfies Targets

/**
 * Transition table: the causes that may move a mandate from a state, and the target states. All other moves are
 * impossible.
 */
const table: Readonly<Record<MandateState, Targets>> = {
  draft: { terms_signed: ['signed'], stopped_in_record: ['stopped'] },
  signed: {
    // Repeated if the terms were signed for another factory.
    terms_signed: ['signed'],
    vault_funded: ['working'],
    agent_removed: ['paused'],
    end_passed: ['ended'],
    ...stops,
  },
  working: {
    agent_removed: ['paused'],
    end_passed: ['ended'],
    reorganised: ['signed', 'paused'],
    ...stops,
  },
  paused: {
    agent_restored: ['working', 'signed'],
    end_passed: ['ended'],
    reorganised: ['working', 'signed'],
    ...stops,
  },
  stopped: { settled_and_withdrawn: ['closed'], reorganised: ['signed', 'working', 'paused', 'ended'] },
  ended: { settled_and_withdrawn: ['closed'], ...stops },
  closed: { money_returned: ['stopped', 'ended'], reorganised: ['signed', 'working', 'paused', 'stopped', 'ended'] },
}

/** Returns true if a cause may move a mandate from one state to another. */
export function mayMove(from: MandateState, cause: StateCause, to: MandateState): boolean {
  return table[from][cause]?.includes(to) ?? false
}

/** Facts that determine the state of a mandate. */
export interface Standing {
  readonly signed: boolean
  readonly stoppedInRecord: boolean
  /** True if only the stop line of the leg stopped it in the record. */
  readonly stoppedByLine?: boolean
  /** Books of the vault; null without a vault, or while a reorganisation has removed it. */
  readonly vault: VaultState | null
  /** Wallet of the designated agent, lower case. */
  readonly agentWallet: string | null
  readonly stopLine: bigint
  readonly endsAt: Date
  readonly now: Date
}

/** Returns the state that the facts determine. */
export function stateOf(standing: Standing): MandateState {
  const { vault } = standing
  if (vault !== null && vault.settled && vault.accounted === 0n) return 'closed'
  if (standing.stoppedInRecord || (vault !== null && vault.stopReason !== 0)) return 'stopped'
  if (!standing.signed) return 'draft'
  if (standing.now >= standing.endsAt) return 'ended'
  if (vault === null) return 'signed'
  if (vault.agent.toLowerCase() !== standing.agentWallet) return 'paused'
  return vault.principal > standing.stopLine ? 'working' : 'signed'
}

/** A move of a mandate and its cause. */
export interface Move {
  readonly from: MandateState
  readonly to: MandateState
  readonly cause: StateCause
}

/**
 * Returns the moves from `from` to the state that the facts determine: no move, one, or two for a vault that was closed
 * before it was attached. `orphaned` means that a reorganisation removed a fact. Throws for a move that the table does
 * not allow.
 */
export function movesTo(from: MandateState, standing: Standing, orphaned: boolean): readonly Move[] {
  const to = stateOf(standing)
  if (to === from) return []
  if (to === 'closed' && from !== 'stopped' && from !== 'ended') {
    const before = standing.vault?.stopReason === 0 && !standing.stoppedInRecord ? 'ended' : 'stopped'
    return [move(from, before, standing, orphaned), move(before, to, standing, orphaned)]
  }
  return [move(from, to, standing, orphaned)]
}

function move(from: MandateState, to: MandateState, standing: Standing, orphaned: boolean): Move {
  const cause = causeOf(from, to, standing, orphaned)
  if (!mayMove(from, cause, to)) throw new Error(`a mandate cannot move from ${from} to ${to} by ${cause}`)
  return { from, to, cause }
}

function causeOf(from: MandateState, to: MandateState, standing: Standing, orphaned: boolean): StateCause {
  if (orphaned && mayMove(from, 'reorganised', to)) return 'reorganised'
  if (from === 'closed') return 'money_returned'
  switch (to) {
    case 'closed':
      return 'settled_and_withdrawn'
    case 'stopped':
      return stopCause(standing)
    case 'ended':
      return 'end_passed'
    case 'paused':
      return 'agent_removed'
    case 'working':
      return from === 'paused' ? 'agent_restored' : 'vault_funded'
    case 'signed':
      return from === 'draft' ? 'terms_signed' : from === 'paused' ? 'agent_restored' : 'reorganised'
    case 'draft':
      return 'reorganised'
  }
}

function stopCause({ vault, stoppedByLine }: Standing): StateCause {
  if (vault === null || vault.stopReason === 0)
    return stoppedByLine === true ? 'stopped_by_stop_line' : 'stopped_in_record'
  return vault.stopReason === 1 ? 'stopped_by_owner' : 'stopped_by_stop_line'
}

/** Returns true if an agent other than the designated one may act, which raises an alert. */
export function foreignAgent(vault: VaultState, agentWallet: string | null): boolean {
  return vault.agent.toLowerCase() !== nobody && vault.agent.toLowerCase() !== agentWallet
}
