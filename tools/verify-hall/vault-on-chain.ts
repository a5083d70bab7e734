import {
  callAt,
  decodeEvent,
  eventTopics,
  positionsAt,
  read,
  readHeader,
  sweepLogs,
  testVenueAdapters,
  type Chain,
  type Deployment,
} from '@svc/chain'
import { vaultEventNames } from '@svc/contracts/chain-indexer/vaults'
import { getAddress, keccak256, sliceHex, size, stringToBytes, type Address } from 'viem'
import { HallProblem } from './problem.ts'

/** An event of a vault. */
export interface VaultLog {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly block: bigint
  /** Unix seconds. */
  readonly time: number
}

/** A vault as the chain has it. */
export interface VaultOnChain {
  readonly address: Address
  readonly version: 1 | 2
  readonly agent: Address
  /** Unix seconds. */
  readonly createdAt: number
  readonly createdBlock: bigint
  readonly endsAt: number
  readonly perTxCap: bigint
  readonly dailyCap: bigint
  readonly targets: readonly Address[]
  readonly logs: readonly VaultLog[]
}

/** Bytes of a pinned call: target, then selector. */
const CALL_BYTES = 24
const ADDRESS_BYTES = 20

/** Reads a vault with all its events up to a block. It must be one of the factories' and of the mandate. */
export async function readVault(
  chain: Chain,
  deployment: Deployment,
  { vault, publicId }: { readonly vault: Address; readonly publicId: string },
  head: bigint,
): Promise<VaultOnChain> {
  const version = await versionOf(chain, deployment, vault)
  const views = read(chain).vault(vault)
  const [terms, pinned] = [await views.terms(), await views.calls()]
  if (terms.mandateIdHash !== keccak256(stringToBytes(publicId)))
    throw new HallProblem(`proof.public_id differs: vault ${vault} was created for another mandate than ${publicId}`)
  const createdBlock = await firstBlockOf(chain, vault, BigInt(deployment.start_block), head)
  const created = await readHeader(chain, createdBlock)
  const calls = Array.from({ length: size(pinned) / CALL_BYTES }, (_, at) =>
    getAddress(sliceHex(pinned, at * CALL_BYTES, at * CALL_BYTES + ADDRESS_BYTES)),
  )
  return {
    address: vault,
    version,
    agent: getAddress(terms.agent),
    createdAt: Number(created.timestamp),
    createdBlock,
    endsAt: Number(terms.endsAt),
    perTxCap: terms.perTxCap,
    dailyCap: terms.dailyCap,
    targets: [...new Set(calls)],
    logs: await logsOf(chain, vault, createdBlock, head),
  }
}

async function versionOf(chain: Chain, { contracts }: Deployment, vault: Address): Promise<1 | 2> {
  for (const [version, factory] of [
    [1, contracts.factory],
    [2, contracts.factory_v2],
  ] as const)
    if (await read(chain).factory(factory.address).isVault({ vault })) return version
  throw new HallProblem(`proof.vault differs: no factory of the deployment created ${vault}`)
}

/** Returns the first block after which the address has code. */
async function firstBlockOf(chain: Chain, vault: Address, from: bigint, to: bigint): Promise<bigint> {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) / 2n
    const code = await chain.client.getCode({ address: vault, blockNumber: middle })
    if (code === undefined || code === '0x') low = middle + 1n
    else high = middle
  }
  return low
}

async function logsOf(chain: Chain, vault: Address, from: bigint, to: bigint): Promise<readonly VaultLog[]> {
  const logs: VaultLog[] = []
  const sweep = {
    fromBlock: from,
    toBlock: to,
    topics: eventTopics('vaultV2', vaultEventNames),
    addresses: [vault],
    headers: 'needed',
  } as const
  for await (const chunk of sweepLogs(chain, sweep)) {
    const times = new Map(chunk.anchors.map(({ number, timestamp }) => [number, Number(timestamp)]))
    for (const log of chunk.logs) {
      const event = decodeEvent('vaultV2', log)
      const block = BigInt(log.blockNumber)
      if (event !== null) logs.push({ name: event.name, args: event.args, block, time: times.get(block) ?? 0 })
    }
  }
  return logs
}

/** What a vault was worth after a block, and what was paid in and out by then. USDC base units. */
export interface State {
  readonly time: number
  readonly worth: bigint
  readonly paidIn: bigint
  readonly paidOut: bigint
}

/** Reads the state of a vault without a leg after a block: its books, and what the venues would pay for its positions. */
export async function stateAt(
  chain: Chain,
  { contracts }: Deployment,
  vault: VaultOnChain,
  block: bigint,
): Promise<State> {
  const at = { blockNumber: block }
  const views = read(chain).vault(vault.address)
  const [accounted, principal, withdrawn, feeTotal, { timestamp }] = await Promise.all([
    views.accounted(at),
    views.principal(at),
    views.withdrawn(at),
    views.feeTotal(at),
    readHeader(chain, block),
  ])
  const adapters = testVenueAdapters([contracts.venue.address]).filter(({ venue }) => vault.targets.includes(venue))
  if (adapters.length < vault.targets.length)
    throw new Error('the vault lists a target whose positions have no price here')
  const positions = await positionsAt(adapters, vault.address, async (call) => {
    const result = await callAt(chain, { ...call, ...at })
    return result.ok ? result.data : null
  })
  const values = positions?.map(({ value }) => value) ?? [null]
  const worth = values.reduce<bigint | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0n)
  if (worth === null)
    throw new HallProblem(`proof.points differs: the chain has no worth of ${vault.address} in block ${block}`)
  return { time: Number(timestamp), worth: accounted + worth, paidIn: principal, paidOut: withdrawn + feeTotal }
}

/** Sums flows of the books from the events up to a block: a second way to what the vault says of itself. */
export function flowsOf(logs: readonly VaultLog[], block: bigint): Pick<State, 'paidIn' | 'paidOut'> {
  let [accounted, paidIn, paidOut] = [0n, 0n, 0n]
  for (const { name, args, block: at } of logs) {
    if (at > block) break
    const amount = (key: string) => BigInt(String(args[key]))
    if (name === 'Deposited' || name === 'DirectDeposit') {
      accounted += amount('amount')
      paidIn += amount('amount')
    } else if (name === 'Executed') accounted += amount('received') - amount('spent')
    else if (name === 'Unwound') accounted += amount('received')
    else if (name === 'Settled') {
      accounted -= amount('fee')
      paidOut += amount('fee')
    } else if (name === 'Withdrawn') {
      paidOut += accounted
      accounted = 0n
    }
  }
  return { paidIn, paidOut }
}
