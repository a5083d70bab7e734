import type { ChainTransaction } from '@svc/contracts/chain-indexer-facts'
import { mandates } from '@svc/contracts/mandates'
import { emit, type Tx } from '@svc/postgres'
import { getAddress } from 'viem'
import { appendEntry } from './append-entry.ts'
import { afterFact, booksOf } from './domain/books.ts'
import { ownerIdOf, type Mandate } from './domain/mandate.ts'
import { foreignAgent } from './domain/states.ts'
import { settleState } from './move-mandate.ts'
import { factsOfVault, storeFact, type ChainFact } from './store/chain-facts.ts'
import { lockMandateById } from './store/mandates.ts'
import { insertVault, lockVault, storeBooks, type Vault } from './store/vaults.ts'

/** Events that are no steps of the record: the worth series keeps them. */
const UNRECORDED = new Set(['Marked'])

/** A vault that a factory created, as the chain says. Addresses and hashes are lower case. */
export interface Creation {
  readonly chainId: number
  readonly txHash: string
  readonly vault: string
  readonly factory: string
  readonly version: 1 | 2
  readonly owner: string
  readonly agent: string
  readonly mandateIdHash: string
  readonly termsHash: string
  /** 0 for a receipt. */
  readonly revision: number
}

/**
 * Stores a fact of a vault and, where the vault is a mandate's, brings its books, record and state up to it. Lower
 * revisions than the known one change nothing, so facts may come twice and in any order.
 */
export async function applyFact(tx: Tx, fact: ChainFact, now: Date): Promise<void> {
  const vault = await lockVault(tx, fact.chainId, fact.vault)
  const change = await storeFact(tx, fact)
  if (vault === null || change === 'old' || change === 'confirmed') return
  const mandate = await lockMandateById(tx, vault.mandate_id)
  const appended = change === 'appeared' && fact.blockNumber >= (vault.books_block ?? 0)
  const books = appended ? afterFact(vault.books, fact) : await refold(tx, vault)
  if (appended) await storeBooks(tx, mandate.id, books, fact.blockNumber)

  if (!UNRECORDED.has(fact.name)) {
    const orphaned = change === 'orphaned'
    await appendEntry(tx, mandate, {
      at: now,
      kind: orphaned ? 'chain_fact_orphaned' : 'chain_fact',
      source: 'chain',
      txHash: fact.txHash,
      body: {
        name: fact.name,
        args: { ...fact.args },
        chain_id: fact.chainId,
        vault: getAddress(fact.vault),
        log_ordinal: fact.logOrdinal,
        block_number: fact.blockNumber,
        block_hash: fact.blockHash,
        block_time: fact.blockTime,
        revision: fact.revision,
      },
    })
    if (fact.name === 'AgentSet' && !orphaned && foreignAgent(books, mandate.agent?.wallet.toLowerCase() ?? null))
      await appendEntry(tx, mandate, {
        at: now,
        kind: 'foreign_agent',
        source: 'chain',
        txHash: fact.txHash,
        body: { agent: getAddress(books.agent) },
      })
  }
  await settleState(tx, mandate, { now, source: 'chain', txHash: fact.txHash, orphaned: !fact.canonical })
}

/** The books from all facts that stand, for when one went, moved or came late. */
async function refold(tx: Tx, vault: Pick<Vault, 'mandate_id' | 'chain_id' | 'address' | 'agent'>) {
  const facts = await factsOfVault(tx, vault.chain_id, vault.address)
  const books = booksOf(vault.agent, facts)
  await storeBooks(tx, vault.mandate_id, books, facts.at(-1)?.block_number ?? null)
  return books
}

/**
 * Makes a created vault the mandate's. The caller has checked that it is the right one and holds the locks of the
 * vault and the mandate, in this order. Facts that came before count at once.
 */
export async function attach(
  tx: Tx,
  mandate: Mandate,
  creation: Creation,
  trigger: { readonly now: Date; readonly source: 'owner' | 'chain' },
): Promise<Mandate> {
  const { now, source } = trigger
  const vault = {
    mandate_id: mandate.id,
    chain_id: creation.chainId,
    address: creation.vault,
    factory: creation.factory,
    version: creation.version,
    creation_tx: creation.txHash,
    agent: creation.agent,
    revision: creation.revision,
  }
  await insertVault(tx, vault, now)
  await refold(tx, vault)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'vault_attached',
    source,
    txHash: creation.txHash,
    body: {
      chain_id: creation.chainId,
      vault: getAddress(creation.vault),
      factory: getAddress(creation.factory),
      version: creation.version,
      terms_hash: creation.termsHash,
    },
  })
  await emit(tx, mandates.events.vaultAttached, {
    public_id: mandate.publicId,
    owner_id: ownerIdOf(mandate),
    agent_id: mandate.agent?.id ?? null,
    chain_id: creation.chainId,
    vault: getAddress(creation.vault),
    at: now.toISOString(),
  })
  return settleState(tx, mandate, { now, source, txHash: creation.txHash })
}

/** What differs between a created vault and the mandate it is to serve; null when nothing does. */
export function creationMismatch(
  creation: Creation,
  expected: {
    readonly chainId: number
    readonly factory: string
    readonly mandateIdHash: string
    readonly owner: string
    readonly agent: string
    readonly termsHash: string
  },
): 'chain' | 'factory' | 'mandate' | 'owner' | 'agent' | 'terms' | null {
  const differs = (one: string, other: string) => one.toLowerCase() !== other.toLowerCase()
  if (creation.chainId !== expected.chainId) return 'chain'
  if (differs(creation.mandateIdHash, expected.mandateIdHash)) return 'mandate'
  if (differs(creation.owner, expected.owner)) return 'owner'
  if (differs(creation.factory, expected.factory)) return 'factory'
  if (differs(creation.agent, expected.agent)) return 'agent'
  return differs(creation.termsHash, expected.termsHash) ? 'terms' : null
}

/** The facts of a vault in a receipt, before the sweep has come by. */
export function factsOfReceipt(transaction: ChainTransaction, vault: string): readonly ChainFact[] {
  const { block_number, block_hash, block_time } = transaction
  if (block_number === null || block_hash === null || block_time === null) return []
  return transaction.logs
    .filter((log) => log.vault.toLowerCase() === vault && log.name !== 'VaultCreated')
    .map((log) => ({
      chainId: transaction.chain_id,
      txHash: transaction.tx_hash.toLowerCase(),
      logOrdinal: log.log_ordinal,
      vault,
      name: log.name,
      args: log.args,
      blockNumber: block_number,
      blockHash: block_hash.toLowerCase(),
      blockTime: block_time,
      revision: 0,
      canonical: true,
    }))
}
