import { decodeEvent, eventTopics, sweepLogs, type Chain, type Deployment, type RawLog } from '@svc/chain'
import { newVault, sameAddress, type apply, type VaultState } from '@svc/limits'
import type { Address, Hex } from 'viem'
import { Surprise } from '../request.ts'

export type Vault = Parameters<typeof apply>[0]
export type Holdings = Parameters<typeof apply>[1]

/** The books of a vault after a block, with its position at the venue. */
export interface Books extends Holdings {
  readonly units: bigint
}

export interface Account {
  readonly vault: Vault
  readonly market: Hex
  /** Block in which the vault was created. */
  readonly created: bigint
}

/**
 * Computes the books from events alone: those of the vault, the token and the venue from the creation to `block`.
 * Throws `Surprise` if two events contradict each other.
 */
export async function booksFromEvents(
  chain: Chain,
  { contracts }: Deployment,
  { vault, market, created }: Account,
  block: bigint,
): Promise<Books> {
  const { usdc, venue } = contracts
  const topics = [
    ...eventTopics('vault'),
    ...eventTopics('usdc', ['Transfer']),
    ...eventTopics('venue', ['Bought', 'Sold', 'Redeemed']),
  ]
  const addresses = [vault.address, usdc.address, venue.address]
  let books: Books = { vault: newVault(vault.terms.agent), balance: 0n, units: 0n }
  const sweep = { fromBlock: created, toBlock: block, topics, addresses, headers: 'needed' } as const
  for await (const { logs } of sweepLogs(chain, sweep)) {
    for (const log of logs) {
      if (sameAddress(log.address, usdc.address)) books = withTransfer(books, log, vault.address)
      else if (sameAddress(log.address, venue.address)) books = withTrade(books, log, vault.address, market)
      else books = { ...books, vault: withVaultEvent(books.vault, log) }
    }
  }
  return books
}

function withTransfer(books: Books, log: RawLog, vault: Address): Books {
  const event = decodeEvent('usdc', log)
  if (event?.name !== 'Transfer') return books
  const { from, to, value } = event.args
  const into = sameAddress(to, vault) ? value : 0n
  const out = sameAddress(from, vault) ? value : 0n
  return { ...books, balance: books.balance + into - out }
}

function withTrade(books: Books, log: RawLog, vault: Address, market: Hex): Books {
  const event = decodeEvent('venue', log)
  if (event?.name !== 'Bought' && event?.name !== 'Sold' && event?.name !== 'Redeemed') return books
  if (!sameAddress(event.args.account, vault) || event.args.market !== market) return books
  return { ...books, units: books.units + (event.name === 'Bought' ? event.args.units : -event.args.units) }
}

function withVaultEvent(vault: VaultState, log: RawLog): VaultState {
  const event = decodeEvent('vault', log)
  switch (event?.name) {
    case 'Deposited':
    case 'DirectDeposit': {
      const { amount, principal } = event.args
      agree('principal', vault.principal + amount, principal)
      return { ...vault, principal, accounted: vault.accounted + amount }
    }
    case 'Executed': {
      const { spent, received, day, usedToday } = event.args
      agree('usage of the day', (vault.usedDay === day ? vault.usedAmount : 0n) + spent, usedToday)
      return { ...vault, accounted: vault.accounted - spent + received, usedDay: day, usedAmount: usedToday }
    }
    case 'Unwound':
      return { ...vault, accounted: vault.accounted + event.args.received }
    case 'AgentSet':
      return { ...vault, agent: event.args.agent }
    case 'Stopped': {
      const { reason, stoppedAt } = event.args
      return { ...vault, stopReason: reason === 1 ? 1 : 2, stoppedAt }
    }
    case 'Marked':
      return { ...vault, lastWorth: event.args.worth, markedAt: event.args.asOf }
    case 'Settled': {
      const { fee, gross, principal } = event.args
      agree('gross', vault.withdrawn + vault.accounted + vault.feeTotal, gross)
      agree('principal', vault.principal, principal)
      return { ...withFee(vault, fee), settled: true }
    }
    case 'Withdrawn': {
      const { amount, feeAccrued } = event.args
      const charged = withFee(vault, feeAccrued)
      agree('amount withdrawn', charged.accounted, amount)
      return { ...charged, withdrawn: charged.withdrawn + amount, accounted: 0n }
    }
    case 'FeeClaimed':
      return { ...vault, feeOwed: vault.feeOwed - event.args.amount }
    default:
      throw new Surprise(`the vault emitted an unexpected log: ${event?.name ?? log.topics[0]}`)
  }
}

const withFee = (vault: VaultState, fee: bigint): VaultState => ({
  ...vault,
  accounted: vault.accounted - fee,
  feeTotal: vault.feeTotal + fee,
  feeOwed: vault.feeOwed + fee,
})

function agree(what: string, added: bigint, reported: bigint): void {
  if (added !== reported)
    throw new Surprise(`${what} is ${reported} in an event, but the events before it add up to ${added}`)
}
