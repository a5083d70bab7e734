import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { followFigures } from '#gaps/store/follow-figures.ts'
import { shadowBooks } from '#gaps/store/shadow-books.ts'
import { followSignals } from '#runner/jobs/follow-signals.ts'
import { dyingContext, startFollowRig } from '../follow-rig.ts'
import { RUNNER } from '../follow-world.ts'

const rig = opened(() => startFollowRig({ dry: true }))

const run = () => rig.run('followSignals')
const bookOf = async (listingId: string) =>
  (await shadowBooks(rig.pool, RUNNER)).find((book) => book.listingId === listingId)
const count = () => rig.pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM verdict`)

test('a dry run orders nothing: verdicts have the prefix, and are scored by the book of 1,000 USDC of the listing', async () => {
  const listing = await rig.newListing({ price: 4 })
  const follower = await rig.newFollow(listing)
  const poor = await rig.newFollow(listing, { openMax: null })
  await rig.publish(listing)
  rig.clock.advance(3_000)
  await run()
  const [opened_] = [await bookOf(listing.listingId)]
  // 500 USDC at 60,000 are 0.00833 BTC, bought at 60,060 with a fee of 0.045 %: worth 0.4998 + 0.2251 less.
  expect(opened_).toMatchObject({ startUsdc: 1_000_000_000n, equityUsdc: 999_275_065n, fills: 1 })
  rig.world.prices.set('hl:BTC', '66000')
  await rig.publish(listing, { side: 'flat', weight_bps: 0 })
  await run()
  expect(await rig.verdicts(follower)).toEqual([
    {
      seq: 1,
      kind: 'dry_followed',
      reason: null,
      signal_price: '60000',
      fill_price: '60060',
      gap_bps: '10',
      delay_ms: 3_000,
    },
    {
      seq: 2,
      kind: 'dry_followed',
      reason: 'at_target',
      signal_price: null,
      fill_price: null,
      gap_bps: null,
      delay_ms: null,
    },
  ])
  expect((await rig.verdicts(poor)).map(({ kind, reason }) => [kind, reason])).toEqual([
    ['dry_skipped_limit', 'nothing_passes'],
    ['dry_followed', 'at_target'],
  ])
  const book = await bookOf(listing.listingId)
  // 0.00833 × (65,934 − 60,060) less both fees.
  expect(book).toMatchObject({ equityUsdc: 1_048_458_131n, fills: 2 })
  expect([rig.world.requests, rig.world.executed, rig.world.paid.size]).toEqual([[], [], 0])
  expect(await shadowBooks(rig.pool, RUNNER + 1)).toEqual([])
})

test('many followers of one vault are decided in a batch, each signal once, and lag behind nobody', async () => {
  const listing = await rig.newListing()
  const followers = []
  for (let n = 0; n < 30; n += 1) {
    followers.push(await rig.newFollow(listing))
    if (n % 10 === 9) for (let s = 0; s < 9; s += 1) await rig.publish(listing, { weight_bps: 1_000 * (s + 1) })
  }
  const before = await count()
  const second = await rig.second()
  const other = followSignals(second)(AbortSignal.timeout(600_000))
  await Promise.all([run(), other])
  await run()
  expect((await count()) - before).toBe(10 * (27 + 18 + 9))
  for (const [n, follower] of followers.entries()) {
    const seqs = (await rig.verdicts(follower)).map(({ seq }) => seq)
    const first = Math.floor(n / 10) * 9
    expect(seqs).toEqual(Array.from({ length: 27 - first }, (_, at) => first + at + 1))
  }
  expect((await run()).done).toBe(0)
  expect((await bookOf(listing.listingId))?.fills).toBeLessThanOrEqual(27)
})

test('a dry run killed between any two steps leaves one verdict a signal, and a book that is the sum of its fills', async () => {
  const listing = await rig.newListing()
  const follower = await rig.newFollow(listing)
  for (let lives = 0; lives < 24; lives += 1) {
    await rig.publish(listing, lives % 2 === 0 ? {} : { side: 'short', weight_bps: 7_000 })
    const { context, ended } = dyingContext(rig.context, lives)
    const done = followSignals(context)(AbortSignal.timeout(600_000)).then(() => 'done' as const)
    await Promise.race([done, ended])
    await run()
  }
  const verdicts = await rig.verdicts(follower)
  expect(verdicts.map(({ seq, kind }) => [seq, kind])).toEqual(
    Array.from({ length: 24 }, (_, n) => [n + 1, 'dry_followed']),
  )
  const sums = await rig.pool.one(sql.type(
    z.object({
      cash: z.string(),
      size: z.string(),
      fills: z.number(),
      stored: z.string(),
      held: z.string(),
      counted: z.number(),
    }),
  )`
    SELECT (1000000000 - sum(round(CASE side WHEN 'buy' THEN 1 ELSE -1 END * size * price * 1000000)) - sum(fee_usdc))::text AS cash,
      sum(CASE side WHEN 'buy' THEN size ELSE -size END)::text AS size, count(*) AS fills,
      max(cash_usdc)::text AS stored, max(positions->>'hl:BTC') AS held, max(book.fills) AS counted
    FROM shadow_fill JOIN shadow_book book USING (listing_id) WHERE listing_id = ${listing.listingId}`)
  expect([sums.stored, Number(sums.held), sums.counted]).toEqual([sums.cash, Number(sums.size), sums.fills])
  expect(sums.fills).toBe(24)
})

test('an hour later a book is marked with the funding of the hour, once, and its series has a point a day', async () => {
  const listing = await rig.newListing()
  await rig.newFollow(listing)
  rig.world.prices.set('hl:BTC', '50000')
  await rig.publish(listing)
  await run()
  rig.clock.advance(3_600_000)
  rig.world.prices.set('hl:BTC', '51000')
  const second = await rig.second()
  await Promise.all([rig.run('markShadowBooks'), rig.run('markShadowBooks', second)])
  const book = await bookOf(listing.listingId)
  // Bought 0.01 at 50,050, fee 0.225225; worth 51,000; funding 0.01 × 51,000 × 0.0001.
  expect(book).toMatchObject({ equityUsdc: 1_009_223_775n })
  expect(book?.series).toEqual([{ at: rig.clock.now().toISOString(), equityUsdc: 1_009_223_775n }])
  expect((await rig.run('markShadowBooks')).done).toBe(0)
  rig.clock.advance(3_600_000)
  rig.world.prices.delete('hl:BTC')
  await rig.run('markShadowBooks')
  rig.world.prices.set('hl:BTC', '60000')
  expect(await bookOf(listing.listingId)).toEqual(book)
})

test('while the venue cannot be read signals wait, and late ones are passed over by verdict and book alike', async () => {
  const listing = await rig.newListing()
  const follower = await rig.newFollow(listing)
  rig.peers.relay.isAway = true
  await rig.publish(listing)
  await run()
  expect(await rig.verdicts(follower)).toEqual([])
  rig.clock.advance(120_001)
  await run()
  expect((await rig.verdicts(follower)).map(({ kind }) => kind)).toEqual(['dry_skipped_stale'])
  expect(await bookOf(listing.listingId)).toMatchObject({ fills: 0 })
  rig.peers.relay.isAway = false
})

test('figures of a vault: followers now, and the gaps of executed orders, or of dry verdicts while there are none', async () => {
  const listing = await rig.newListing()
  const none = { vaultId: listing.vaultId, followers: 0, gapSource: null, gapBpsMedian: null, gapBpsP90: null }
  expect((await followFigures(rig.pool, [listing.vaultId])).get(listing.vaultId)).toEqual(none)
  const follower = await rig.newFollow(listing)
  await rig.newFollow(listing)
  await rig.publish(listing)
  await rig.publish(listing, { weight_bps: 8_000 })
  await run()
  const figures = async () => (await followFigures(rig.pool, ['opv_none', listing.vaultId])).get(listing.vaultId)
  expect(await figures()).toEqual({ ...none, followers: 2, gapSource: 'dry', gapBpsMedian: 10, gapBpsP90: 10 })
  const id = await rig.pool.oneFirst(
    sql.type(z.object({ id: z.string() }))`SELECT id FROM follow WHERE mandate_id = ${follower.id}`,
  )
  for (const [seq, gap] of [
    [101, 4],
    [102, 40],
    [103, -2],
  ] as const)
    await rig.pool.query(sql.unsafe`
      INSERT INTO verdict (follow_id, seq, mandate_id, vault_id, kind, signal_price, fill_price, delay_ms, gap_bps, decided_at)
      VALUES (${id}, ${seq}, ${follower.id}, ${listing.vaultId}, 'followed', 1, 1, 0, ${gap}, now())`)
  expect(await figures()).toEqual({ ...none, followers: 2, gapSource: 'live', gapBpsMedian: 4, gapBpsP90: 32.8 })
})
