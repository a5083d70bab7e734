import type { Chain } from '@svc/chain'
import { keeper } from '@svc/contracts/keeper'
import { Outbound } from '@svc/outbound'
import type { Job } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import type { Signer } from '#signers/signer.ts'
import { readSender } from '../sender-state.ts'
import {
  hasDrips,
  inFlight,
  type Meant,
  reopen,
  sendersBeside,
  transactionKind,
  waiting,
} from '../store/transactions.ts'
import { followingAdapter, transactionAdapter } from '../transaction-adapter.ts'

const { max } = keeper.jobs.send
/** Period in which replaced blocks may still take an ending back. */
const REORG_WINDOW_MS = 3_600_000
const windowStart = (now: Date) => new Date(now.getTime() - REORG_WINDOW_MS)
/** As long as Postgres takes to let another process lead: the transactions of a killed one are then taken over. */
export const CLAIM_MS = 5_000

/**
 * Follows transactions in flight and sends decided ones, in the order of nonces, for each account that signs. After a crash
 * each row continues from its stored state, and after a change of keys those of the former account go on to their ends.
 */
export const send =
  (context: Context): Job =>
  async (signal) => {
    const { chain, transaction, clock, log } = context
    const sending = chain === null ? [] : await sendingNow(context, chain)
    if (chain === null || sending.length === 0) return { done: 0 }
    const outbound = new Outbound({ kind: transactionKind, transaction, clock, log, claimMs: CLAIM_MS, pauseMs: 0 })
    await outbound.sweep()
    let [ended, sent] = [0, 0]
    for (const { address, signer, meant } of sending) {
      const account = { chainId: chain.id, sender: address }
      const state = await readSender(chain, address, signal)
      const since = windowStart(clock.now())
      const adapter =
        signer === null
          ? followingAdapter(context, { chain, state }, signal)
          : transactionAdapter(context, { chain, signer, state, since }, signal)
      await transaction((tx) => reopen(tx, account, state.nonce, { since, now: clock.now(), max }))
      const moving = await outbound.resume(adapter, { ...inFlight(account, meant), max })
      const room = max - (moving.found - moving.ended)
      const first = await outbound.resume(adapter, { ...waiting(account, meant), max: room })
      ended += moving.ended
      sent += first.sent
    }
    return { done: ended + sent, ended, sent }
  }

/** An account whose transactions are moved in this run. */
interface Sending {
  readonly address: Address
  /** Null for an account whose key was replaced. */
  readonly signer: Signer | null
  readonly meant: Meant
}

/**
 * Returns the accounts that send now. An account that only pays gas drips sends nothing else, because its marks may be in a dry
 * run, and takes no part while it has no drip to send or follow. A dry run moves nothing.
 */
async function sendingNow(context: Context, chain: Chain): Promise<readonly Sending[]> {
  const { senders, funder, transaction, clock } = context
  const all = senders.map((signer): Sending => ({ address: signer.address, signer, meant: 'all' }))
  if (funder !== null && !senders.some(({ address }) => address === funder.address)) {
    const account = { chainId: chain.id, sender: funder.address }
    if (await transaction((tx) => hasDrips(tx, account, windowStart(clock.now()))))
      all.push({ address: funder.address, signer: funder, meant: 'gas_drip' })
  }
  return [...all, ...(await replacedAccounts(context, chain))]
}

/**
 * Returns the accounts with transactions that no setting lets send any more: their keys were replaced. One that pays gas drips now is
 * such an account for its other transactions. While marks and leg money are in a dry run, only drips move.
 */
async function replacedAccounts(
  { senders, funder, settings, transaction, clock }: Context,
  chain: Chain,
): Promise<readonly Sending[]> {
  // Those in a dry run rest: their transactions wait for them.
  const named = [settings.cdpAddress, settings.poolAddress].filter((one) => one !== null)
  const known = [...senders.map(({ address }) => address), ...named]
  const isDry = senders.length === 0
  if (isDry && funder === null) return []
  const payer = (funder?.address ?? settings.dripFunderWallet)?.toLowerCase()
  const found = await transaction((tx) => sendersBeside(tx, chain.id, known, windowStart(clock.now())))
  return found
    .map((address): Sending => {
      const meant = address.toLowerCase() === payer ? 'others' : isDry ? 'gas_drip' : 'all'
      return { address: address as Address, signer: null, meant }
    })
    .filter(({ meant }) => !isDry || meant === 'gas_drip')
}
