import { decodeEvent, eventTopics, type Chain, type EventOf, type RawLog } from '@svc/chain'
import type { EventArgs, VaultEventName, VaultRow } from '@svc/contracts/chain-indexer/vaults'
import type { Address, Hex } from 'viem'
import { addressOf, argsOf } from '#wire-values.ts'

/** The members of a vault that its VaultCreated event states. */
export type Created = Pick<VaultRow, 'factory' | 'version' | 'owner' | 'mandate_id_hash' | 'terms_hash' | 'terms'>

/** A decoded log of a factory or vault. */
export type DecodedLog = {
  readonly tx_hash: string
  readonly tx_index: number
  readonly block_number: number
  readonly block_hash: string
  readonly log_index: number
  /** Place among the logs of factories and vaults in the transaction, from 0. */
  readonly log_ordinal: number
  /** EIP-55. */
  readonly vault: Address
} & (
  | { readonly name: 'VaultCreated'; readonly created: Created }
  | { readonly name: VaultEventName; readonly args: EventArgs }
)

/** First topics of all events that are swept. */
export const sweptTopics: readonly Hex[] = [...eventTopics('factory', ['VaultCreated']), ...eventTopics('vaultV2')]

/** Returns the version of each configured factory by its address in lower case. */
export function factoriesOf({ addresses: { factory, factoryV2 } }: Chain): ReadonlyMap<string, 1 | 2> {
  return new Map([
    ...(factory === null ? [] : ([[factory.toLowerCase(), 1]] as const)),
    ...(factoryV2 === null ? [] : ([[factoryV2.toLowerCase(), 2]] as const)),
  ])
}

/** Returns the address of the vault that a log of a factory announces; null for any other log. */
export function announcedVault(
  factories: ReadonlyMap<string, 1 | 2>,
  log: Pick<RawLog, 'address' | 'topics' | 'data'>,
): Address | null {
  const event = factories.has(log.address.toLowerCase()) ? decodeEvent('factory', log) : null
  return event?.name === 'VaultCreated' ? event.args.vault : null
}

/** The part of a log that is decoded, from a sweep or from a receipt. */
export interface LogToRead extends Pick<RawLog, 'address' | 'topics' | 'data'> {
  readonly transactionHash: Hex
  readonly transactionIndex: number
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly logIndex: number
}

/** Converts the hex numbers of a swept log. */
export function logToRead(log: RawLog): LogToRead {
  const { address, topics, data, transactionHash, blockHash } = log
  return {
    address,
    topics,
    data,
    transactionHash,
    blockHash,
    transactionIndex: Number(log.transactionIndex),
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
  }
}

/**
 * Decodes logs of our factories and vaults and counts their ordinals. The logs must include all of these in each
 * transaction, in the order of the chain. Throws for a log that the ABIs do not describe, which only another contract
 * can write.
 */
export function decodeLogs(factories: ReadonlyMap<string, 1 | 2>, logs: readonly LogToRead[]): DecodedLog[] {
  const ordinals = new Map<string, number>()
  const vaults = new Map<Address, Address>()
  const vaultOf = (address: Address): Address => {
    const known = vaults.get(address) ?? addressOf(address)
    vaults.set(address, known)
    return known
  }
  return logs.map((log) => {
    const ordinal = ordinals.get(log.transactionHash) ?? 0
    ordinals.set(log.transactionHash, ordinal + 1)
    const place = {
      tx_hash: log.transactionHash,
      tx_index: log.transactionIndex,
      block_number: log.blockNumber,
      block_hash: log.blockHash,
      log_index: log.logIndex,
      log_ordinal: ordinal,
    }
    const version = factories.get(log.address.toLowerCase())
    if (version !== undefined) {
      const event = decodeEvent('factory', log)
      if (event?.name !== 'VaultCreated') throw unreadable(log)
      return {
        ...place,
        vault: addressOf(event.args.vault),
        name: 'VaultCreated',
        created: createdOf(event, log.address, version),
      }
    }
    const event = decodeEvent('vaultV2', log)
    if (event === null) throw unreadable(log)
    return { ...place, vault: vaultOf(log.address), name: event.name, args: argsOf(event.args) }
  })
}

const unreadable = ({ transactionHash, logIndex }: LogToRead) =>
  new Error(`log ${logIndex} of transaction ${transactionHash} is not an event of a factory or vault`)

function createdOf(
  { args }: Extract<EventOf<'factory'>, { name: 'VaultCreated' }>,
  factory: Address,
  version: 1 | 2,
): Created {
  const { terms } = args
  return {
    factory: addressOf(factory),
    version,
    owner: addressOf(args.owner),
    mandate_id_hash: args.mandateIdHash,
    terms_hash: args.termsHash,
    terms: {
      owner: addressOf(terms.owner),
      agent: addressOf(terms.agent),
      fee_recipient: addressOf(terms.feeRecipient),
      usdc: addressOf(terms.usdc),
      leg_gateway: addressOf(terms.legGateway),
      budget: String(terms.budget),
      per_tx_cap: String(terms.perTxCap),
      daily_cap: String(terms.dailyCap),
      approval_above: String(terms.approvalAbove),
      stop_line: String(terms.stopLine),
      leg_budget: String(terms.legBudget),
      ends_at: String(terms.endsAt),
      fee_bps: String(terms.feeBps),
      mandate_id_hash: terms.mandateIdHash,
      clauses_hash: terms.clausesHash,
      calls: terms.calls.map(({ target, selector }) => ({ target: addressOf(target), selector })),
    },
  }
}
