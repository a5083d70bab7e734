import { lookUpTransaction, RpcRefused, type Chain } from '@svc/chain'
import { evidenceOf } from '@svc/outbound/rules'
import { parseTransaction, type Address, type Hex } from 'viem'
import type { Context } from '#context.ts'
import { signChecked, type Signer, type UnsignedTransaction } from '#signers/signer.ts'
import { chargedFee, replacementFees } from './rules/fees.ts'
import type { SenderState } from './sender-state.ts'
import {
  attemptsOf,
  endTransaction,
  storeAttempt,
  type Attempt,
  type Ending,
  type OpenTransaction,
} from './store/transactions.ts'

/**
 * A decision is valid for this long; after that a cancellation uses its nonce, and the next run decides again. A transfer of
 * ether does not age: it is sent again with a higher fee.
 */
export const VALID_MS = 120_000
/** Maximum number of signed transactions with one nonce. */
const ATTEMPTS_MAX = 20
const CANCEL_GAS = 21_000n
const GWEI = 1_000_000_000n

/** The account that sends, as one run sees it. */
export interface SendingAccount {
  readonly chain: Chain
  readonly signer: Signer
  readonly state: SenderState
}

/** An open transaction with a nonce. */
export type SentTransaction = OpenTransaction & { readonly nonce: number }

/** Sends a signed transaction to the RPC. Safe to repeat: the chain accepts one transaction per nonce. */
export async function broadcast(chain: Chain, attempt: Pick<Attempt, 'raw'>, signal: AbortSignal): Promise<void> {
  try {
    await chain.request('eth_sendRawTransaction', [attempt.raw], signal)
  } catch (error) {
    // Already known, nonce already used, or too cheap to replace another one: the next run sees which.
    if (!(error instanceof RpcRefused)) throw error
  }
}

/** Ends a transaction once it is final, otherwise broadcasts or replaces it. Returns its ending; null while it is open. */
export async function followTransaction(
  context: Context,
  { chain, signer, state }: SendingAccount,
  open: SentTransaction,
  signal: AbortSignal,
): Promise<Ending | null> {
  const { transaction, clock, log } = context
  const attempts = await transaction((tx) => attemptsOf(tx, open.id))
  const { found, ending } = await findMined(chain, attempts, signal)
  // The receipts were asked for after the number of final transactions was read: that number is the clock of the look-up.
  const look = { began: state.finalNonce, says: found ? 'open' : 'unknown', executed: false } as const
  const taken: Ending | null =
    evidenceOf(look, open.nonce) === 'not_done'
      ? { outcome: 'nonce_taken', detail: null, txHash: null, fee: null }
      : null
  const ended = ending ?? taken
  if (ended !== null) {
    await transaction((tx) => endTransaction(tx, open.id, ended, clock.now()))
    const { outcome, detail, txHash, fee } = ended
    const line = { ...lineOf(open), outcome, detail, tx_hash: txHash, fee_wei: fee === null ? null : String(fee) }
    log[outcome === 'done' ? 'info' : 'warn'](line, 'transaction ended')
    return ended
  }
  // A transaction with this nonce is in a block, ours or another; it only needs confirmations.
  if (found || state.nonce > open.nonce) return null
  const newest = await newestAttempt(context, { chain, signer, state }, open, attempts)
  if (newest !== undefined) await broadcast(chain, newest, signal)
  return null
}

const lineOf = ({ kind, public_id, vault, nonce }: OpenTransaction) => ({ kind, public_id, vault, nonce })

/** Returns whether one of the attempts is in a block, and its ending once that block is deep enough. */
async function findMined(
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
      ending: {
        outcome: kind === 'cancel' ? 'cancelled' : called,
        detail: null,
        txHash: tx_hash,
        fee: chargedFee(state.receipt),
      },
    }
  }
  return { found: false, ending: null }
}

/** Returns the attempt to broadcast: the newest one, or one that replaces it if that one was not mined in time. */
async function newestAttempt(
  { transaction, clock, settings, log }: Context,
  { chain, signer, state }: SendingAccount,
  open: SentTransaction,
  attempts: readonly Attempt[],
): Promise<Attempt | undefined> {
  const newest = attempts.at(-1)
  const now = clock.now()
  if (newest === undefined || now.getTime() - newest.signed_at.getTime() < VALID_MS) return newest
  const before = { feeMax: newest.fee_max, tipMax: newest.tip_max }
  const fees = replacementFees(before, state.fees, BigInt(settings.feeMaxGwei) * GWEI)
  if (fees === null || attempts.length >= ATTEMPTS_MAX) {
    log.warn(lineOf(open), 'transaction is stuck and cannot be replaced at the highest fee allowed')
    return newest
  }
  const isTransfer = open.kind === 'gas_drip'
  const { raw, hash } = await signChecked(signer, {
    type: 'eip1559',
    chainId: chain.id,
    nonce: open.nonce,
    ...(isTransfer ? sameTransfer(open, newest) : cancellation(signer)),
    maxFeePerGas: fees.feeMax,
    maxPriorityFeePerGas: fees.tipMax,
  })
  const replacing: Attempt = {
    number: newest.number + 1,
    kind: isTransfer ? 'call' : 'cancel',
    tx_hash: hash,
    raw,
    fee_max: fees.feeMax,
    tip_max: fees.tipMax,
    signed_at: now,
  }
  return (await transaction((tx) => storeAttempt(tx, open.id, replacing))) ? replacing : newest
}

type Content = Pick<UnsignedTransaction, 'to' | 'data' | 'value' | 'gas'>

const cancellation = ({ address }: Signer): Content => ({ to: address, data: '0x', value: 0n, gas: CANCEL_GAS })

/** Returns what the earlier attempt of a transfer sends, so that either pays the recipient once. */
function sameTransfer({ vault, value_wei }: SentTransaction, { raw }: Attempt): Content {
  const { gas } = parseTransaction(raw as `0x02${string}`)
  if (gas === undefined) throw new Error('a stored attempt has no gas limit')
  return { to: vault as Address, data: '0x', value: value_wei, gas }
}
