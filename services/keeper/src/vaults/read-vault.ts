import { callAt, positionsAt, read, type BlockHeader, type Chain, type Position, type ReadOptions } from '@svc/chain'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import type { LegReadingAt } from './read-legs.ts'
import { legPart } from './rules/leg-part.ts'
import { worthOf, type Figures, type NewestRow, type Worth } from './rules/worth-of.ts'

/** A vault of a mandate, as mandates and chain-indexer know it. */
export interface FollowedVault {
  readonly publicId: string
  readonly vault: Address
  readonly state: string
  readonly newest: NewestRow | null
  readonly version: 1 | 2
  readonly usdc: Address
  readonly stopLine: bigint
  /** Listed targets, each once. */
  readonly targets: readonly Address[]
}

/** A vault's figures and worth on the state after one block. USDC base units, Unix seconds. */
export interface VaultReading extends FollowedVault, Worth {
  /** 0 working, 1 paused, 2 stopped, 3 ended, 4 settled. */
  readonly phase: number
  readonly open: boolean
  readonly principal: bigint
  readonly lastWorth: bigint
  /** 0 before the first mark. */
  readonly markedAt: bigint
  /** Time of the block. */
  readonly asOf: bigint
  readonly blockNumber: bigint
  readonly legOpen: boolean
  /** Why the reading decides on no stop: a transfer of the leg changed its state since it was taken. */
  readonly legMoved: boolean
  /** Whether the vault may have a position at a target; true if that is unknown. */
  readonly mayHold: boolean
  /** Its positions at the listed targets; null if a venue could not be read. */
  readonly held: readonly Position[] | null
}

/** The legs of mandates; null while hl-leg does not answer. */
export type Legs = ReadonlyMap<string, LegReadingAt> | null

/** Reads and values a vault. Rejects with an outage if the node lacks the block or does not answer. */
export async function readVault(
  { adapters, legs }: Pick<Context, 'adapters'> & { readonly legs: Legs },
  chain: Chain,
  followed: FollowedVault,
  block: Pick<BlockHeader, 'number' | 'timestamp'>,
  signal: AbortSignal,
): Promise<VaultReading> {
  const { vault, version, usdc, targets, publicId } = followed
  const at = { blockNumber: block.number, signal }
  const views = read(chain).vault(vault)
  const [balance, accounted, principal, withdrawn, feeTotal, feeOwed] = await Promise.all([
    read(chain).usdc(usdc).balanceOf({ account: vault }, at),
    views.accounted(at),
    views.principal(at),
    views.withdrawn(at),
    views.feeTotal(at),
    views.feeOwed(at),
  ])
  const [phase, lastWorth, markedAt, books] = await Promise.all([
    views.phase(at),
    views.lastWorth(at),
    views.markedAt(at),
    version === 2 ? readBooks(chain, vault, at) : NO_LEG,
  ])
  const legPaid = books.funded - books.returned
  const figures: Figures = { balance, accounted, principal, withdrawn, feeTotal, feeOwed, legPaid }
  const readers = adapters.filter(({ venue }) => targets.includes(venue))
  const uncovered = readers.length < targets.length
  const positions = await positionsAt(readers, vault, async (call) => {
    const result = await callAt(chain, { ...call, ...at })
    return result.ok ? result.data : null
  })
  const leg = legs?.get(publicId) ?? null
  const part = version === 1 && leg === null ? null : legPart(books, legs === null ? 'unreadable' : leg)
  const worth: Worth = worthOf(figures, { uncovered, positions }, part)
  return {
    ...followed,
    ...worth,
    phase,
    open: phase < 2,
    principal,
    lastWorth,
    markedAt,
    asOf: block.timestamp,
    blockNumber: block.number,
    legOpen: books.open,
    legMoved: leg !== null && leg.changedAt !== null && leg.readAt !== null && leg.changedAt >= leg.readAt,
    mayHold: worth.withheld === 'position_without_adapter' || positions === null || positions.length > 0,
    held: positions,
  }
}

const NO_LEG = { open: false, funded: 0n, returned: 0n }

async function readBooks(chain: Chain, vault: Address, at: ReadOptions): Promise<typeof NO_LEG> {
  const views = read(chain).vaultV2(vault)
  const [open, funded, returned] = await Promise.all([views.legOpen(at), views.legFunded(at), views.legReturned(at)])
  return { open, funded, returned }
}
