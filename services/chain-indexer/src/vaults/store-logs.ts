import { chainIndexer } from '@svc/contracts/chain-indexer'
import { foldEvent, newVault, type VaultState } from '@svc/limits'
import { emit, emitAll, inBatches, type Emission, type Tx } from '@svc/postgres'
import type { Address } from 'viem'
import type { DecodedLog } from './decode-logs.ts'
import { differencesIn, foldLogs, type Difference } from './rules/fold-books.ts'
import { booksOf, stateOf } from './rules/vault-state.ts'
import { insertLogs, logsToFold, orphanLogs, takenFacts, type NewLog, type TakenLog } from './store/logs.ts'
import { findVaults, orphanVaults, putVault, updateBooks, type ChangedVault, type NewVault } from './store/vaults.ts'

const { vaultCreated, vaultEventSeen, vaultDiffers } = chainIndexer.events

/** A vault while the logs of a chunk are folded. */
interface Folding {
  vault: VaultState
  block: number
  differs: readonly string[]
  /** Set once the books contradict the chain; from then on they do not change. */
  broken: { readonly block: number; readonly differences: readonly Difference[] } | null
  changed: boolean
}

/**
 * Stores the logs of a chunk with the books that follow from them, and publishes each log in their order. Prepares the
 * next rows while the database stores a batch.
 */
export async function storeLogs(
  tx: Tx,
  chainId: number,
  logs: readonly DecodedLog[],
  timeOfBlock: (number: number) => string,
): Promise<void> {
  if (logs.length === 0) return
  const lastOf = new Map(logs.map((log) => [log.vault, log]))
  const foldings = new Map<string, Folding>(
    (await findVaults(tx, chainId, [...lastOf.keys()])).map(({ address, books, books_block, differs }) => [
      address,
      { vault: stateOf(books), block: books_block, differs, broken: null, changed: false },
    ]),
  )
  const revisionOf = await nextRevisions(tx, chainId, logs)
  await inBatches(logs, async (batch) => {
    const rows = batch.map((log): NewLog => {
      const vault = fold(foldings, log)
      return {
        ...log,
        block_time: timeOfBlock(log.block_number),
        args: log.name === 'VaultCreated' ? log.created : log.args,
        books: vault !== null && lastOf.get(log.vault) === log ? booksOf(vault) : null,
        revision: revisionOf(log),
      }
    })
    const emissions = batch.map((log) => emissionOf(chainId, log, timeOfBlock(log.block_number), revisionOf(log)))
    await Promise.all([insertLogs(tx, chainId, rows), emitAll(tx, emissions)])
  })
  for (const log of logs) {
    if (log.name !== 'VaultCreated') continue
    const { vault: address, created, tx_hash, block_number: block } = log
    const vault: NewVault = { address, created, tx_hash, block, time: timeOfBlock(block), revision: revisionOf(log) }
    await putVault(tx, chainId, vault, booksOf(newVault(created.terms.agent as Address)))
  }
  const changed = [...foldings].filter(([, folding]) => folding.changed)
  await updateBooks(
    tx,
    chainId,
    changed.map(([address, { vault, block, differs }]): ChangedVault => ({
      address,
      books: booksOf(vault),
      books_block: block,
      differs,
    })),
  )
  for (const [vault, { broken }] of changed)
    if (broken !== null)
      await emit(tx, vaultDiffers, {
        chain_id: chainId,
        vault,
        block_number: broken.block,
        differences: [...broken.differences],
      })
}

/** Returns the revision of each fact: 1, or the one after the revision with which it was taken back. */
async function nextRevisions(
  tx: Tx,
  chainId: number,
  logs: readonly DecodedLog[],
): Promise<(log: Pick<DecodedLog, 'tx_hash' | 'log_ordinal'>) => number> {
  const taken = await takenFacts(tx, chainId, [...new Set(logs.map(({ tx_hash }) => tx_hash))])
  const next = new Map(taken.map((fact) => [`${fact.tx_hash}:${fact.log_ordinal}`, fact.revision + 1]))
  return (log) => next.get(`${log.tx_hash}:${log.log_ordinal}`) ?? 1
}

function emissionOf(chainId: number, log: DecodedLog, block_time: string, revision: number): Emission {
  const { vault, block_number, block_hash, tx_hash, log_ordinal, log_index } = log
  const place = { chain_id: chainId, block_number, block_hash, block_time, tx_hash, log_ordinal, log_index }
  const fact = { ...place, revision, canonical: true, vault }
  return log.name === 'VaultCreated'
    ? { event: vaultCreated, payload: { ...fact, ...log.created } }
    : { event: vaultEventSeen, payload: { ...fact, name: log.name, args: log.args } }
}

/** Returns the books after a log; null once they contradict the chain. */
function fold(foldings: Map<string, Folding>, log: DecodedLog): VaultState | null {
  if (log.name === 'VaultCreated') {
    const vault = newVault(log.created.terms.agent as Address)
    foldings.set(log.vault, { vault, block: log.block_number, differs: [], broken: null, changed: true })
    return vault
  }
  const folding = foldings.get(log.vault)
  if (folding === undefined) throw new Error(`vault ${log.vault} has a log, but its creation is not known`)
  if (folding.differs.length > 0) return null
  const { vault, contradictions } = foldEvent(folding.vault, log)
  const differences = differencesIn(contradictions)
  folding.changed = true
  if (differences.length > 0) {
    folding.differs = differences.map(({ figure }) => figure)
    folding.broken = { block: log.block_number, differences }
    return null
  }
  folding.vault = vault
  folding.block = log.block_number
  return vault
}

/** Takes back the logs above a block, recomputes the books from the remaining logs, and returns the events that announce it. */
export async function takeBackLogs(tx: Tx, chainId: number, above: number, now: Date): Promise<readonly Emission[]> {
  const taken = await orphanLogs(tx, chainId, above, now)
  const gone = taken
    .filter(({ name }) => name === 'VaultCreated')
    .map(({ vault, revision }) => ({ address: vault, revision }))
  await orphanVaults(tx, chainId, gone)
  const touched = [...new Set(taken.map(({ vault }) => vault))]
  const remaining = Map.groupBy(
    await logsToFold(tx, chainId, touched, { block: above + 1, txIndex: 0 }),
    ({ vault }) => vault,
  )
  await updateBooks(
    tx,
    chainId,
    [...remaining].flatMap(([address, logs]): ChangedVault[] => {
      const folded = foldLogs(logs)
      return folded === null
        ? []
        : [{ address, books: booksOf(folded.vault), books_block: folded.block, differs: folded.differs }]
    }),
  )
  return taken.map((log) => takenBack(chainId, log))
}

function takenBack(chainId: number, log: TakenLog): Emission {
  const { name, args, vault, ...fact } = log
  const payload = { ...fact, chain_id: chainId, canonical: false, vault: vault as Address }
  return name === 'VaultCreated'
    ? { event: vaultCreated, payload: { ...payload, ...args } }
    : { event: vaultEventSeen, payload: { ...payload, name, args } }
}
