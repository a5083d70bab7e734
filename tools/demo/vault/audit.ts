import { isDeepStrictEqual } from 'node:util'
import { read, type Chain, type Deployment } from '@svc/chain'
import { newVault, nobody, phaseAt, usageAt, withdrawLock, type VaultState } from '@svc/limits'
import { Surprise } from '../request.ts'
import { booksFromEvents, type Account, type Books, type Holdings } from './books.ts'

/** Reads the books from the contracts, as they are after a block. */
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
  const state = await properties({
    agent: of.agent(at),
    accounted: of.accounted(at),
    principal: of.principal(at),
    withdrawn: of.withdrawn(at),
    feeTotal: of.feeTotal(at),
    feeOwed: of.feeOwed(at),
    lastWorth: of.lastWorth(at),
    markedAt: of.markedAt(at),
    stopReason: of.stopReason(at),
    stoppedAt: of.stoppedAt(at),
    settled: of.settled(at),
  })
  const { usage, phase, lock, balance, units } = await properties({
    usage: of.usage(at),
    phase: of.phase(at),
    lock: of.withdrawLock(at),
    balance: read(chain).usdc(contracts.usdc.address).balanceOf({ account: vault.address }, at),
    units: read(chain).venue(contracts.venue.address).units({ arg0: vault.address, arg1: market }, at),
  })
  const [usedDay, usedAmount] = usage
  const stopReason = state.stopReason === 0 ? 0 : state.stopReason === 1 ? 1 : 2
  const books = {
    vault: { ...newVault(state.agent), ...state, stopReason, usedDay, usedAmount } as const,
    balance,
    units,
  }
  return { books, phase, usage, lock }
}

/** Awaits the members of an object together. */
async function properties<T extends Record<string, Promise<unknown>>>(
  asked: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = await Promise.all(Object.entries(asked).map(async ([name, value]) => [name, await value] as const))
  return Object.fromEntries(entries) as { [K in keyof T]: Awaited<T[K]> }
}

/**
 * Compares three books of one vault: the rules applied to the calls, the sums of the events, and the answers of the
 * contracts. Returns them; throws `Surprise` with the first figure in which two differ.
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
  // The contract knows the usage of the present day only.
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
