import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { ANNOUNCED } from '../rules/announcement-flags.ts'
import { flagChanges } from '../rules/flag-changes.ts'
import { planListing, type ListingChange } from '../rules/listing.ts'
import type { Ask, MarketList, VenueAdapter } from '#venues/rules/venue.ts'
import { logUnread } from '#venues/venue-errors.ts'
import { insertFlagEvents, standingFlags } from '../store/flags.ts'
import { putNames } from '../store/names.ts'
import {
  insertInstances,
  knownInstances,
  tradingInstances,
  updateInstances,
  type InstanceUpdate,
  type NewInstance,
} from '../store/tokens.ts'
import { lockVenue, noteFlags, noteList, noteVenueTime } from '../store/venues.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'log' | 'venues' | 'led' | 'market' | 'errors'>

const EVERY_MS = 300_000
const RETRY_MS = 15_000

/** Flags end that were not read again in this time, because their reading failed or rows were left out. */
const FLAGS_MS_MAX = 24 * 3_600_000

/**
 * Reads each venue's market list, official flags and currencies every 5 minutes, each of them also if another fails. A failure
 * or an old list changes nothing, but that flags end which were not read for a day; of a short list only what it has counts.
 */
export const listMarkets =
  (context: Parts): Job =>
  async (signal) => {
    const { led, clock, market, pool } = context
    const now = clock.now().getTime()
    const due = [...led.values()].filter(({ adapter }) => market.of(adapter.exchange).nextListAt <= now)
    const done = await Promise.all(
      due.map(async ({ adapter }) => {
        const state = market.of(adapter.exchange)
        state.nextListAt = now + RETRY_MS
        const ask: Ask = { priority: 'rotation', signal }
        const attempt = (what: string, work: () => Promise<boolean>) =>
          work().catch((error: unknown) => {
            logUnread(context, signal, error, what)
            return false
          })
        const accepted = await attempt('market list not read', async () =>
          applyList(context, adapter.exchange, adapter.source, await adapter.listMarkets(ask)),
        )
        if (accepted) state.nextListAt = now + EVERY_MS
        // Without any market list no flag and no currency can be read.
        if (state.listedAt === null || (!accepted && state.nextNoticesAt > now)) return accepted ? 1 : 0
        state.nextNoticesAt = now + EVERY_MS
        await attempt('official flags not read', () => applyFlags(context, adapter.exchange, ask))
        await attempt('currencies not read', () => applyCurrencies(context, adapter, ask))
        return accepted ? 1 : 0
      }),
    )
    if (due.length > 0) {
      const byExchange = Map.groupBy(
        await tradingInstances(
          pool,
          due.map(({ adapter }) => adapter.exchange),
        ),
        (one) => one.exchange,
      )
      for (const { adapter } of due)
        market.of(adapter.exchange).instances = new Map(
          (byExchange.get(adapter.exchange) ?? []).map((one) => [one.symbol, one]),
        )
    }
    const nextAt = Math.min(...[...led.values()].map(({ adapter }) => market.of(adapter.exchange).nextListAt))
    return {
      done: done.reduce<number>((sum, one) => sum + one, 0),
      ...(led.size === 0 ? {} : { nextAt: new Date(nextAt) }),
    }
  }

/** Reads what a venue publishes of its currencies. */
async function applyCurrencies({ pool, market }: Parts, adapter: VenueAdapter, ask: Ask): Promise<boolean> {
  const state = market.of(adapter.exchange)
  // After a failure the wallet states of five minutes ago are unknown, not unchanged; a contract does not change.
  state.wallets = null
  const { wallets, contracts, names } = await adapter.currencies(ask)
  if (names !== null) await putNames(pool, adapter.exchange, names)
  state.wallets = wallets
  if (contracts !== null) state.contracts = contracts
  return true
}

/** Applies a market list in one transaction. Returns false if the list is rejected. */
async function applyList(
  { pool, clock, market, errors, log }: Parts,
  exchange: string,
  source: 'live' | 'replay',
  list: MarketList,
): Promise<boolean> {
  const now = clock.now()
  const outcome = await pool.transaction(async (tx) => {
    const last = await lockVenue(tx, exchange, source)
    const plan = planListing(await knownInstances(tx, exchange), last, list, now.getTime())
    if (!plan.accepted) {
      await noteVenueTime(tx, exchange, list.venueTime)
      return plan.reason
    }
    const { changes } = plan
    await updateInstances(tx, changes.flatMap(updateOf(now)))
    await insertInstances(tx, changes.flatMap(newInstanceOf(exchange, last.seq === 0, now)), now)
    await noteList(tx, exchange, { count: plan.count, venueTime: list.venueTime, now })
    const counted = Map.groupBy(changes, (change) => change.kind)
    log.info({ exchange, markets: plan.count, ...countsOf(counted) }, 'market list')
    return plan.complete ? null : 'short_list'
  })
  if (outcome !== null) {
    errors.add(exchange, outcome)
    log.warn({ exchange, reason: outcome, markets: list.markets.length }, 'market list not complete')
  }
  if (outcome === 'stale') return false
  const state = market.of(exchange)
  state.listedAt = now.getTime()
  const terms = list.markets.map(
    ({ symbol, takerFee, amountStep, costMin }) => [symbol, { takerFee, amountStep, costMin }] as const,
  )
  // What a short list lacks keeps its terms while it is still believed to trade.
  state.terms = new Map([...(outcome === null ? [] : state.terms), ...terms])
  return true
}

const countsOf = (groups: ReadonlyMap<string, readonly unknown[]>) =>
  Object.fromEntries([...groups].map(([kind, members]) => [kind, members.length]))

const updateOf =
  (now: Date) =>
  (change: ListingChange): InstanceUpdate[] => {
    if (change.kind === 'listed') return []
    const { instance } = change
    const standing = {
      instanceId: instance.instanceId,
      trading: instance.trading,
      tradingSince: new Date(instance.tradingSince),
      missingLists: 0,
      missingSince: null,
      delistCause: null,
    }
    switch (change.kind) {
      case 'present':
        return [standing]
      case 'missing':
        return [{ ...standing, missingLists: change.lists, missingSince: new Date(change.since) }]
      case 'halted':
        return [{ ...standing, trading: 'halted', tradingSince: now }]
      case 'resumed':
        return [{ ...standing, trading: 'trading', tradingSince: now }]
      case 'delisted':
        return [{ ...standing, trading: 'delisted', tradingSince: now, delistCause: change.cause }]
    }
  }

/** In the first list of a venue the age of a listing is unknown, unless the venue states it. */
const newInstanceOf =
  (exchange: string, first: boolean, now: Date) =>
  (change: ListingChange): NewInstance[] => {
    if (change.kind !== 'listed') return []
    const { market, predecessor } = change
    const seen = first && predecessor === null ? null : now
    return [
      {
        tokenId: `${exchange}_${market.base}_${market.quote}`.toLowerCase(),
        exchange,
        market,
        predecessorId: predecessor?.instanceId ?? null,
        listedAt: market.listedAt === null || predecessor !== null ? seen : new Date(market.listedAt),
      },
    ]
  }

async function applyFlags({ pool, clock, venues }: Parts, exchange: string, ask: Ask): Promise<boolean> {
  const adapter = venues.get(exchange)?.adapter
  if (adapter === undefined) return true
  let failure: unknown = null
  const told = await adapter.officialFlags(ask).catch((error: unknown) => {
    failure = error
    return { flags: [], complete: false }
  })
  if (told === null) return true
  const now = clock.now()
  await pool.transaction(async (tx) => {
    const readAt = await noteFlags(tx, exchange, told.complete, now)
    const whole = told.complete || now.getTime() - readAt.getTime() >= FLAGS_MS_MAX
    const instances = await knownInstances(tx, exchange)
    // Flags of announcements are not in the market list, and do not end with it.
    const standing = (await standingFlags(tx, exchange)).filter(({ flag }) => !flag.startsWith(ANNOUNCED))
    await insertFlagEvents(tx, flagChanges(standing, instances, told.flags, whole), now)
  })
  if (failure !== null) throw failure
  return true
}
