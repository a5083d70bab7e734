import { isDeepStrictEqual } from 'node:util'
import { read, type Chain, type Deployment } from '@svc/chain'
import { newVault, nobody, phaseAt, usageAt, withdrawLock, type VaultState } from '@svc/limits'
import { Surprise } from '../request.ts'
import { booksFromEvents, type Account, type Books, type Holdings } from './books.ts'

/** What the contracts themselves answer after a block. */
async function booksFromContracts(
  chain: Chain,
  { contracts }: Deployment,
  { vault, market }: Account,
  block: bigint,
): Promise<{
  readonly books: Books
  readonly phase: number
  readonly usage: readonly bigint[]
  readonly lock: readonly [number, bigint]
}> {
  const at = { blockNumber: block }
  const of = read(chain).vault(vault.address)
  const [agent, accounted, principal, withdrawn, feeTotal, feeOwed] = await Promise.all([
    of.agent(at),
    of.accounted(at),
    of.principal(at),
    of.withdrawn(at),
    of.feeTotal(at),
    of.feeOwed(at),
  ])
  const [lastWorth, markedAt, stopReason, stoppedAt, settled] = await Promise.all([
    of.lastWorth(at),
    of.markedAt(at),
    of.stopReason(at),
    of.stoppedAt(at),
    of.settled(at),
  ])
  const [usage, phase, lock, balance, units] = await Promise.all([
    of.usage(at),
    of.phase(at),
    of.withdrawLock(at),
    read(chain).usdc(contracts.usdc.address).balanceOf({ account: vault.address }, at),
    read(chain).venue(contracts.venue.address).units({ arg0: vault.address, arg1: market }, at),
  ])
  const [usedDay, usedAmount] = usage
  const figures = { accounted, principal, withdrawn, feeTotal, feeOwed, lastWorth, markedAt, usedDay, usedAmount }
  const reason = stopReason === 0 ? 0 : stopReason === 1 ? 1 : 2
  const state = { ...newVault(agent), ...figures, stopReason: reason, stoppedAt, settled } as const
  return { books: { vault: state, balance, units }, phase, usage, lock }
}

/**
 * Holds three books of one vault against each other: what the rules say follows from the calls, what the events add
 * up to, and what the contracts answer. Throws `Surprise` that names the first figure in which two differ.
 */
export async function audit(
  chain: Chain,
  deployment: Deployment,
  account: Account,
  ruled: Holdings,
  { block, at }: { readonly block: bigint; readonly at: bigint },
): Promise<Books> {
  const { terms } = account.vault
  const added = await booksFromEvents(chain, deployment, account, block)
  const { books: answered, phase, usage, lock } = await booksFromContracts(chain, deployment, account, block)
  // The contract tells the usage of the present day only.
  const { day, used, left } = usageAt(terms, ruled.vault, at)
  const today = (vault: VaultState): VaultState => ({ ...vault, usedDay: day, usedAmount: used })
  compare('the rules', flat({ ...ruled, units: added.units }), 'the events', flat(added))
  compare(
    'the rules',
    flat({ balance: ruled.balance, vault: today(ruled.vault), units: added.units }),
    'the contracts',
    flat(answered),
  )
  compare('the rules', { day, used, left }, 'the contract', { day: usage[0], used: usage[1], left: usage[2] })
  const { reason, until } = withdrawLock(terms, ruled.vault, at)
  compare('the rules', { phase: phaseAt(terms, ruled.vault, at), reason, until }, 'the contract', {
    phase,
    reason: lock[0],
    until: lock[1],
  })
  return added
}

const flat = ({ vault, ...rest }: Books) => ({
  ...vault,
  agent: vault.agent === nobody ? 'nobody' : vault.agent,
  ...rest,
})

function compare(
  one: string,
  left: Readonly<Record<string, unknown>>,
  other: string,
  right: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(left))
    if (!isDeepStrictEqual(value, right[name]))
      throw new Surprise(`${name} is ${String(value)} by ${one} and ${String(right[name])} by ${other}`)
}
