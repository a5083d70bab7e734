import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { nobody, sameAddress, usdcText } from '@svc/limits'
import type { Tx } from '@svc/postgres'
import { getAddress } from 'viem'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import type { LocalContext } from '#context.ts'
import { afterFact, booksOf } from '#books/rules/books.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { foreignAgent } from '#states/rules/states.ts'
import { moveMandate } from '#states/move-mandate.ts'
import type { Scene } from '#mandate/scene.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import { factsOfVault, newestFact, storeFact, type ChainFact } from '#books/store/chain-facts.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { storeBooks, storeCreation, type Vault } from '#books/store/vaults.ts'

/** Facts that are no steps of the record: the worth series keeps marks, and an attachment tells of its creation. */
const UNRECORDED = new Set(['Marked', 'VaultCreated'])

/**
 * Stores a fact of a vault and, where the vault is a mandate's, brings its books, record and state up to it. Lower
 * revisions than the known one change nothing, so facts may come twice and in any order. The vault must be locked;
 * answers the scene as it is then.
 */
export async function applyFact<S extends Scene | null>(
  tx: Tx,
  context: LocalContext,
  scene: S,
  fact: ChainFact,
  now: Date,
): Promise<S | Scene> {
  const change = await storeFact(tx, fact)
  if (scene === null || change === 'old' || change === 'confirmed') return scene
  const { mandate } = scene
  let { vault } = scene
  if (change === 'appeared' && isBehindBooks(vault, fact)) {
    vault = withBooks(vault, afterFact(vault.books, fact), fact)
    await storeBooks(tx, mandate.id, vault.books, fact)
  } else vault = (await foldAgain(tx, vault)).vault
  if (fact.name === 'VaultCreated') vault = await followCreation(tx, mandate, vault, fact, now)
  else await recordFact(tx, context, mandate, fact, now)
  if (fact.name === 'AgentSet' && !foreignAgent(vault.books, mandate.agent?.wallet.toLowerCase() ?? null))
    await resolveAlerts(tx, mandate.id, { kinds: ['foreign_agent'], about: null }, now)
  const trigger = { now, source: 'chain', txHash: fact.txHash, orphaned: !fact.canonical } as const
  return { vault, mandate: await moveMandate(tx, context, mandate, trigger, vault) }
}

const withBooks = (
  vault: Vault,
  books: Vault['books'],
  newest: Pick<ChainFact, 'blockNumber' | 'logIndex'> | null,
) => ({
  ...vault,
  books,
  books_block: newest?.blockNumber ?? null,
  books_log_index: newest?.logIndex ?? null,
})

/** Whether a fact comes after everything that is in the books, in the order of the chain. */
function isBehindBooks({ books_block, books_log_index }: Vault, { blockNumber, logIndex }: ChainFact): boolean {
  if (books_block === null || blockNumber > books_block) return true
  return blockNumber === books_block && books_log_index !== null && logIndex > books_log_index
}

/** Folds the books from all facts that stand, for when one went, moved or came late. */
export async function foldAgain(
  tx: Tx,
  vault: Vault,
): Promise<{ readonly vault: Vault; readonly facts: readonly ChainFact[] }> {
  const facts = await factsOfVault(tx, vault.chain_id, vault.address)
  const folded = withBooks(vault, booksOf(vault.agent, facts), facts.at(-1) ?? null)
  await storeBooks(tx, vault.mandate_id, folded.books, facts.at(-1) ?? null)
  return { vault: folded, facts }
}

/** Puts what a vault logged, or that it is gone, into the record; the owner is told when somebody else may act. */
export async function recordFact(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  fact: ChainFact,
  now: Date,
): Promise<void> {
  if (UNRECORDED.has(fact.name)) return
  const told = { at: now, source: 'chain', txHash: fact.txHash } as const
  await appendEntry(tx, mandate, {
    ...told,
    kind: fact.canonical ? 'chain_fact' : 'chain_fact_orphaned',
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
  if (fact.name === 'Settled') await alertOfSettlement(tx, context, mandate, fact, now)
  const agent = fact.args['agent']
  if (fact.name !== 'AgentSet' || !fact.canonical || typeof agent !== 'string' || sameAddress(agent, nobody)) return
  if (mandate.agent !== null && sameAddress(agent, mandate.agent.wallet)) return
  await appendEntry(tx, mandate, { ...told, kind: 'foreign_agent', body: { agent: getAddress(agent) } })
  await alertOwner(
    tx,
    context,
    mandate,
    {
      kind: 'foreign_agent',
      severity: 'critical',
      text: `${agent} may now act in the vault of "${mandate.name}", which is not the agent that you designated. Revoke it if that was not you.`,
      about: `${fact.txHash}:${fact.logOrdinal}`,
    },
    now,
  )
}

/** Alerts the owner that the fee is fixed; a reorganisation that takes the settlement away resolves the alert. */
async function alertOfSettlement(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  { canonical, args, txHash, logOrdinal }: ChainFact,
  now: Date,
): Promise<void> {
  const [kind, about] = ['settled', `${txHash}:${logOrdinal}`] as const
  if (!canonical) return resolveAlerts(tx, mandate.id, { kinds: [kind], about: [about] }, now)
  const text = `"${mandate.name}" is settled: its fee is ${usdcText(BigInt(String(args['fee'])))} USDC. What is left in the vault is yours to withdraw.`
  await alertOwner(tx, context, mandate, { kind, severity: 'info', text, about }, now)
}

/**
 * A vault is there as long as one transaction that made it stands; the same terms make it at the same address again. One
 * that comes back after the owner has signed for another factory is not the mandate's any more.
 */
async function followCreation(tx: Tx, mandate: Mandate, vault: Vault, fact: ChainFact, now: Date): Promise<Vault> {
  const standing = await newestFact(tx, vault.chain_id, vault.address, 'VaultCreated')
  const signed = await newestTerms(tx, mandate.id)
  const isForVault = signed?.chain_id === vault.chain_id && sameAddress(signed.factory, vault.factory)
  const canonical = standing !== null && isForVault
  const creation_tx = standing?.txHash ?? vault.creation_tx
  if (canonical === vault.canonical && (!canonical || creation_tx === vault.creation_tx)) return vault
  await storeCreation(tx, mandate.id, { canonical, creation_tx })
  await appendEntry(tx, mandate, {
    at: now,
    kind: canonical ? 'vault_restored' : 'vault_orphaned',
    source: 'chain',
    txHash: creation_tx,
    body: { vault: getAddress(vault.address), revision: fact.revision },
  })
  return { ...vault, canonical, creation_tx }
}

/** The facts of a vault in a receipt, its creation included, before the sweep has come by. */
export function factsOfReceipt(transaction: ChainTransaction, vault: string): readonly ChainFact[] {
  const { block_number, block_hash, block_time } = transaction
  if (block_number === null || block_hash === null || block_time === null) return []
  return transaction.logs
    .filter((log) => log.vault.toLowerCase() === vault)
    .map((log) => ({
      chainId: transaction.chain_id,
      txHash: transaction.tx_hash.toLowerCase(),
      logOrdinal: log.log_ordinal,
      logIndex: log.log_index,
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
