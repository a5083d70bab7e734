import { decodeEvent, eventTopics, lookUpTransaction, sweepLogs, type Chain, type RawLog } from '@svc/chain'
import { vaultEventNames } from '@svc/contracts/chain-indexer-facts'
import { getAddress, isAddress, type Address, type Hex } from 'viem'
import { RecordProblem, type Entry, type VerifiedRecord } from './verify.ts'

/** Marks are no steps of a record. */
const RECORDED = vaultEventNames.filter((name) => name !== 'Marked')

interface Fact {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly blockHash: string
}

/**
 * Compares a verified record with the chain, both ways: what it says the vault logged stands in the chain with the same
 * block and arguments, and what the vault logged up to the record's last block stands in it. Answers how many facts
 * were compared. Throws `RecordProblem`, or an outage of the RPC.
 */
export async function compareWithChain({ head, entries }: VerifiedRecord, chain: Chain): Promise<number> {
  if (head.chain === null) return 0
  if (head.chain.chain_id !== chain.id)
    throw new RecordProblem(`the record is of chain ${head.chain.chain_id}, the RPC of chain ${chain.id}`)
  const vault = getAddress(head.chain.vault)
  const facts = standingFacts(entries)
  for (const [place, fact] of facts) await mustBeOnChain(chain, vault, place, fact)
  const logged = await logsOf(chain, vault, await creationBlock(chain, entries), lastBlock(entries))
  for (const log of logged) {
    const name = decodeEvent('vaultV2', log)?.name ?? ''
    if (name !== '' && ![...facts.keys()].some((place) => place.startsWith(log.transactionHash)))
      throw new RecordProblem(`${name} of transaction ${log.transactionHash} is not in the record`)
  }
  return facts.size
}

/** Facts by transaction and place in it, without those that a reorganisation took away. */
function standingFacts(entries: readonly Entry[]): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>()
  for (const { kind, tx_hash, body } of entries) {
    const place = `${tx_hash}:${String(body['log_ordinal'])}`
    if (kind === 'chain_fact_orphaned') facts.delete(place)
    if (kind === 'chain_fact')
      facts.set(place, {
        name: String(body['name']),
        args: body['args'] as Fact['args'],
        blockHash: String(body['block_hash']),
      })
  }
  return facts
}

async function mustBeOnChain(chain: Chain, vault: Address, place: string, fact: Fact): Promise<void> {
  const hash = place.split(':')[0] as Hex
  const found = await lookUpTransaction(chain, hash)
  if (found.state !== 'mined') throw new RecordProblem(`transaction ${hash} is not in the chain`)
  if (found.receipt.blockHash.toLowerCase() !== fact.blockHash.toLowerCase())
    throw new RecordProblem(`transaction ${hash} is in another block than the record says`)
  const logs = found.receipt.logs.filter(({ address }) => getAddress(address) === vault)
  const same = logs.some((log) => {
    const event = decodeEvent('vaultV2', log as unknown as RawLog)
    return event?.name === fact.name && sameArguments(event.args, fact.args)
  })
  if (!same) throw new RecordProblem(`transaction ${hash} logged no ${fact.name} with these arguments`)
}

function sameArguments(chain: unknown, record: Fact['args']): boolean {
  const text = (value: unknown) =>
    isAddress(String(value), { strict: false }) ? String(value).toLowerCase() : String(value)
  const members = Object.entries(chain as object)
  return (
    members.length === Object.keys(record).length &&
    members.every(([name, value]) => text(value) === text(record[name]))
  )
}

/** Kinds of entries that say which transaction made the vault: after a reorganisation it may be another one. */
const CREATIONS = new Set(['vault_attached', 'vault_restored'])

/** Block in which the vault was created; whoever leaves out its first facts does not move it. */
async function creationBlock(chain: Chain, entries: readonly Entry[]): Promise<bigint> {
  const creation = entries.findLast(({ kind }) => CREATIONS.has(kind))?.tx_hash ?? null
  if (creation === null) throw new RecordProblem('the record does not say how its vault was created')
  const found = await lookUpTransaction(chain, creation as Hex)
  if (found.state !== 'mined') throw new RecordProblem(`the creation ${creation} of the vault is not in the chain`)
  return found.receipt.blockNumber
}

/** The newest block that the record knows of. */
const lastBlock = (entries: readonly Entry[]): bigint =>
  entries.reduce((last, { body }) => {
    const block = BigInt(Number(body['block_number'] ?? 0))
    return block > last ? block : last
  }, 0n)

async function logsOf(chain: Chain, vault: Address, from: bigint, to: bigint): Promise<readonly RawLog[]> {
  const logs: RawLog[] = []
  if (to < from) return logs
  const sweep = {
    fromBlock: from,
    toBlock: to,
    topics: eventTopics('vaultV2', RECORDED),
    addresses: [vault],
  }
  for await (const chunk of sweepLogs(chain, sweep)) logs.push(...chunk.logs)
  return logs
}
