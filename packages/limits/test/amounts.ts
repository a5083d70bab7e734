import {
  assess,
  depositRoom,
  legRoom,
  unrecognised,
  usageAt,
  type Address,
  type Holdings,
  type Terms,
} from '../src/index.ts'
import type { Contracts } from './parties.ts'
import type { Amount } from './script.ts'
import type { Venue } from './target-model.ts'

/** The state in which a step of a script is resolved. */
export interface Moment {
  readonly terms: Terms
  readonly vaultAddress: Address
  readonly contracts: Contracts
  readonly at: bigint
  readonly now: Holdings
  readonly venue: Venue
  /** The vault's balance of the other token. */
  readonly otherTokens: bigint
}

const uint256Max = 2n ** 256n - 1n

/** Returns the figure that an amount of a script stands for at this moment, at most `most`. */
export function amountOf(moment: Moment, { of, percent, plus }: Amount, most = uint256Max): bigint {
  const value = (baseOf(moment, of) * BigInt(percent)) / 100n + BigInt(plus)
  return value < 0n ? 0n : value > most ? most : value
}

function baseOf(moment: Moment, base: Amount['of']): bigint {
  const { terms, now, at } = moment
  switch (base) {
    case 'perTxCap':
      return terms.perTxCap
    case 'dailyLeft':
      return usageAt(terms, now.vault, at).left
    case 'accounted':
      return now.vault.accounted
    case 'unrecognised':
      return unrecognised(now.vault, now.balance)
    case 'room':
      return depositRoom(terms, now.vault)
    case 'budget':
      return terms.budget
    case 'legRoom':
      return legRoom(terms, now.vault)
    case 'legOut':
      return now.vault.legOut
    case 'stopLine':
      return terms.stopLine
    case 'maxPassing':
      return largestPassing(moment)
    case 'uint128':
      return 2n ** 128n - 1n
    case 'uint256':
      return uint256Max
    case 'zero':
      return 0n
  }
}

function largestPassing({ terms, now, at }: Moment): bigint {
  const [listed] = terms.calls
  if (listed === undefined) return 0n
  const seen = {
    ...now,
    worth: null,
    held: 0n,
    own: 0n,
    legUsed: 0n,
    legHeld: 0n,
    approved: false,
    stoppedInRecord: false,
  }
  const attempt = { caller: now.vault.agent, target: listed.target, data: listed.selector, amount: 0n, at }
  return assess(terms, seen, attempt).maxPassing ?? 0n
}
