import type { Client } from './client.ts'
import type { Answer, Input } from './operations.ts'
import { RefusalError } from './refusal.ts'
import { wait } from './wait.ts'
import { walletOf, WalletError, type PreparedTransaction, type Signer, type Wallet } from './wallet.ts'

const LOOK_AGAIN_MS = 500

export interface VaultOptions {
  /** Longest wait until a transaction is in a block and the service has read it, milliseconds; default 120,000. */
  readonly minedMs?: number
  readonly signal?: AbortSignal
}

/** No transaction is possible now; the reason is that of the service. Nothing was sent. */
export class NoCallError extends Error {
  override readonly name = 'NoCallError'
  readonly reason: string | null

  constructor(what: string, { reason, detail }: { readonly reason: string | null; readonly detail: string | null }) {
    super(`${what}: ${detail ?? reason ?? 'the service prepares no call'}`)
    this.reason = reason
  }
}

/** A transaction that was sent has failed on the chain, or is in no block yet. Look for its hash before you send another. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
  readonly hash: string
  readonly reverted: boolean

  constructor(what: string, hash: string, reverted: boolean) {
    super(`${what}: transaction ${hash} ${reverted ? 'was reverted' : 'is in no block yet'}`)
    this.hash = hash
    this.reverted = reverted
  }
}

/** A transaction with the answer of the service to its report. */
export interface Done<T> {
  readonly hash: string
  readonly report: T
}

/** A call of the agent that an owner must approve first. Ask again once it is approved. */
export interface Waiting {
  readonly hash: null
  readonly waiting: Extract<Answer<'prepareExecution'>, { readonly code: 'pending_approval' }>
}

type Event = Omit<Input<'reportEvent'>, 'public_id' | 'tx_hash' | 'occurred_at'>
type Execution = Omit<Input<'prepareExecution'>, 'public_id'> & { readonly event: Event }
type VaultReport = Answer<'recordVaultTransaction'>

/** The vault of one mandate. Each function prepares a call, has the wallet sign and send it, and reports it. */
export interface Vault {
  /** Signs the terms, as the owner. */
  signTerms(): Promise<Answer<'signTerms'>>
  /** Creates the vault of the signed terms, as the owner. */
  create(): Promise<Done<Answer<'attachVault'>>>
  /** Allows and pays in an amount of USDC, as the owner. */
  deposit(amountUsdc: string): Promise<Done<VaultReport>>
  pause(): Promise<Done<VaultReport>>
  resume(): Promise<Done<VaultReport>>
  /** Stops the vault and revokes the agent for good. */
  stop(): Promise<Done<VaultReport>>
  withdraw(): Promise<Done<VaultReport>>
  /** Sends a call of the agent through the vault and reports the event that it is. Rejects with the verdicts if refused. */
  execute(execution: Execution): Promise<Done<Answer<'reportEvent'>> | Waiting>
}

interface Scene {
  readonly client: Client
  readonly wallet: Wallet
  readonly public_id: string
  readonly minedMs: number
  readonly signal: AbortSignal | undefined
}

/** Sends a prepared transaction and waits until it is in a block. */
async function sendAndWait(scene: Scene, what: string, transaction: PreparedTransaction): Promise<string> {
  const { wallet, minedMs, signal } = scene
  if (transaction.from.toLowerCase() !== wallet.address.toLowerCase())
    throw new WalletError(`${what}: the call is for wallet ${transaction.from}, and this wallet is ${wallet.address}`)
  const hash = await wallet.sendTransaction(transaction)
  const end = Date.now() + minedMs
  for (;;) {
    const succeeded = await wallet.succeeded(hash)
    if (succeeded === true) return hash
    if (succeeded === false || Date.now() > end) throw new TransactionError(what, hash, succeeded === false)
    await wait(LOOK_AGAIN_MS, signal)
  }
}

/** Codes of a transaction that the service does not see yet, because its node is behind or wants more blocks. */
const NOT_YET: ReadonlySet<string> = new Set(['hub_transaction_unknown', 'hub_transaction_unconfirmed'])

/** Reports a transaction, again and again until the service has read its receipt. */
async function reported<T>({ minedMs, signal }: Scene, report: () => Promise<T>): Promise<T> {
  const end = Date.now() + minedMs
  for (;;) {
    try {
      return await report()
    } catch (error) {
      if (!(error instanceof RefusalError) || !NOT_YET.has(error.code) || Date.now() > end) throw error
      await wait(error.retryAfterMs ?? LOOK_AGAIN_MS, signal)
    }
  }
}

interface Prepared {
  readonly tx: PreparedTransaction | null
  readonly reason?: string | null
  readonly detail?: string | null
}

function transactionOf(what: string, { tx, reason = null, detail = null }: Prepared): PreparedTransaction {
  if (tx === null) throw new NoCallError(what, { reason, detail })
  return tx
}

/** Does one act of the owner: prepares, sends, reports. */
async function act(scene: Scene, kind: Input<'recordVaultTransaction'>['kind'], prepared: Prepared) {
  const hash = await sendAndWait(scene, kind, transactionOf(kind, prepared))
  return { hash, report: await recorded(scene, kind, hash) }
}

const recorded = (scene: Scene, kind: Input<'recordVaultTransaction'>['kind'], tx_hash: string, amount_usdc?: string) =>
  reported(scene, () =>
    scene.client.api.recordVaultTransaction({ public_id: scene.public_id, kind, tx_hash, amount_usdc }),
  )

async function create(scene: Scene): Promise<Done<Answer<'attachVault'>>> {
  const { client, public_id } = scene
  const hash = await sendAndWait(
    scene,
    'create',
    transactionOf('create', await client.api.prepareCreation({ public_id })),
  )
  return { hash, report: await reported(scene, () => client.api.attachVault({ public_id, tx_hash: hash })) }
}

async function deposit(scene: Scene, amount_usdc: string): Promise<Done<VaultReport>> {
  const { txs } = await scene.client.api.planFunding({ public_id: scene.public_id, amount_usdc })
  if (txs === null) throw new NoCallError('deposit', { reason: null, detail: `name an amount, not ${amount_usdc}` })
  await sendAndWait(scene, 'approve', txs.approve)
  const hash = await sendAndWait(scene, 'deposit', txs.deposit)
  return { hash, report: await recorded(scene, 'deposit', hash, amount_usdc) }
}

async function execute(scene: Scene, { event, ...call }: Execution): Promise<Done<Answer<'reportEvent'>> | Waiting> {
  const { client, public_id } = scene
  const prepared = await client.api.prepareExecution({ public_id, ...call })
  if (!('tx' in prepared)) return { hash: null, waiting: prepared }
  const hash = await sendAndWait(scene, 'execute', prepared.tx)
  const occurred_at = new Date().toISOString()
  const report = await client.api.reportEvent({ public_id, ...event, tx_hash: hash, occurred_at })
  return { hash, report }
}

/** Returns the vault of a mandate for a wallet: that of its owner, or of its agent. */
export async function vaultOf(
  client: Client,
  signer: Signer,
  publicId: string,
  { minedMs = 120_000, signal }: VaultOptions = {},
): Promise<Vault> {
  const { api } = client
  const mandate = { public_id: publicId }
  const wallet = await walletOf(signer)
  const scene: Scene = { client, wallet, public_id: publicId, minedMs, signal }
  return {
    signTerms: async () => {
      const { typed_data, terms_hash } = await api.readTerms(mandate)
      const signature = await wallet.signTypedData(typed_data as never)
      return api.signTerms({ ...mandate, signature, terms_hash })
    },
    create: () => create(scene),
    deposit: (amountUsdc) => deposit(scene, amountUsdc),
    pause: async () => act(scene, 'pause', await api.preparePause(mandate)),
    resume: async () => act(scene, 'resume', await api.prepareResume(mandate)),
    stop: async () => act(scene, 'stop', await api.prepareStop(mandate)),
    withdraw: async () => act(scene, 'withdraw', await api.prepareWithdrawal(mandate)),
    execute: (execution) => execute(scene, execution),
  }
}
