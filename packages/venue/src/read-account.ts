import type { AnswerTo } from '@svc/hyperliquid'
import { Outage, type Clock } from '@svc/service'
import type { Address } from 'viem'
import { type DexReading, isFresh, markOf, type Position, type Reading, readingOf } from './rules/reading.ts'
import type { WeightClass } from './rules/weights.ts'
import type { VenueClient } from './venue-client.ts'

type State = AnswerTo<'clearinghouseState'>

/** Which dexes of an account are read. */
export interface AccountScope {
  /** Dexes of this deployment. */
  readonly dexes: readonly string[]
  /** Dexes that the venue lists; one that is not among them counts as empty. */
  readonly listed: ReadonlySet<string>
  readonly maxAgeSec: number
}

/**
 * Reads an account over all dexes of this deployment in one go. Rejects with an outage if the answer of one dex is
 * missing, unreadable, or older than readings may be.
 */
export async function askAccount(
  { venue, clock }: { readonly venue: VenueClient; readonly clock: Clock },
  by: WeightClass,
  owner: Address,
  { dexes, listed, maxAgeSec }: AccountScope,
): Promise<Reading> {
  const asked = dexes.filter((dex) => listed.has(dex))
  const beganAt = clock.now()
  const fields = asked.map((dex) => (dex === '' ? { user: owner } : { user: owner, dex }))
  const states = await venue.askEach(by, 'clearinghouseState', fields)
  const endedAt = clock.now()
  for (const { time } of states)
    if (!isFresh(new Date(time), endedAt, maxAgeSec))
      throw new Outage('venue_stale', "the venue's answer about an account is too old")
  const readings = dexes.map((dex) => dexReading(dex, states[asked.indexOf(dex)]))
  const positions = states.flatMap((state, index) => positionsOf(asked[index] ?? '', state))
  return readingOf(readings, positions, { beganAt, endedAt })
}

function dexReading(dex: string, state: State | undefined): DexReading {
  if (state === undefined)
    return { dex, at: null, accountValue: '0', withdrawable: '0', notional: '0', marginUsed: '0' }
  const { marginSummary, withdrawable, time } = state
  return {
    dex,
    at: new Date(time),
    accountValue: marginSummary.accountValue,
    withdrawable,
    notional: marginSummary.totalNtlPos,
    marginUsed: marginSummary.totalMarginUsed,
  }
}

const positionsOf = (dex: string, { assetPositions }: State): readonly Position[] =>
  assetPositions.flatMap(({ position }) =>
    /[1-9]/.test(position.szi)
      ? {
          coin: position.coin,
          dex,
          size: position.szi,
          entryPrice: position.entryPx,
          markPrice: markOf(position.positionValue, position.szi),
          notional: position.positionValue,
          unrealizedPnl: position.unrealizedPnl,
          liquidationPrice: position.liquidationPx,
          leverage: position.leverage.value,
        }
      : [],
  )
