import { decodeEvent, inParallel, lookUpTransaction, read, type Chain, type TransactionState } from '@svc/chain'
import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import { HEX_BYTES_MAX } from '@svc/contracts/chain-indexer/fact'
import { LISTED_MAX, type ChainTransaction, type TransactionLog } from '@svc/contracts/chain-indexer/transactions'
import type { BoundHandler } from '@svc/service'
import type { Address, Hex, TransactionReceipt } from 'viem'
import { booksBefore } from '#vaults/books-before.ts'
import { chainOfCall, type Context } from '#context.ts'
import { announcedVault, decodeLogs, factoriesOf, sweptTopics, type DecodedLog } from '#vaults/decode-logs.ts'
import { judgeAttempt } from '#attempts/judge-attempt.ts'
import { findCursor } from '#streams/store/cursors.ts'
import { findVaults } from '#vaults/store/vaults.ts'
import { addressOf, argsOf, timeOf } from '#wire-values.ts'

export const readTransaction: BoundHandler<Context, typeof chainIndexer.operations.readTransaction> =
  (context) => async (input) => {
    const chain = chainOfCall(context)
    const tx_hash = input.tx_hash.toLowerCase() as Hex
    const found = await lookUpTransaction(chain, tx_hash)
    const nothing: ChainTransaction = {
      state: found.state,
      chain_id: chain.id,
      tx_hash,
      from: null,
      to: null,
      input: null,
      status: null,
      block_number: null,
      block_hash: null,
      block_time: null,
      confirmations: null,
      confirmed: false,
      logs: [],
      transfers: [],
      attempt: null,
    }
    if (found.state === 'unknown') return ok(200, nothing)
    const { from, to, input: data } = found.transaction
    const sent = {
      ...nothing,
      from: addressOf(from),
      to: to ? addressOf(to) : null,
      input: data.length > HEX_BYTES_MAX ? null : data,
    }
    if (found.state === 'pending') return ok(200, sent)
    const { receipt, timestamp, depth, confirmed } = found
    const vaults = await vaultsAmong(context, chain, receipt)
    return ok(200, {
      ...sent,
      status: receipt.status,
      block_number: Number(receipt.blockNumber),
      block_hash: receipt.blockHash,
      block_time: timeOf(timestamp),
      confirmations: Number(depth),
      confirmed,
      logs: logsOf(chain, receipt, vaults),
      transfers: transfersOf(chain, receipt),
      attempt: await attemptOf(context, chain, found, vaults),
    })
  }

/** Maximum number of unknown addresses that are looked up at the factories per transaction; the sweep finds further vaults. */
const ASKED_MAX = 50

/** Returns the vaults among the callee and the writers of logs: stored, created in this transaction, or known to a factory. */
async function vaultsAmong({ pool }: Context, chain: Chain, receipt: TransactionReceipt): Promise<ReadonlySet<string>> {
  const factories = factoriesOf(chain)
  const topics = new Set<string | undefined>(sweptTopics)
  const writers = receipt.logs.filter((log) => topics.has(log.topics[0])).map((log) => addressOf(log.address))
  const candidates = [...new Set([...(receipt.to === null ? [] : [addressOf(receipt.to)]), ...writers])].filter(
    (address) => !factories.has(address.toLowerCase()),
  )
  const vaults = new Set<string>()
  for (const { address, canonical } of await findVaults(pool, chain.id, candidates)) if (canonical) vaults.add(address)
  for (const log of receipt.logs) {
    const announced = announcedVault(factories, { ...log, topics: log.topics as [Hex, ...Hex[]] })
    if (announced !== null) vaults.add(addressOf(announced))
  }
  const unknown = candidates.filter((candidate) => !vaults.has(candidate)).slice(0, ASKED_MAX)
  const questions = unknown.flatMap((vault) => [...factories.keys()].map((factory) => ({ vault, factory })))
  await inParallel(questions, async ({ vault, factory }) => {
    const isVault = await read(chain)
      .factory(factory as Address)
      .isVault({ vault })
    if (isVault) vaults.add(vault)
  })
  return vaults
}

function logsOf(chain: Chain, receipt: TransactionReceipt, vaults: ReadonlySet<string>): TransactionLog[] {
  const factories = factoriesOf(chain)
  const topics = new Set<string | undefined>(sweptTopics)
  const ours = receipt.logs.filter(
    ({ address, topics: [topic] }) =>
      topics.has(topic) && (factories.has(address.toLowerCase()) || vaults.has(addressOf(address))),
  )
  const place = {
    transactionHash: receipt.transactionHash,
    transactionIndex: receipt.transactionIndex,
    blockHash: receipt.blockHash,
    blockNumber: Number(receipt.blockNumber),
  }
  const decoded = decodeLogs(
    factories,
    ours.map(({ address, topics: all, data, logIndex }) => ({
      ...place,
      address,
      topics: all as [Hex, ...Hex[]],
      data,
      logIndex,
    })),
  )
  return decoded.slice(0, LISTED_MAX).map(logOf)
}

function logOf(log: DecodedLog): TransactionLog {
  const { log_ordinal, log_index, vault } = log
  const place = { log_ordinal, log_index, vault }
  if (log.name !== 'VaultCreated') return { ...place, name: log.name, args: log.args, created: null }
  return { ...place, name: log.name, args: {}, created: log.created }
}

function transfersOf({ addresses: { usdc } }: Chain, receipt: TransactionReceipt): ChainTransaction['transfers'] {
  const transfers = receipt.logs.flatMap((log) => {
    if (log.address.toLowerCase() !== usdc?.toLowerCase()) return []
    const event = decodeEvent('usdc', { topics: log.topics as [Hex, ...Hex[]], data: log.data })
    if (event?.name !== 'Transfer') return []
    const { from, to, value } = event.args
    return [{ ...(argsOf({ from, to }) as { from: string; to: string }), amount: String(value) }]
  })
  return transfers.slice(0, LISTED_MAX)
}

/** Returns why a call of a vault reverted; recomputed only if the sweep has stored all events before it. */
async function attemptOf(
  { pool }: Context,
  chain: Chain,
  { receipt, transaction, timestamp }: Extract<TransactionState, { state: 'mined' }>,
  vaults: ReadonlySet<string>,
): Promise<ChainTransaction['attempt']> {
  if (receipt.status !== 'reverted' || receipt.to === null) return null
  const address = addressOf(receipt.to)
  if (!vaults.has(address)) return null
  const block = Number(receipt.blockNumber)
  const cursor = await findCursor(pool, chain.id, 'vault_events')
  const [vault] = await findVaults(pool, chain.id, [address])
  const swept = vault?.canonical === true && cursor !== null && cursor.next_block > block
  const books = swept ? await booksBefore(pool, chain.id, address, { block, txIndex: receipt.transactionIndex }) : null
  const known = vault === undefined || books === null ? null : { books, terms: vault.terms }
  return judgeAttempt(chain, { receipt, input: transaction.input, gas: transaction.gas, timestamp }, known)
}
