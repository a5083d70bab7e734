import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegStanding } from '@svc/contracts/hl-leg/money'
import type { BodyOf } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { getAddress, type Address } from 'viem'
import type { Context } from '#context.ts'

/** A mandate whose vault funds a leg. Base units of USDC. */
export interface LegMandate {
  readonly publicId: string
  readonly vault: Address
  readonly chainId: number
  /** Working in the record and on the chain. */
  readonly working: boolean
  /** When the record stopped or ended it; null while it may trade. */
  readonly overAt: Date | null
  readonly endsAt: Date
  readonly accounted: bigint
  /** Held by approvals of calls. */
  readonly held: bigint
  readonly legBudget: bigint
  readonly legOut: bigint
  readonly legOpen: boolean
  readonly legSeq: number
  /** Leg money in the newest mark that counted it; null without one. */
  readonly marked: bigint | null
}

type Row = BodyOf<typeof mandates.operations.listLegsToMove>['legs'][number]

/** A page of mandates with their legs at the venue; a mandate without a leg row has no standing. */
export interface LegPage {
  readonly mandates: readonly LegMandate[]
  readonly standings: ReadonlyMap<string, LegStanding>
}

/** Pages of 100 mandates that one run reads at most. */
const PAGES_MAX = 10_000

/** Reads the mandates of a chain whose vaults fund legs, page by page, with their legs. */
export async function* legPages(
  { ask, clock }: Pick<Context, 'ask' | 'clock'>,
  chainId: number,
): AsyncGenerator<LegPage> {
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { legs } = await ask.mandates.listLegsToMove(after === undefined ? {} : { after })
    after = legs.at(-1)?.public_id
    if (after === undefined) return
    const here = legs.filter(({ chain_id }) => chain_id === chainId).map((row) => legMandate(row, clock.now()))
    if (here.length === 0) continue
    const answer = await ask.legs.readLegWorths({ public_ids: here.map(({ publicId }) => publicId) })
    yield { mandates: here, standings: new Map(answer.legs.map((leg) => [leg.public_id, leg])) }
  }
}

function legMandate(row: Row, now: Date): LegMandate {
  const endsAt = new Date(row.ends_at)
  const stoppedAt = row.stopped_at === null ? null : new Date(row.stopped_at)
  const isOver = row.state === 'stopped' || row.state === 'ended' || row.state === 'closed'
  const ended = endsAt <= now ? endsAt : null
  return {
    publicId: row.public_id,
    vault: getAddress(row.vault),
    chainId: row.chain_id,
    working: row.state === 'working' && row.phase === 'working',
    overAt: isOver ? (stoppedAt ?? ended ?? now) : ended,
    endsAt,
    accounted: usdcUnits(row.accounted_usdc),
    held: usdcUnits(row.held_usdc),
    legBudget: usdcUnits(row.leg_budget_usdc),
    legOut: usdcUnits(row.leg_out_usdc),
    legOpen: row.leg_open,
    legSeq: row.leg_seq,
    marked: row.marked_leg_usdc == null ? null : usdcUnits(row.marked_leg_usdc),
  }
}
