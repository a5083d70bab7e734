import { callAt, type Chain } from '@svc/chain'
import { keeper } from '@svc/contracts/keeper'
import type { Job } from '@svc/service'
import { toHex, type Address, type Hex } from 'viem'
import type { Context } from '#context.ts'
import { signChecked, type Signer } from '#signers/signer.ts'
import { broadcast, followTransaction, VALID_MS, type SendingAccount } from '../follow-transaction.ts'
import { readSender } from '../sender-state.ts'
import {
  endWaiting,
  hasKind,
  inFlight,
  nextNonce,
  reopen,
  storeFirstAttempt,
  waiting,
  type Attempt,
  type OpenTransaction,
  type Outcome,
} from '../store/transactions.ts'

const { max } = keeper.jobs.send
const GWEI = 1_000_000_000n
/** Highest gas limit of a call; a mark takes about 65,000. */
const GAS_MAX = 1_000_000n
/** Highest gas limit of a transfer of ether, which the code of the recipient may use up. */
const TRANSFER_GAS_MAX = 100_000n
/** Period in which replaced blocks may still take an ending back. */
const REORG_WINDOW_MS = 3_600_000
const windowStart = (now: Date) => new Date(now.getTime() - REORG_WINDOW_MS)

/**
 * Follows transactions in flight and sends decided ones, in the order of nonces, for each account that signs. After a crash
 * each row continues from its stored state.
 */
export const send =
  (context: Context): Job =>
  async (signal) => {
    const { chain } = context
    const sending = chain === null ? [] : await sendingNow(context, chain)
    if (chain === null || sending.length === 0) return { done: 0 }
    let [ended, sent] = [0, 0]
    for (const each of sending) {
      const run = await sendAs(context, chain, each, signal)
      ended += run.ended
      sent += run.sent
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

async function sendAs(
  context: Context,
  chain: Chain,
  { signer, only }: Sending,
  signal: AbortSignal,
): Promise<{ readonly ended: number; readonly sent: number }> {
  const { transaction, clock } = context
  const account = { chainId: chain.id, sender: signer.address }
  const state = await readSender(chain, signer.address, signal)
  const sender: SendingAccount = { chain, signer, state }
  const moving = await transaction(async (tx) => {
    await reopen(tx, account, state.nonce, windowStart(clock.now()), max)
    return inFlight(tx, account, only, max)
  })
  let ended = 0
  for (const open of moving) if ((await followTransaction(context, sender, open, signal)) !== null) ended += 1
  let sent = 0
  const room = max - Math.min(max, moving.length - ended)
  for (const open of await transaction((tx) => waiting(tx, account, only, room)))
    if (await sendFirst(context, sender, open, signal)) sent += 1
  return { ended, sent }
}

/** A call or transfer that was tried on the newest block and fits the limits of gas. */
interface Sendable {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
}

/** Sends a decided transaction for the first time. Returns false if it has to wait or has ended. */
async function sendFirst(
  context: Context,
  { chain, signer, state }: SendingAccount,
  open: OpenTransaction,
  signal: AbortSignal,
): Promise<boolean> {
  const { transaction, clock, log } = context
  const call = await sendable(context, { chain, signer, state }, open, signal)
  if (call === null) return false
  const account = { chainId: chain.id, sender: signer.address }
  const nonce = await transaction((tx) => nextNonce(tx, account, state.nonce, windowStart(clock.now())))
  const { feeMax, tipMax } = state.fees
  const { raw, hash } = await signChecked(signer, {
    type: 'eip1559',
    chainId: chain.id,
    nonce,
    to: call.to,
    data: call.data,
    value: call.value,
    gas: call.gas,
    maxFeePerGas: feeMax,
    maxPriorityFeePerGas: tipMax,
  })
  const attempt: Attempt = {
    number: 1,
    kind: 'call',
    tx_hash: hash,
    raw,
    fee_max: feeMax,
    tip_max: tipMax,
    signed_at: clock.now(),
  }
  if (!(await transaction((tx) => storeFirstAttempt(tx, account, open.id, nonce, attempt)))) return false
  await broadcast(chain, attempt, signal)
  log.info({ ...lineOf(open), nonce, tx_hash: hash }, 'transaction sent')
  return true
}

const lineOf = ({ kind, public_id, vault }: OpenTransaction) => ({ kind, public_id, vault })

/** Returns the call if it can be sent now. Ends a transaction that is too old or would revert; null for that and for a wait. */
async function sendable(
  { transaction, clock, log, settings }: Context,
  { chain, signer, state }: SendingAccount,
  open: OpenTransaction,
  signal: AbortSignal,
): Promise<Sendable | null> {
  const line = lineOf(open)
  const end = async (outcome: Outcome, detail: string | null) => {
    const ending = { outcome, detail, txHash: null, fee: null }
    if (await transaction((tx) => endWaiting(tx, open.id, ending, clock.now())))
      log.warn({ ...line, outcome, detail }, 'transaction not sent')
    return null
  }
  if (clock.now().getTime() - open.decided_at.getTime() > VALID_MS) return end('expired', null)
  const { feeMax } = state.fees
  if (feeMax > BigInt(settings.feeMaxGwei) * GWEI) {
    log.warn(line, 'gas costs more than SVC_KEEPER_FEE_MAX_GWEI: the transaction waits')
    return null
  }
  const to = (open.target ?? open.vault) as Address
  const call = { from: signer.address, to, data: open.data as Hex, value: open.value_wei }
  const tried = await callAt(chain, { ...call, signal })
  if (!tried.ok) return end('refused', tried.revert?.name ?? tried.revert?.selector ?? 'out of gas')
  const gas = await gasOf(chain, call, open.kind === 'gas_drip' ? TRANSFER_GAS_MAX : GAS_MAX, signal)
  if (gas === null) return end('refused', 'gas')
  if (state.balance < gas * feeMax + call.value) {
    log.error({ ...line, account: signer.address }, 'the account has too little ether: the transaction waits')
    return null
  }
  return { ...call, gas }
}

/** Returns the estimated gas of a call plus a third; null above the maximum. */
async function gasOf(
  chain: Chain,
  call: Omit<Sendable, 'gas'>,
  max: bigint,
  signal: AbortSignal,
): Promise<bigint | null> {
  const asked = { ...call, value: toHex(call.value) }
  const estimated = BigInt(String(await chain.request('eth_estimateGas', [asked], signal)))
  const gas = estimated + estimated / 3n
  return gas > max ? null : gas
}
