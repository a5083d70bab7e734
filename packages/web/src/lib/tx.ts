import { ForeignCall, type CallDifference } from './chain.ts'
import { sendBatch } from './batch.ts'
import { countOf, followTransaction, receiptOf, type Patience } from './receipts.ts'
import { forgetCall, rememberCall, sentCall, type SentCall, type Shelf } from './sent-calls.ts'
import {
  faultOf,
  mustBeAccount,
  sendCall,
  switchTo,
  type CheckedCall,
  type Hex,
  type Network,
  type Signer,
  type WalletFaultKind,
} from './wallet.ts'

/** Where a transaction of a page stands. */
export type TxStage = 'confirm' | 'wallet' | 'chain' | 'record' | 'done'

/** Why a stage did not end. */
export type TxFault =
  | { readonly kind: 'wallet'; readonly wallet: WalletFaultKind; readonly said: string | null }
  | { readonly kind: 'foreign'; readonly differences: readonly CallDifference[] }
  /**
   * The wallet was asked before a reload, and its prompt may still be open. `moved`: the account has sent something since;
   * null if the wallet does not tell.
   */
  | { readonly kind: 'unsure'; readonly moved: boolean | null }
  | { readonly kind: 'reverted' | 'dropped' | 'replaced' | 'slow' }
  /** An answer of the service; the page shows it as it shows every other. */
  | { readonly kind: 'service'; readonly error: unknown }

export interface TxState {
  readonly stage: TxStage
  readonly busy: boolean
  readonly hash: Hex | null
  readonly fault: TxFault | null
}

/** What one transaction needs. */
export interface TxPlan {
  /** Which act of which mandate; one at a time has this key. */
  readonly key: string
  readonly signer: Signer
  readonly network: Network
  /** Asks the service for the call, or for calls that go in one batch, and checks them. Throws `ForeignCall`. */
  readonly prepare: () => Promise<CheckedCall | readonly CheckedCall[]>
  /** Tells the service of the mined transaction. `'wait'` asks to be called again; throws what the service refuses. */
  readonly record: (hash: Hex) => Promise<'recorded' | 'wait'>
  /** Whether the service already knows the effect, however it came about. */
  readonly happened: () => Promise<boolean>
}

/** What a page gives to every transaction. */
export interface TxMeans {
  readonly shelf: Shelf
  readonly patience: Patience
  readonly now: () => number
}

export const TX_START: TxState = { stage: 'confirm', busy: false, hash: null, fault: null }

type Tell = (state: TxState) => void

/** Returns the state in which a page opens: a transaction that was asked for before a reload is followed, not sent again. */
export function txAtOpening(shelf: Shelf, key: string): TxState {
  const sent = sentCall(shelf, key)
  return sent === null ? TX_START : { ...TX_START, stage: sent.hash === null ? 'wallet' : 'chain', hash: sent.hash }
}

/**
 * Takes a transaction from wherever it stands to its end, and tells of each change. It sends only if no transaction with
 * this key was sent, or if the one that was is known to have had no effect.
 */
export async function runTx(plan: TxPlan, means: TxMeans, tell: Tell): Promise<TxState> {
  let state: TxState = { ...txAtOpening(means.shelf, plan.key), busy: true }
  const move = (next: Partial<TxState>): TxState => {
    state = { ...state, ...next }
    tell(state)
    return state
  }
  const stop = (fault: TxFault): TxState => move({ busy: false, fault })
  try {
    const before = sentCall(means.shelf, plan.key)
    const known = before === null ? null : await standingOf(before, plan)
    if (known === 'happened') return finish(plan, means, move)
    if (known !== null && typeof known === 'object') return stop(known)
    const hash = known ?? (await send(plan, means, move))
    return await follow(hash, plan, means, move)
  } catch (error) {
    return stop(faultFrom(error))
  }
}

function faultFrom(error: unknown): TxFault {
  if (error instanceof ForeignCall) return { kind: 'foreign', differences: error.differences }
  const { kind, said } = error instanceof ServiceError ? { kind: null, said: null } : faultOf(error)
  if (kind === null) return { kind: 'service', error: (error as ServiceError).error }
  return { kind: 'wallet', wallet: kind, said }
}

/** Carries an answer of the service through the flow, so that it is not taken for an error of the wallet. */
class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly error: unknown

  constructor(error: unknown) {
    super('the service refused')
    this.error = error
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ForeignCall) throw error
    throw new ServiceError(error)
  }
}

/** Finds out what became of a call that was asked for earlier. Without a hash nobody knows whether its prompt is still open. */
async function standingOf(before: SentCall, { signer, happened }: TxPlan): Promise<Hex | 'happened' | TxFault> {
  if (before.hash !== null) return before.hash
  if (await asked(happened)) return 'happened'
  const count = await countOf(signer.provider, before.from)
  return { kind: 'unsure', moved: before.nonce === null || count === null ? null : count > before.nonce }
}

/** Faults after which it is certain that the wallet sent nothing. */
const NOTHING_SENT: readonly WalletFaultKind[] = [
  'declined',
  'pending',
  'unknown_network',
  'wrong_network',
  'unauthorised',
  'unsupported',
  'locked',
  'other_account',
]

async function send(
  plan: TxPlan,
  { shelf, now, patience }: TxMeans,
  move: (next: Partial<TxState>) => TxState,
): Promise<Hex> {
  const { key, signer, network, prepare } = plan
  move({ stage: 'confirm', busy: true, fault: null, hash: null })
  const call = await asked(prepare)
  move({ stage: 'wallet' })
  await switchTo(signer.provider, network)
  await mustBeAccount(signer)
  const nonce = await countOf(signer.provider, signer.account)
  const asking = { key, from: signer.account, nonce, chainId: network.id, at: now() }
  rememberCall(shelf, { ...asking, hash: null })
  try {
    const hash = await ('to' in call ? sendCall(signer, network, call) : sendBatch(signer, network, call, patience))
    rememberCall(shelf, { ...asking, hash })
    return hash
  } catch (error) {
    const { kind } = faultOf(error)
    const unsent =
      NOTHING_SENT.includes(kind) || (nonce !== null && (await countOf(signer.provider, signer.account)) === nonce)
    if (unsent) forgetCall(shelf, key)
    throw error
  }
}

async function follow(
  hash: Hex,
  plan: TxPlan,
  means: TxMeans,
  move: (next: Partial<TxState>) => TxState,
): Promise<TxState> {
  const { shelf, patience } = means
  const { key, signer, record } = plan
  move({ stage: 'chain', busy: true, fault: null, hash })
  const nonce = sentCall(shelf, key)?.nonce ?? null
  const fate = await followTransaction(signer.provider, { hash, from: signer.account, nonce }, patience)
  if (fate === 'reverted') forgetCall(shelf, key)
  if (fate === 'replaced' && (await asked(plan.happened))) return finish(plan, means, move)
  if (fate !== 'succeeded') return move({ busy: false, fault: { kind: fate ?? 'slow' } })
  move({ stage: 'record' })
  for (let look = 0; look < patience.looksMax; look += 1) {
    if ((await asked(() => record(hash))) === 'recorded') return finish(plan, means, move)
    await patience.pause(patience.everyMs)
  }
  return move({ busy: false, fault: { kind: 'slow' } })
}

function finish({ key }: TxPlan, { shelf }: TxMeans, move: (next: Partial<TxState>) => TxState): TxState {
  forgetCall(shelf, key)
  return move({ stage: 'done', busy: false, fault: null })
}

/**
 * Lets the person send again after a dropped or replaced transaction, or after a reload in which nothing was sent. Looks
 * for the receipt of a known hash once more: a transaction that was mined meanwhile is followed instead.
 */
export async function sendAgain(plan: TxPlan, means: TxMeans, tell: Tell): Promise<TxState> {
  const before = sentCall(means.shelf, plan.key)
  const mined = before !== null && before.hash !== null && (await receiptOf(plan.signer.provider, before.hash)) !== null
  if (!mined) forgetCall(means.shelf, plan.key)
  return runTx(plan, means, tell)
}
