import { lookUpTransaction, RpcRefused, type Chain } from '@svc/chain'
import type { Address, Hex } from 'viem'
import type { SenderState } from './sender-state.ts'
import type { Context } from '#context.ts'
import { replacementFees } from './rules/fees.ts'
import { signChecked, type Signer } from '#signers/signer.ts'
import { attemptsOf, end, storeAttempt, type Attempt, type Ending, type Sending } from './store/transactions.ts'

/** A decision is good for so long: afterwards its nonce goes to a cancellation, and the next run decides anew. */
export const GOOD_FOR_MS = 120_000
/** Signed transactions of one nonce at most. */
const ATTEMPTS_MAX = 20
const CANCEL_GAS = 21_000n
const GWEI = 1_000_000_000n

/** Hands a signed transaction to the RPC. Safe to repeat: the chain takes one transaction of a nonce. */
export async function broadcast(chain: Chain, attempt: Pick<Attempt, 'raw'>, signal: AbortSignal): Promise<void> {
  try {
    await chain.request('eth_sendRawTransaction', [attempt.raw], signal)
  } catch (error) {
    // Known already, nonce used, or too cheap to replace: the next look at the chain tells which.
    if (!(error instanceof RpcRefused)) throw error
  }
}

/** Looks where a sending stands: ends it once it is final, or helps it on its way. Answers its ending. */
export async function followSending(
  context: Context,
  chain: Chain,
  signer: Signer,
  sending: Sending & { readonly nonce: number },
  sender: SenderState,
  signal: AbortSignal,
): Promise<Ending | null> {
  const { transaction, clock, log } = context
  const attempts = await transaction((tx) => attemptsOf(tx, sending.id))
  const { found, ending } = await look(chain, attempts, signal)
  const taken: Ending | null =
    !found && sender.finalNonce > sending.nonce ? { outcome: 'nonce_taken', detail: null, txHash: null } : null
  const ended = ending ?? taken
  if (ended !== null) {
    await transaction((tx) => end(tx, sending.id, ended, clock.now()))
    log[ended.outcome === 'done' ? 'info' : 'warn']({ ...lineOf(sending), ...ended }, 'transaction ended')
    return ended
  }
  // In a block already, ours or another one; it only has to get deeper.
  if (found || sender.nonce > sending.nonce) return null
  const newest = await newestAttempt(context, chain, signer, sending, attempts, sender)
  if (newest !== undefined) await broadcast(chain, newest, signal)
  return null
}

const lineOf = ({ kind, public_id, vault, nonce }: Sending) => ({ kind, public_id, vault, nonce })

/** Whether one of the transactions is in a block, and how it ended once that is deep enough. */
async function look(
  chain: Chain,
  attempts: readonly Attempt[],
  signal: AbortSignal,
): Promise<{ readonly found: boolean; readonly ending: Ending | null }> {
  for (const { kind, tx_hash } of attempts) {
    const state = await lookUpTransaction(chain, tx_hash as Hex, signal)
    if (state.state !== 'mined') continue
    if (!state.confirmed) return { found: true, ending: null }
    const called = state.receipt.status === 'success' ? 'done' : 'reverted'
    return {
      found: true,
      ending: { outcome: kind === 'cancel' ? 'cancelled' : called, detail: null, txHash: tx_hash },
    }
  }
  return { found: false, ending: null }
}

/** The transaction to hand out now: the newest one, or a cancellation once that has not been mined for too long. */
async function newestAttempt(
  { transaction, clock, settings, log }: Context,
  chain: Chain,
  signer: Signer,
  sending: Sending & { readonly nonce: number },
  attempts: readonly Attempt[],
  sender: SenderState,
): Promise<Attempt | undefined> {
  const newest = attempts.at(-1)
  const now = clock.now()
  if (newest === undefined || now.getTime() - newest.signed_at.getTime() < GOOD_FOR_MS) return newest
  const before = { feeMax: newest.fee_max, tipMax: newest.tip_max }
  const fees = replacementFees(before, sender.fees, BigInt(settings.feeMaxGwei) * GWEI)
  if (fees === null || attempts.length >= ATTEMPTS_MAX) {
    log.warn(lineOf(sending), 'transaction is stuck and cannot be replaced at the highest fee allowed')
    return newest
  }
  const { raw, hash } = await signChecked(signer, {
    type: 'eip1559',
    chainId: chain.id,
    nonce: sending.nonce,
    to: signer.address as Address,
    data: '0x',
    gas: CANCEL_GAS,
    maxFeePerGas: fees.feeMax,
    maxPriorityFeePerGas: fees.tipMax,
  })
  const cancel: Attempt = {
    number: newest.number + 1,
    kind: 'cancel',
    tx_hash: hash,
    raw,
    fee_max: fees.feeMax,
    tip_max: fees.tipMax,
    signed_at: now,
  }
  return (await transaction((tx) => storeAttempt(tx, sending.id, cancel))) ? cancel : newest
}
