import { callAt, type Chain } from '@svc/chain'
import { keeper } from '@svc/contracts/keeper'
import type { Job } from '@svc/service'
import type { Address, Hex } from 'viem'
import { readSender, type SenderState } from '../sender-state.ts'
import type { Context } from '#context.ts'
import { broadcast, followSending, GOOD_FOR_MS } from '../follow-transaction.ts'
import { signChecked, type Signer } from '#signers/signer.ts'
import {
  end,
  nextNonce,
  onTheirWay,
  reopen,
  storeFirst,
  waiting,
  type Attempt,
  type Outcome,
  type Sending,
} from '../store/transactions.ts'

const { max } = keeper.jobs.send
const GWEI = 1_000_000_000n
/** Most gas that a call of ours may need; a mark takes about 65,000. */
const GAS_MAX = 1_000_000n
/** How long an ending may still be taken back by replaced blocks. */
const REORG_WINDOW_MS = 3_600_000
const windowStart = (now: Date) => new Date(now.getTime() - REORG_WINDOW_MS)

/**
 * Follows what is on its way and sends what was decided, in the order of nonces. Whatever this process died over is
 * there as a row, and each row is picked up where it stands.
 */
export const send =
  (context: Context): Job =>
  async (signal) => {
    const { chain, signer, transaction, clock } = context
    if (chain === null || signer === null) return { done: 0 }
    const account = { chainId: chain.id, sender: signer.address }
    const sender = await readSender(chain, signer.address, signal)
    const moving = await transaction(async (tx) => {
      await reopen(tx, account, sender.nonce, windowStart(clock.now()), max)
      return onTheirWay(tx, account, max)
    })
    let ended = 0
    for (const sending of moving)
      if ((await followSending(context, chain, signer, sending, sender, signal)) !== null) ended += 1
    let sent = 0
    const room = max - Math.min(max, moving.length - ended)
    for (const sending of await transaction((tx) => waiting(tx, account, room)))
      if (await sendFirst(context, chain, signer, sending, sender, signal)) sent += 1
    return { done: ended + sent, ended, sent }
  }

async function sendFirst(
  context: Context,
  chain: Chain,
  signer: Signer,
  sending: Sending,
  sender: SenderState,
  signal: AbortSignal,
): Promise<boolean> {
  const { transaction, clock, log, settings } = context
  const account = { chainId: chain.id, sender: signer.address }
  const line = { kind: sending.kind, public_id: sending.public_id, vault: sending.vault }
  const give = async (outcome: Outcome, detail: string | null) => {
    await transaction((tx) => end(tx, sending.id, { outcome, detail, txHash: null }, clock.now()))
    log.warn({ ...line, outcome, detail }, 'transaction not sent')
    return false
  }
  if (clock.now().getTime() - sending.decided_at.getTime() > GOOD_FOR_MS) return give('expired', null)
  const { feeMax, tipMax } = sender.fees
  if (feeMax > BigInt(settings.feeMaxGwei) * GWEI) {
    log.warn(line, 'gas costs more than SVC_KEEPER_FEE_MAX_GWEI: the transaction waits')
    return false
  }
  const call = { from: signer.address, to: sending.vault as Address, data: sending.data as Hex }
  const tried = await callAt(chain, { ...call, signal })
  if (!tried.ok) return give('refused', tried.revert?.name ?? tried.revert?.selector ?? 'out of gas')
  const gas = await gasOf(chain, call, signal)
  if (gas === null) return give('refused', 'gas')
  if (sender.balance < gas * feeMax) {
    log.error({ ...line, account: signer.address }, 'the account has too little ether for gas: the transaction waits')
    return false
  }
  const nonce = await transaction((tx) => nextNonce(tx, account, sender.nonce, windowStart(clock.now())))
  const { raw, hash } = await signChecked(signer, {
    type: 'eip1559',
    chainId: chain.id,
    nonce,
    to: call.to,
    data: call.data,
    gas,
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
  if (!(await transaction((tx) => storeFirst(tx, account, sending.id, nonce, attempt)))) return false
  await broadcast(chain, attempt, signal)
  log.info({ ...line, nonce, tx_hash: hash }, 'transaction sent')
  return true
}

/** Gas limit of a call with a third to spare; null when it is more than any call of ours needs. */
async function gasOf(
  chain: Chain,
  call: { readonly from: Address; readonly to: Address; readonly data: Hex },
  signal: AbortSignal,
): Promise<bigint | null> {
  const estimated = BigInt(String(await chain.request('eth_estimateGas', [call], signal)))
  const gas = estimated + estimated / 3n
  return gas > GAS_MAX ? null : gas
}
