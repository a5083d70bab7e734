import {
  decodeEvent,
  eventTopics,
  headNumber,
  lookUpTransaction,
  safeHead,
  sweepLogs,
  type Chain,
  type RawLog,
} from '@svc/chain'
import { vaultEventNames } from '@svc/contracts/chain-indexer/vaults'
import { getAddress, keccak256, stringToBytes, type Address, type Hex } from 'viem'
import { RecordProblem, vaultOf, type Entry, type VerifiedRecord } from './verify.ts'

/** Events that a record contains; it has no marks. */
const RECORDED = vaultEventNames.filter((name) => name !== 'Marked')
/** Largest lag of an export behind the chain; an older event that it lacks is missing. */
const LAG_MAX_MS = 600_000

/** An event of a vault, from its record or from the chain. */
interface Fact {
  readonly txHash: string
  readonly name: string
  readonly blockNumber: number
  readonly blockHash: string
  readonly blockTime: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Result of a comparison. */
export interface Compared {
  /** Number of facts that are equal in record and chain. */
  readonly facts: number
  /** Number of refused calls of the record that reverted on the chain. */
  readonly refused: number
  /** Names of events after the export, or in the ten minutes before it. */
  readonly newer: readonly string[]
}

/**
 * Compares a verified record with the chain, both ways. The vault must have been created for the mandate with the terms of
 * the record; each fact of the record must be on the chain once, with the same block and arguments; each event of the vault
 * must be in the record. Throws `RecordProblem`, or an outage of the RPC.
 */
export async function compareWithChain(
  { head, entries }: Pick<VerifiedRecord, 'head' | 'entries'>,
  chain: Chain,
): Promise<Compared> {
  const attached = vaultOf(entries)
  if (attached === null) {
    if (head.chain === null && !entries.some(({ kind }) => kind.startsWith('chain_fact')))
      return { facts: 0, refused: 0, newer: [] }
    throw new RecordProblem('the record does not say how its vault was created')
  }
  if (attached.chainId !== chain.id)
    throw new RecordProblem(`the record is of chain ${attached.chainId}, the RPC of chain ${chain.id}`)
  const vault = getAddress(attached.vault)
  const recorded = standingFacts(entries)
  const from = await creationBlock(chain, vault, head.mandate, entries)
  // Without a valid creation the vault has no events.
  const newest = Math.max(0, ...recorded.map(({ blockNumber }) => blockNumber))
  const logged = from === null ? [] : await factsOfChain(chain, vault, from, newest)
  const missing = await unmatched(chain, recorded, logged)
  const last = sweptBlock(entries)
  const lagging = Date.parse(head.exported_at) - LAG_MAX_MS
  const left = missing.find(({ blockNumber, blockTime }) => blockNumber <= last || Date.parse(blockTime) <= lagging)
  if (left !== undefined)
    throw new RecordProblem(
      `${left.name} of transaction ${left.txHash} in block ${left.blockNumber} is not in the record`,
    )
  const refused = await mustBeRefused(chain, vault, entries)
  return { facts: recorded.length, refused, newer: missing.map(({ name }) => name) }
}

/**
 * Returns the newest block that the service has swept, as far as its record shows. Facts with revision 0 come from single
 * receipts and may precede earlier events, so they do not count.
 */
const sweptBlock = (entries: readonly Entry[]): number =>
  Math.max(
    0,
    ...entries.map(({ kind, body }) =>
      kind === 'chain_fact' && Number(body['revision']) > 0 ? Number(body['block_number']) : 0,
    ),
  )

/** Returns the last version of each fact, without those that a reorganisation removed. */
function standingFacts(entries: readonly Entry[]): readonly Fact[] {
  const facts = new Map<string, Fact>()
  for (const { kind, tx_hash, body } of entries) {
    const place = `${tx_hash}:${String(body['log_ordinal'])}`
    if (kind === 'chain_fact_orphaned') facts.delete(place)
    if (kind === 'chain_fact')
      facts.set(place, {
        txHash: String(tx_hash),
        name: String(body['name']),
        blockNumber: Number(body['block_number']),
        blockHash: String(body['block_hash']),
        blockTime: String(body['block_time']),
        args: Object(body['args']) as Fact['args'],
      })
  }
  return [...facts.values()]
}

/** Matches each fact of the record with one of the chain; returns the rest of the chain's. Throws if a match is missing. */
async function unmatched(chain: Chain, recorded: readonly Fact[], logged: readonly Fact[]): Promise<readonly Fact[]> {
  const left = Map.groupBy(logged, keyOf)
  for (const fact of recorded) if (left.get(keyOf(fact))?.shift() === undefined) throw await whyNot(chain, fact, logged)
  return [...left.values()].flat()
}

const lower = (value: unknown) => (/^0x/i.test(String(value)) ? String(value).toLowerCase() : String(value))
const argsText = ({ args }: Fact) =>
  JSON.stringify(
    Object.entries(args)
      .map(([name, value]) => `${name}=${lower(value)}`)
      .toSorted(),
  )

const keyOf = (fact: Fact) =>
  [fact.txHash, fact.name, fact.blockNumber, fact.blockHash, fact.blockTime, argsText(fact)].map(lower).join(' ')

/** Returns why a fact of the record is not on the chain, as precisely as possible. */
async function whyNot(chain: Chain, fact: Fact, logged: readonly Fact[]): Promise<RecordProblem> {
  const { txHash, name } = fact
  const found = await lookUpTransaction(chain, txHash as Hex)
  if (found.state !== 'mined') return new RecordProblem(`transaction ${txHash} is not in the chain`)
  const same = logged.filter((one) => lower(one.txHash) === lower(txHash) && one.name === name)
  const alike = same.filter((one) => argsText(one) === argsText(fact))
  const [one] = alike
  if (one === undefined) return new RecordProblem(`transaction ${txHash} logged no ${name} with these arguments`)
  if (lower(one.blockHash) !== lower(fact.blockHash) || one.blockNumber !== fact.blockNumber)
    return new RecordProblem(`transaction ${txHash} is in another block than the record says`)
  if (one.blockTime !== fact.blockTime)
    return new RecordProblem(`the block of transaction ${txHash} has the time ${one.blockTime}, not ${fact.blockTime}`)
  return new RecordProblem(`the record has ${name} of transaction ${txHash} more often than the chain`)
}

/** Kinds of entries that name the transaction that created the vault; a reorganisation may change it. */
const CREATIONS = new Set(['vault_attached', 'vault_restored', 'vault_orphaned'])

/**
 * Returns the block in which the vault was created for this mandate with these terms, even if the record omits the first
 * facts. Returns null if the record says that a reorganisation removed the vault.
 */
async function creationBlock(
  chain: Chain,
  vault: Address,
  publicId: string,
  entries: readonly Entry[],
): Promise<bigint | null> {
  const newest = entries.findLast(({ kind }) => CREATIONS.has(kind))
  const terms = entries.findLast(({ kind }) => kind === 'vault_attached')?.body
  if (newest?.kind === 'vault_orphaned') return null
  const creation = newest?.tx_hash ?? null
  if (creation === null) throw new RecordProblem('the record does not say how its vault was created')
  const found = await lookUpTransaction(chain, creation as Hex)
  if (found.state !== 'mined') throw new RecordProblem(`the creation ${creation} of the vault is not in the chain`)
  const events = found.receipt.logs
    .filter(({ address }) => lower(address) === lower(terms?.['factory']))
    .map((log) => decodeEvent('factory', log as unknown as RawLog))
  const created = events.find((event) => event?.name === 'VaultCreated' && getAddress(event.args.vault) === vault)
  if (created?.name !== 'VaultCreated')
    throw new RecordProblem(`transaction ${creation} created no vault ${vault}, which the record says it did`)
  if (created.args.mandateIdHash !== keccak256(stringToBytes(publicId)))
    throw new RecordProblem(`vault ${vault} was created for another mandate than ${publicId}`)
  if (lower(created.args.termsHash) !== lower(terms?.['terms_hash']))
    throw new RecordProblem(`vault ${vault} was created with other terms than the record says`)
  return found.receipt.blockNumber
}

/** Returns all events of the vault, up to the newest safe block or the newest block of the record. */
async function factsOfChain(chain: Chain, vault: Address, from: bigint, newest: number): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  const [safe, head] = [await safeHead(chain), await headNumber(chain)]
  const known = BigInt(newest) < head ? BigInt(newest) : head
  const to = known > safe ? known : safe
  if (to < from) return facts
  const sweep = { fromBlock: from, toBlock: to, topics: eventTopics('vaultV2', RECORDED), addresses: [vault] }
  for await (const { logs, anchors } of sweepLogs(chain, sweep)) {
    const times = new Map(anchors.map(({ number, timestamp }) => [number, timestamp]))
    for (const log of logs) {
      const event = decodeEvent('vaultV2', log)
      if (event === null) continue
      const number = BigInt(log.blockNumber)
      facts.push({
        txHash: log.transactionHash,
        name: event.name,
        blockNumber: Number(number),
        blockHash: log.blockHash,
        blockTime: new Date(Number(times.get(number) ?? 0n) * 1000).toISOString(),
        args: event.args,
      })
    }
  }
  return facts
}

/** Throws unless each refusal that the record ascribes to the chain is a reverted call of the vault; returns their number. */
async function mustBeRefused(chain: Chain, vault: Address, entries: readonly Entry[]): Promise<number> {
  const standing = new Set<string>()
  for (const { kind, source, tx_hash } of entries) {
    if (tx_hash === null || source !== 'chain') continue
    if (kind === 'refusal_withdrawn') standing.delete(tx_hash)
    if (['refused', 'refusal_proved', 'refusal_restored'].includes(kind)) standing.add(tx_hash)
  }
  for (const hash of standing) {
    const found = await lookUpTransaction(chain, hash as Hex)
    if (found.state !== 'mined') throw new RecordProblem(`the refused transaction ${hash} is not in the chain`)
    const { status, to } = found.receipt
    if (status !== 'reverted' || lower(to) !== lower(vault))
      throw new RecordProblem(`transaction ${hash} is no call that the vault refused, which the record says it is`)
  }
  return standing.size
}
