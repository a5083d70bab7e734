import type { Chain } from '@svc/chain'
import { keeper } from '@svc/contracts/keeper'
import { Outbound } from '@svc/outbound'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import type { Signer } from '#signers/signer.ts'
import { readSender } from '../sender-state.ts'
import { hasKind, inFlight, reopen, transactionKind, waiting } from '../store/transactions.ts'
import { transactionAdapter } from '../transaction-adapter.ts'

const { max } = keeper.jobs.send
/** Period in which replaced blocks may still take an ending back. */
const REORG_WINDOW_MS = 3_600_000
const windowStart = (now: Date) => new Date(now.getTime() - REORG_WINDOW_MS)
/** As long as Postgres takes to let another process lead: the transactions of a killed one are then taken over. */
export const CLAIM_MS = 5_000

/**
 * Follows transactions in flight and sends decided ones, in the order of nonces, for each account that signs. After a crash
 * each row continues from its stored state.
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
    for (const { signer, only } of sending) {
      const account = { chainId: chain.id, sender: signer.address }
      const state = await readSender(chain, signer.address, signal)
      const since = windowStart(clock.now())
      const adapter = transactionAdapter(context, { chain, signer, state, since }, signal)
      await transaction((tx) => reopen(tx, account, state.nonce, { since, now: clock.now(), max }))
      const moving = await outbound.resume(adapter, { ...inFlight(account, only), max })
      const room = max - (moving.found - moving.ended)
      const first = await outbound.resume(adapter, { ...waiting(account, only), max: room })
      ended += moving.ended
      sent += first.sent
    }
    return { done: ended + sent, ended, sent }
  }

/** An account that sends in this run, and the one kind that it may send; null: all. */
interface Sending {
  readonly signer: Signer
  readonly only: 'gas_drip' | null
}

/**
 * Returns the accounts that send now. An account that only pays gas drips sends nothing else, because its marks may be in a dry
 * run, and takes no part while it has no drip to send or follow.
 */
async function sendingNow({ senders, funder, transaction, clock }: Context, chain: Chain): Promise<readonly Sending[]> {
  const all = senders.map((signer): Sending => ({ signer, only: null }))
  if (funder === null || senders.some(({ address }) => address === funder.address)) return all
  const account = { chainId: chain.id, sender: funder.address }
  const hasDrips = await transaction((tx) => hasKind(tx, account, 'gas_drip', windowStart(clock.now())))
  return hasDrips ? [...all, { signer: funder, only: 'gas_drip' }] : all
}
