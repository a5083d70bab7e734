import { callAt, lookUpTransaction, RpcRefused, type Chain } from '@svc/chain'
import type { Adapter, Ending, Found, Plan, Signed } from '@svc/outbound'
import { parseTransaction, toHex, type Address, type Hex } from 'viem'
import type { Context } from '#context.ts'
import { signChecked, type Signer, type UnsignedTransaction } from '#signers/signer.ts'
import { chargedFee, replacementFees, type Fees } from './rules/fees.ts'
import type { SenderState } from './sender-state.ts'
import {
  attemptsOf,
  nextNonce,
  storeAttempt,
  storeEnding,
  storeFirstAttempt,
  type Account,
  type Attempt,
  type Transaction,
  type TransactionEnding,
} from './store/transactions.ts'

/**
 * A decision is valid for this long; after that a cancellation uses its nonce, and the next run decides again. A transfer of
 * ether does not age: it is sent again with a higher fee.
 */
const VALID_MS = 120_000
/** Maximum number of signed transactions with one nonce. */
const ATTEMPTS_MAX = 20
const CANCEL_GAS = 21_000n
const GWEI = 1_000_000_000n
/** Highest gas limit of a call; a mark takes about 65,000. */
const GAS_MAX = 1_000_000n
/** Highest gas limit of a transfer of ether, which the code of the recipient may use up. */
const TRANSFER_GAS_MAX = 100_000n

/** An account with transactions, as one run sees it. */
interface FollowedAccount {
  readonly chain: Chain
  readonly state: SenderState
}

/** The account that sends, as one run sees it. */
interface SendingAccount extends FollowedAccount {
  readonly signer: Signer
  /** Nonces of transactions that ended since then are not given again: a node that lags would accept them. */
  readonly since: Date
}

/** A call or transfer that was tried on the newest block and fits the limits of gas. */
type Content = Pick<UnsignedTransaction, 'to' | 'data' | 'value' | 'gas'>

/** Connects the transactions of one account with the chain. Points in time are numbers of transactions of that account. */
export function transactionAdapter(
  context: Context,
  account: SendingAccount,
  signal: AbortSignal,
): Adapter<Transaction, Content> {
  return {
    ...followingAdapter(context, account, signal),
    plan: (row) => planOf(context, account, row, signal),
    sign: (row, content) => signFirst(context, account, row, content),
    replace: (row) => replacementOf(context, account, row),
  }
}

/**
 * Connects the transactions of an account whose key was replaced: what was signed goes on to its end by its stored bytes, what was
 * not is given up, and nothing is signed.
 */
export function followingAdapter(
  context: Context,
  account: FollowedAccount,
  signal: AbortSignal,
): Adapter<Transaction, never> {
  const { state, chain } = account
  return {
    plan: async (row) => {
      const own = { outcome: 'expired', detail: 'key_replaced', txHash: null, fee: null } as const
      return { act: 'give_up', ending: endingOf(context, row, 'expired', own) }
    },
    sign: () => Promise.reject(new Error('an account whose key was replaced signs nothing')),
    send: async ({ id }) => {
      const newest = (await context.transaction((tx) => attemptsOf(tx, id))).at(-1)
      if (newest !== undefined) await broadcast(chain, newest, signal)
      // What the node answers says nothing of a block: the next run looks.
      return { says: 'unclear' }
    },
    find: (row) => findMined(context, account, row, signal),
    // A transaction with this nonce is in a block, ours or another: no further copy is sent.
    now: () => state.nonce,
    validUntil: ({ nonce }) => nonce,
    describe: ({ kind, public_id, vault, nonce }) => ({ transaction: kind, public_id, vault, nonce }),
  }
}

/** Sends a signed transaction to the RPC. Safe to repeat: the chain accepts one transaction per nonce. */
async function broadcast(chain: Chain, { raw }: Attempt, signal: AbortSignal): Promise<void> {
  try {
    await chain.request('eth_sendRawTransaction', [raw], signal)
  } catch (error) {
    // Already known, nonce already used, or too cheap to replace another one: the next run sees which.
    if (!(error instanceof RpcRefused)) throw error
  }
}

/** Returns the end of a transaction with the columns of its kind. */
function endingOf({ clock }: Context, { id }: Transaction, outcome: Ending['outcome'], own: TransactionEnding): Ending {
  const { outcome: word, detail, txHash, fee } = own
  const evidence = { transaction: word, detail, tx_hash: txHash, fee_wei: fee === null ? null : String(fee) }
  return { outcome, evidence, store: (tx) => storeEnding(tx, id, own, clock.now()) }
}

/** Decides whether a call can be sent now. Gives up one that is too old or would revert. */
async function planOf(
  context: Context,
  { chain, signer, state }: SendingAccount,
  row: Transaction,
  signal: AbortSignal,
): Promise<Plan<Content>> {
  const { clock, log, settings } = context
  const { id, kind, public_id, vault } = row
  const line = { effect: id, kind, public_id, vault }
  const giveUp = (outcome: 'refused' | 'expired', detail: string | null): Plan<Content> => ({
    act: 'give_up',
    ending: endingOf(context, row, outcome, { outcome, detail, txHash: null, fee: null }),
  })
  if (clock.now().getTime() - row.decided_at.getTime() > VALID_MS) return giveUp('expired', null)
  const { feeMax } = state.fees
  if (feeMax > BigInt(settings.feeMaxGwei) * GWEI) {
    log.warn(line, 'gas costs more than SVC_KEEPER_FEE_MAX_GWEI: the transaction waits')
    return { act: 'wait' }
  }
  const to = (row.target ?? row.vault) as Address
  const call = { from: signer.address, to, data: row.data as Hex, value: row.value_wei }
  const tried = await callAt(chain, { ...call, signal })
  if (!tried.ok) return giveUp('refused', tried.revert?.name ?? tried.revert?.selector ?? 'out of gas')
  const gas = await gasOf(chain, call, kind === 'gas_drip' ? TRANSFER_GAS_MAX : GAS_MAX, signal)
  if (gas === null) return giveUp('refused', 'gas')
  if (state.balance < gas * feeMax + call.value) {
    log.error({ ...line, account: signer.address }, 'the account has too little ether: the transaction waits')
    return { act: 'wait' }
  }
  return { act: 'sign', plan: { ...call, gas } }
}

/** Returns the estimated gas of a call plus a third; null above the maximum. */
async function gasOf(
  chain: Chain,
  call: Omit<Content, 'gas'> & { readonly from: Address },
  max: bigint,
  signal: AbortSignal,
): Promise<bigint | null> {
  const asked = { ...call, value: toHex(call.value) }
  const estimated = BigInt(String(await chain.request('eth_estimateGas', [asked], signal)))
  const gas = estimated + estimated / 3n
  return gas > max ? null : gas
}

/** Signs a call with the next nonce of the account, which is stored together with it. */
async function signFirst(
  { transaction, clock }: Context,
  account: SendingAccount,
  { id }: Transaction,
  content: Content,
): Promise<Signed> {
  const { chain, signer, state, since } = account
  const sender: Account = { chainId: chain.id, sender: signer.address }
  const nonce = await transaction((tx) => nextNonce(tx, sender, state.nonce, since))
  const attempt = await signAttempt(account, nonce, content, state.fees)
  const first = { ...attempt, number: 1, kind: 'call', signed_at: clock.now() } as const
  return { store: (tx) => storeFirstAttempt(tx, sender, id, nonce, first) }
}

async function signAttempt(
  { chain, signer }: SendingAccount,
  nonce: number,
  { to, data, value, gas }: Content,
  { feeMax, tipMax }: Fees,
): Promise<Pick<Attempt, 'tx_hash' | 'raw' | 'fee_max' | 'tip_max'>> {
  const fees = { maxFeePerGas: feeMax, maxPriorityFeePerGas: tipMax }
  const unsigned = { type: 'eip1559', chainId: chain.id, nonce, to, data, value, gas, ...fees } as const
  const { raw, hash } = await signChecked(signer, unsigned)
  return { tx_hash: hash, raw, fee_max: feeMax, tip_max: tipMax }
}

/** Looks for the receipts of all attempts, and returns what they prove. */
async function findMined(
  context: Context,
  { chain, state }: FollowedAccount,
  row: Transaction,
  signal: AbortSignal,
): Promise<Found> {
  // The receipts are asked for after the number of final transactions was read: that number is the clock of the look-up.
  const began = state.finalNonce
  for (const { kind, tx_hash } of await context.transaction((tx) => attemptsOf(tx, row.id))) {
    const mined = await lookUpTransaction(chain, tx_hash as Hex, signal)
    if (mined.state !== 'mined') continue
    const called = mined.receipt.status === 'success' ? 'done' : 'reverted'
    const outcome = kind === 'cancel' ? 'cancelled' : called
    const fee = mined.confirmed ? chargedFee(mined.receipt) : null
    const own = { outcome, detail: null, txHash: tx_hash, fee } as const
    const isDone = outcome === 'done'
    const ending = () => endingOf(context, row, ENDS[outcome], own)
    return { began, says: mined.confirmed ? (isDone ? 'done' : 'refused') : 'open', executed: isDone, endingOf: ending }
  }
  const taken = { outcome: 'nonce_taken', detail: null, txHash: null, fee: null } as const
  return { began, says: 'unknown', executed: false, endingOf: () => endingOf(context, row, 'replaced', taken) }
}

const ENDS = { done: 'done', reverted: 'refused', cancelled: 'replaced' } as const

/** Signs an attempt that replaces the newest one, if that one was not mined in time. */
async function replacementOf(
  { transaction, clock, settings, log }: Context,
  account: SendingAccount,
  row: Transaction,
): Promise<Signed | null> {
  const attempts = await transaction((tx) => attemptsOf(tx, row.id))
  const newest = attempts.at(-1)
  const { id, nonce, kind, public_id, vault } = row
  const now = clock.now()
  if (newest === undefined || nonce === null || now.getTime() - newest.signed_at.getTime() < VALID_MS) return null
  const before = { feeMax: newest.fee_max, tipMax: newest.tip_max }
  const fees = replacementFees(before, account.state.fees, BigInt(settings.feeMaxGwei) * GWEI)
  if (fees === null || attempts.length >= ATTEMPTS_MAX) {
    const line = { effect: id, kind, public_id, vault, nonce }
    log.warn(line, 'transaction is stuck and cannot be replaced at the highest fee allowed')
    return null
  }
  const isTransfer = kind === 'gas_drip'
  const content = isTransfer ? sameTransfer(row, newest) : cancellation(account.signer)
  const attempt = await signAttempt(account, nonce, content, fees)
  const replacing = {
    ...attempt,
    number: newest.number + 1,
    kind: isTransfer ? 'call' : 'cancel',
    signed_at: now,
  } as const
  return { store: (tx) => storeAttempt(tx, id, replacing) }
}

const cancellation = ({ address }: Signer): Content => ({ to: address, data: '0x', value: 0n, gas: CANCEL_GAS })

/** Returns what the earlier attempt of a transfer sends, so that either pays the recipient once. */
function sameTransfer({ vault, value_wei }: Transaction, { raw }: Attempt): Content {
  const { gas } = parseTransaction(raw as `0x02${string}`)
  if (gas === undefined) throw new Error('a stored attempt has no gas limit')
  return { to: vault as Address, data: '0x', value: value_wei, gas }
}
