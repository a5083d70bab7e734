import { nobody, type VaultState } from '@svc/limits'
import type { MandateState, StateCause } from '@svc/contracts/mandates/fields'

type Targets = Partial<Record<StateCause, readonly MandateState[]>>

const stops = {
  stopped_in_record: ['stopped'],
  stopped_by_owner: ['stopped'],
  stopped_by_stop_line: ['stopped'],
} as const satisfies Targets

/** Which cause may move a mandate from which state to which. What is not here cannot happen. */
const table: Readonly<Record<MandateState, Targets>> = {
  draft: { terms_signed: ['signed'], stopped_in_record: ['stopped'] },
  signed: {
    // Again, when the factory is another one than the terms were signed for.
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

/** Whether a cause may move a mandate from one state to another. */
export function mayMove(from: MandateState, cause: StateCause, to: MandateState): boolean {
  return table[from][cause]?.includes(to) ?? false
}

/** Everything that decides where a mandate stands. */
export interface Standing {
  readonly signed: boolean
  readonly stoppedInRecord: boolean
  /** Books of the vault; null without one, or while a reorganisation took it away. */
  readonly vault: VaultState | null
  /** Wallet of the designated agent, lower case. */
  readonly agentWallet: string | null
  readonly stopLine: bigint
  readonly endsAt: Date
  readonly now: Date
}

/** Where a mandate stands. */
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

/** A move of a mandate, and why. */
export interface Move {
  readonly from: MandateState
  readonly to: MandateState
  readonly cause: StateCause
}

/**
 * The moves that bring a mandate from `from` to where it stands: none, one, or two where a vault that was closed
 * before it was attached is found. `orphaned` says that a fact was taken away by a reorganisation. Throws for a move
 * that the table does not have.
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

function stopCause({ vault }: Standing): StateCause {
  if (vault === null || vault.stopReason === 0) return 'stopped_in_record'
  return vault.stopReason === 1 ? 'stopped_by_owner' : 'stopped_by_stop_line'
}

/** Whether somebody but the designated agent may act: an alert. */
export function foreignAgent(vault: VaultState, agentWallet: string | null): boolean {
  return vault.agent.toLowerCase() !== nobody && vault.agent.toLowerCase() !== agentWallet
}
