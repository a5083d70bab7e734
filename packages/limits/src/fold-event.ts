import { grossOf } from './ledger.ts'
import type { VaultState } from './state.ts'
import type { Address } from './terms.ts'

/** An event of a vault. Integers are decimal strings: USDC base units or Unix seconds. */
export interface VaultEvent {
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
}

/** A running total that an event states and that the books before the event contradict. */
export interface Contradiction {
  readonly figure: 'principal' | 'usedAmount' | 'gross' | 'feeOwed' | 'legOut'
  readonly books: bigint
  readonly event: bigint
}

/** Books after an event, and the running totals on which event and earlier books disagree. */
export interface FoldedEvent {
  readonly vault: VaultState
  readonly contradictions: readonly Contradiction[]
}

/**
 * Returns the books of a vault after an event: the bookings of the contract, without its checks. A running total that
 * the event states replaces the one of the books. An unknown event changes nothing. Throws if the event lacks an argument.
 */
export function foldEvent(before: VaultState, event: VaultEvent): FoldedEvent {
  const { args } = event
  const figure = (key: string): bigint => BigInt(text(args, key))
  switch (event.name) {
    case 'Deposited':
    case 'DirectDeposit': {
      const amount = figure('amount')
      const principal = figure('principal')
      const vault = { ...before, accounted: before.accounted + amount, principal }
      return folded(vault, ['principal', before.principal + amount, principal])
    }
    case 'Executed': {
      const [spent, usedDay, usedAmount] = [figure('spent'), figure('day'), figure('usedToday')]
      const usedBefore = before.usedDay === usedDay ? before.usedAmount : 0n
      const vault = { ...before, accounted: before.accounted - spent + figure('received'), usedDay, usedAmount }
      return folded(vault, ['usedAmount', usedBefore + spent, usedAmount])
    }
    case 'Unwound':
      return folded({ ...before, accounted: before.accounted + figure('received') })
    case 'AgentSet':
      return folded({ ...before, agent: text(args, 'agent') as Address })
    case 'Stopped':
      return folded({ ...before, stopReason: figure('reason') === 2n ? 2 : 1, stoppedAt: figure('stoppedAt') })
    case 'Marked':
      return folded({ ...before, lastWorth: figure('worth'), markedAt: figure('asOf') })
    case 'Settled': {
      const vault = { ...withFee(before, figure('fee')), settled: true }
      const principal = figure('principal')
      return folded(vault, ['principal', before.principal, principal], ['gross', grossOf(before), figure('gross')])
    }
    case 'Withdrawn': {
      // The event's amount includes transfers that are not in the books; the books pay out what they have after the fee.
      const taken = withFee(before, figure('feeAccrued'))
      return folded({ ...taken, withdrawn: taken.withdrawn + taken.accounted, accounted: 0n })
    }
    case 'FeeClaimed': {
      const feeOwed = before.feeOwed - figure('amount')
      return folded({ ...before, feeOwed }, ['feeOwed', feeOwed, 0n])
    }
    case 'LegFunded': {
      const amount = figure('amount')
      const legOut = figure('legOut')
      const leg = { legOut, legOpen: true, legSeq: figure('seq'), legFunded: before.legFunded + amount }
      return folded({ ...before, accounted: before.accounted - amount, ...leg }, [
        'legOut',
        before.legOut + amount,
        legOut,
      ])
    }
    case 'LegReturned': {
      const amount = figure('amount')
      const legOut = figure('legOut')
      const last = args['last'] === true
      const left = before.legOut - amount
      const leg = { legOut, legOpen: !last, legReturned: before.legReturned + amount }
      return folded({ ...before, accounted: before.accounted + amount, ...leg }, [
        'legOut',
        last || left < 0n ? 0n : left,
        legOut,
      ])
    }
    default:
      return folded(before)
  }
}

type Total = readonly [figure: Contradiction['figure'], books: bigint, event: bigint]

function folded(vault: VaultState, ...totals: readonly Total[]): FoldedEvent {
  const contradictions = totals
    .filter(([, books, event]) => books !== event)
    .map(([figure, books, event]) => ({ figure, books, event }))
  return { vault, contradictions }
}

function withFee(vault: VaultState, fee: bigint): VaultState {
  return {
    ...vault,
    accounted: vault.accounted - fee,
    feeTotal: vault.feeTotal + fee,
    feeOwed: vault.feeOwed + fee,
  }
}

function text(args: VaultEvent['args'], key: string): string {
  const value = args[key]
  if (typeof value !== 'string') throw new Error(`the event lacks its argument ${key}`)
  return value
}
