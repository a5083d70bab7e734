import { usdcText } from '@svc/limits'
import { LEG_AGENT_NAME, legCheckIds, type LegCheck, type LegView } from '@svc/contracts/hl-leg/legs'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { getAddress } from 'viem/utils'
import type { Context } from '#context.ts'
import type { Position, Reading } from '@svc/venue/rules/reading'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { worthOf } from '#readings/rules/worth.ts'
import { foreignAt } from '#readings/store/ledger.ts'
import { storedReading } from '#readings/store/readings.ts'
import { marketIdOf } from '@svc/venue/rules/market-id'
import type { Db } from '@svc/postgres'
import { openNotionalMax } from './rules/open-notional.ts'
import { isLive } from './rules/standing.ts'
import type { Leg } from './store/legs.ts'

/** Returns the leg of a mandate as its parties see it, from stored rows. */
export async function legViewOf(
  { settings, clock }: Pick<Context, 'settings' | 'clock'>,
  db: Db,
  mandate: LegMandate,
  leg: Leg | null,
): Promise<LegView> {
  const isShown = leg !== null && isLive(leg.state)
  const reading = isShown ? await storedReading(db, mandate.public_id) : null
  const until = new Map([[mandate.public_id, reading?.readAt ?? clock.now()]])
  const foreignText = isShown ? (await foreignAt(db, until)).get(mandate.public_id) : undefined
  const foreign = foreignText === undefined ? null : usdcUnitsDown(foreignText)
  const worth = reading === null ? null : worthOf(reading, foreign ?? 0n, settings.exitBps)
  const max = openNotionalMax(usdcUnits(mandate.limits.daily_cap_usdc), settings.openNotionalMult)
  return {
    public_id: mandate.public_id,
    state: leg?.state ?? 'none',
    network: leg?.network ?? settings.network,
    owner_address: getAddress(leg?.owner ?? mandate.owner_wallet),
    agent_address: leg?.agent == null ? null : getAddress(leg.agent),
    agent_name: LEG_AGENT_NAME,
    epoch: leg?.epoch ?? null,
    valid_until: leg?.validUntil?.toISOString() ?? null,
    worth_usdc: worth === null ? null : usdcText(worth.worth),
    foreign_usdc: foreign === null ? null : usdcText(foreign),
    worth_read_at: reading?.readAt.toISOString() ?? null,
    open_notional_usdc: reading === null ? null : usdcText(usdcUnitsDown(reading.notional)),
    open_notional_max_usdc: usdcText(max),
    positions: reading === null ? [] : reading.positions.map((one) => positionView(one, reading)),
    foreign_agents: leg?.foreignAgents ?? null,
    foreign_fills_24h: leg?.foreignFills ?? null,
    checks: leg === null || leg.checks.length === 0 ? unknownChecks : leg.checks,
  }
}

const positionView = (position: Position, { dexes, readAt }: Reading): LegView['positions'][number] => ({
  market: marketIdOf(position.coin),
  side: position.size.startsWith('-') ? 'short' : 'long',
  size: position.size,
  entry_price: position.entryPrice,
  mark_price: position.markPrice,
  notional_usdc: position.notional,
  unrealized_pnl_usdc: position.unrealizedPnl,
  liquidation_price: position.liquidationPrice,
  read_at: (dexes.find(({ dex }) => dex === position.dex)?.at ?? readAt).toISOString(),
})

const unknownChecks: LegCheck[] = legCheckIds.map((id) => ({
  id,
  verdict: 'unknown',
  detail: 'The venue was not asked yet.',
  fix: null,
}))
