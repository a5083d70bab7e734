import { headNumber, type Chain } from '@svc/chain'
import { keeper } from '@svc/contracts/keeper'
import type { Job } from '@svc/service'
import { formatEther, type Address } from 'viem'
import type { Context } from '#context.ts'
import { limitsOf, utcDay } from '../decide-and-store.ts'
import { dripChain } from '../drip-chain.ts'
import { recordFunder } from '../funder-metrics.ts'
import { continueBooks, openBooks, type FunderBooks, type FunderReading } from '../rules/funder-books.ts'
import { deleteCalls } from '../store/calls.ts'
import { lockBooks, storeBooks, transactionsBetween } from '../store/funder.ts'
import { endMessage, storeFundingLow, takeDue, type FundingAlert } from '../store/funding-alerts.ts'

const { max } = keeper.jobs.watchFunder
const TRIES_MAX = 10
const AGAIN_MS = 60_000
const CALLS_KEPT_MS = 86_400_000
const CALLS_MAX = 10_000

/**
 * Compares the account that pays drips with the stored rows, stores that its funds are low, and sends the messages to the
 * operators that are due.
 */
export const watchFunder =
  (context: Context): Job =>
  async (signal) => {
    const { transaction, clock, funder } = context
    const chain = dripChain(context)
    if (chain !== null && funder !== null) await watch(context, chain, funder.address, signal)
    const before = new Date(clock.now().getTime() - CALLS_KEPT_MS)
    const done = (await tellOperators(context)) + (await transaction((tx) => deleteCalls(tx, before, CALLS_MAX)))
    return { done }
  }

async function watch(context: Context, chain: Chain, address: Address, signal: AbortSignal): Promise<void> {
  const { transaction, clock, log, settings } = context
  const reading = await readFunder(chain, address, signal).catch((error: unknown) => {
    recordFunder(null)
    throw error
  })
  const account = { chainId: chain.id, address }
  const now = clock.now()
  const { before, books } = await transaction(async (tx) => {
    const known = await lockBooks(tx, chain.id, address)
    const next = await nextBooks(context, known, reading, (from) =>
      transactionsBetween(tx, account, from, reading.nonce),
    )
    if (next !== null) await storeBooks(tx, account, next, now)
    return { before: known, books: next }
  })
  if (books === null) return
  recordFunder(books)
  const lost = books.unexplained - (before?.unexplained ?? 0n)
  if (lost > 0n)
    log.error(
      { alarm: 'gas_drip_unexplained', funder: address, eth: formatEther(lost), block: books.block },
      'the account that pays drips has less than its stored transactions explain',
    )
  if (books.balance >= limitsOf(settings).alertBelow) return
  const low = { day: utcDay(now), balance: books.balance, capped: false, now }
  if (await transaction((tx) => storeFundingLow(tx, account, low)))
    log.warn({ alert: 'gas_drip_funds', funder: address }, 'the funds of gas drips are low')
}

/** Returns the books up to a reading; null while they cannot be continued. */
async function nextBooks(
  { log }: Context,
  known: FunderBooks | null,
  reading: FunderReading,
  transactionsFrom: (nonce: number) => ReturnType<typeof transactionsBetween>,
): Promise<FunderBooks | null> {
  if (known === null) return openBooks(reading)
  if (reading.block < known.block || reading.nonce < known.nonce) {
    if (reading.nonce >= known.nonce) return null
    log.warn(
      { nonce: reading.nonce, known: known.nonce },
      'the account that pays drips is on another chain: the books start again',
    )
    return openBooks(reading)
  }
  return continueBooks(known, reading, await transactionsFrom(known.nonce))
}

/** Reads the account after the newest block that is HUB_CONFIRMATIONS deep. */
async function readFunder(chain: Chain, address: Address, signal: AbortSignal): Promise<FunderReading> {
  const head = Number(await headNumber(chain, signal))
  const block = Math.max(0, head - chain.confirmations)
  const at = `0x${block.toString(16)}`
  const [nonce, balance] = await Promise.all([
    chain.request('eth_getTransactionCount', [address, at], signal),
    chain.request('eth_getBalance', [address, at], signal),
  ])
  return { block, nonce: Number(nonce), balance: BigInt(String(balance)) }
}

/** Sends due messages and returns their number. Each try is stored before it: a message whose answer was lost may come twice. */
async function tellOperators({ transaction, clock, log, operators }: Context): Promise<number> {
  if (operators === null) return 0
  const now = clock.now()
  const againAt = (tries: number) => (tries >= TRIES_MAX ? null : new Date(now.getTime() + AGAIN_MS * 2 ** (tries - 1)))
  const due = await transaction((tx) => takeDue(tx, now, againAt, max))
  for (const alert of due) {
    const delivery = await operators(messageOf(alert))
    if (delivery.sent || delivery.final)
      await transaction((tx) => endMessage(tx, alert, delivery.sent ? clock.now() : null))
    if (!delivery.sent) log.warn({ failure: delivery.failure }, 'the operators could not be told that funds are low')
  }
  return due.length
}

const messageOf = ({ chain_id, address, day, balance_wei }: FundingAlert): string =>
  `Gas drip: the funds are low (${day} UTC). ${address} on chain ${chain_id} has ${formatEther(balance_wei)} ETH. Send test ETH to it.`
