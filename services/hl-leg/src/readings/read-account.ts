import type { AnswerTo } from '@svc/hyperliquid'
import { Outage } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { freshDexes } from '#venue/read-markets.ts'
import type { WeightClass } from '#venue/rules/weights.ts'
import { type DexReading, isFresh, markOf, type Position, type Reading, readingOf } from './rules/reading.ts'

type State = AnswerTo<'clearinghouseState'>
type Reader = Pick<Context, 'venue' | 'pool' | 'clock' | 'settings' | 'log'>

/** Dexes whose absence was logged by this process. */
const missed = new Set<string>()

/**
 * Reads an owner's account over all dexes of this deployment in one go. A dex that the venue does not list counts as
 * empty. Rejects with an outage if the answer of one dex is missing, unreadable, or older than readings may be.
 */
export async function readAccount(context: Reader, by: WeightClass, owner: Address): Promise<Reading> {
  const { venue, clock, settings } = context
  const listed = new Set((await freshDexes(context, by)).map(({ name }) => name))
  const asked = settings.dexes.filter((dex) => listed.has(dex))
  for (const dex of settings.dexes) if (!listed.has(dex)) warnOnce(context, dex)
  const beganAt = clock.now()
  const fields = asked.map((dex) => (dex === '' ? { user: owner } : { user: owner, dex }))
  const states = await venue.askEach(by, 'clearinghouseState', fields)
  const endedAt = clock.now()
  for (const { time } of states)
    if (!isFresh(new Date(time), endedAt, settings.readingMaxAgeSec))
      throw new Outage('venue_stale', "the venue's answer about an account is too old")
  const dexes = settings.dexes.map((dex) => dexReading(dex, states[asked.indexOf(dex)]))
  const positions = states.flatMap((state, index) => positionsOf(asked[index] ?? '', state))
  return readingOf(dexes, positions, { beganAt, endedAt })
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

function warnOnce({ log }: Reader, dex: string): void {
  if (missed.has(dex)) return
  missed.add(dex)
  log.warn({ dex }, 'the venue does not list a dex of HUB_KEEPER_HL_DEXES; it counts as empty')
}
