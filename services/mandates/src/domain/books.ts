import { newVault, type Address, type VaultState } from '@svc/limits'

/** What a vault logged. Integers are decimal strings of base units or seconds. */
export interface VaultFact {
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
}

const text = ({ name, args }: VaultFact, key: string): string => {
  const value = args[key]
  if (typeof value !== 'string') throw new Error(`${name} carries no ${key}`)
  return value
}
const figure = (fact: VaultFact, key: string): bigint => BigInt(text(fact, key))

/** The books of a vault after one more event, as the contract keeps them. Unknown events change nothing. */
export function afterFact(vault: VaultState, fact: VaultFact): VaultState {
  const plus = (amount: bigint): VaultState => ({ ...vault, accounted: vault.accounted + amount })
  switch (fact.name) {
    case 'Deposited':
    case 'DirectDeposit':
      return { ...plus(figure(fact, 'amount')), principal: figure(fact, 'principal') }
    case 'Executed':
      return {
        ...plus(figure(fact, 'received') - figure(fact, 'spent')),
        usedDay: figure(fact, 'day'),
        usedAmount: figure(fact, 'usedToday'),
      }
    case 'Unwound':
      return plus(figure(fact, 'received'))
    case 'AgentSet':
      return { ...vault, agent: text(fact, 'agent') as Address }
    case 'Stopped':
      return {
        ...vault,
        stopReason: figure(fact, 'reason') === 2n ? 2 : 1,
        stoppedAt: figure(fact, 'stoppedAt'),
      }
    case 'Marked':
      return { ...vault, lastWorth: figure(fact, 'worth'), markedAt: figure(fact, 'asOf') }
    case 'Settled':
      return { ...withFee(vault, figure(fact, 'fee')), settled: true }
    case 'Withdrawn': {
      // The event's amount holds transfers beyond the books too; what the books pay out is all they have after the fee.
      const paid = withFee(vault, figure(fact, 'feeAccrued'))
      return { ...paid, withdrawn: paid.withdrawn + paid.accounted, accounted: 0n }
    }
    case 'FeeClaimed':
      return { ...vault, feeOwed: vault.feeOwed - figure(fact, 'amount') }
    case 'LegFunded':
      return {
        ...plus(-figure(fact, 'amount')),
        legOut: figure(fact, 'legOut'),
        legOpen: true,
        legSeq: figure(fact, 'seq'),
        legFunded: vault.legFunded + figure(fact, 'amount'),
      }
    case 'LegReturned':
      return {
        ...plus(figure(fact, 'amount')),
        legOut: figure(fact, 'legOut'),
        legOpen: fact.args['last'] !== true,
        legReturned: vault.legReturned + figure(fact, 'amount'),
      }
    default:
      return vault
  }
}

/** The books of a vault from all its events, in the order of the chain. */
export function booksOf(agent: string, facts: readonly VaultFact[]): VaultState {
  return facts.reduce(afterFact, newVault(agent as Address))
}

/**
 * What those withdrawals paid that `counts` names, beyond the books: transfers to the vault that these never took up. The
 * facts are all of the vault, in the order of the chain.
 */
export function paidBeyondBooks<T extends VaultFact>(
  agent: string,
  facts: readonly T[],
  counts: (fact: T) => boolean,
): bigint {
  let vault = newVault(agent as Address)
  let beyond = 0n
  for (const fact of facts) {
    const after = afterFact(vault, fact)
    if (fact.name === 'Withdrawn' && counts(fact))
      beyond += figure(fact, 'amount') - (after.withdrawn - vault.withdrawn)
    vault = after
  }
  return beyond
}

function withFee(vault: VaultState, fee: bigint): VaultState {
  return {
    ...vault,
    accounted: vault.accounted - fee,
    feeTotal: vault.feeTotal + fee,
    feeOwed: vault.feeOwed + fee,
  }
}
