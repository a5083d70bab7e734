import { sql } from '@svc/postgres'
import type { RemoteRefusal } from '@svc/service'
import { changesNothing, opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { hireListing } from '#follows/operations/hire-listing.ts'
import { callOf, dyingContext, startFollowRig, type Sold } from '../follow-rig.ts'
import { RUNNER, type Follower } from '../follow-world.ts'
import { agent, owner } from '../rig.ts'

const rig = opened(() => startFollowRig())

const hire = ({ listingId }: Pick<Sold, 'listingId'>, { id, ownerId }: Follower) =>
  rig.as(owner(ownerId)).hireListing({ listing_id: listingId, mandate_id: id })
const release = ({ listingId }: Sold, { id, ownerId }: Follower) =>
  rig.as(owner(ownerId)).releaseListing({ listing_id: listingId, mandate_id: id })
const followsOf = ({ id }: Follower) =>
  rig.pool.any(sql.type(
    z.object({
      id: z.string(),
      after_seq: z.number(),
      last_seq: z.number().nullable(),
      end_reason: z.string().nullable(),
    }),
  )`
    SELECT id, after_seq, last_seq, end_reason FROM follow WHERE mandate_id = ${id} ORDER BY seq`)

test('a hire stores one follow from the next signal on, and the same hire again answers the same', async () => {
  const [listing, other] = [await rig.newListing(), await rig.newListing()]
  await rig.publish(listing)
  await rig.publish(listing)
  const follower = rig.world.newFollower()
  const hired = await hire(listing, follower)
  expect(hired).toMatchObject({
    ok: true,
    status: 'following',
    follow: {
      mandate_id: follower.id,
      vault_id: listing.vaultId,
      account: follower.account,
      after_seq: 2,
      ended_at: null,
    },
  })
  await rig.publish(listing)
  expect(await hire(listing, follower)).toEqual(hired)
  const asAgent = rig.as(agent(RUNNER))
  expect(await asAgent.hireListing({ listing_id: listing.listingId, mandate_id: follower.id })).toEqual(hired)
  expect(await refusalOf(hire(other, follower))).toMatchObject({
    status: 409,
    code: 'hub_follow_exists',
    listing_id: listing.listingId,
  })
  expect(await rig.as(owner(follower.ownerId)).readFollow({ mandate_id: follower.id })).toEqual({
    follow: hired.follow,
    verdicts: [],
  })
  expect(await followsOf(follower)).toHaveLength(1)
})

test('the mandate is named by public_id or by mandate_id, and not by both or none', async () => {
  const listing = await rig.newListing()
  const { id, ownerId } = rig.world.newFollower()
  const as = rig.as(owner(ownerId))
  const at = { listing_id: listing.listingId }
  const hired = await as.hireListing({ ...at, public_id: id })
  expect(hired.follow).toMatchObject({ public_id: id, mandate_id: id })
  expect(await as.replayListing({ ...at, public_id: id })).toMatchObject({ public_id: id, mandate_id: id })
  for (const named of [{}, { mandate_id: id, public_id: id }])
    for (const call of [as.hireListing, as.releaseListing, as.replayListing])
      expect(await refusalOf(call({ ...at, ...named }))).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/public_id' }],
      })
  expect((await as.releaseListing({ ...at, public_id: id })).follow?.end_reason).toBe('released')
})

test('a dry run of a hire says whether it would follow, refuses as the hire, and changes nothing', async () => {
  const listing = await rig.newListing()
  const follower = rig.world.newFollower()
  const waiting = rig.world.newFollower({ legState: 'none' })
  const stranger = rig.world.newFollower({ agentId: 7 })
  const rehearse = ({ id, ownerId }: Follower) =>
    rig.as(owner(ownerId)).hireListing({ listing_id: listing.listingId, mandate_id: id, dry_run: true })
  const nothing = { ok: true, dry_run: true, follow_id: null, follow: null }
  await changesNothing(rig.stack.databaseOf('gallery').superuserUrl, async () => {
    expect(await rehearse(follower)).toEqual({ ...nothing, status: 'following' })
    expect(await rehearse(waiting)).toEqual({ ...nothing, status: 'pending_leg' })
    expect(await refusalOf(rehearse(stranger))).toMatchObject({ code: 'hub_not_runner' })
  })
})

test('a mandate whose leg is not bound waits: nothing is stored, and no follow has an id', async () => {
  const listing = await rig.newListing()
  for (const legState of ['none', 'proposed', 'revoked'] as const) {
    const follower = rig.world.newFollower({ legState })
    expect(await hire(listing, follower)).toEqual({ ok: true, status: 'pending_leg', follow_id: null, follow: null })
    expect(await followsOf(follower)).toEqual([])
    follower.legState = 'bound'
    expect(await hire(listing, follower)).toMatchObject({ status: 'following' })
  }
})

test('only a signed or working mandate of the caller whose agent is the house runner is hired for', async () => {
  const listing = await rig.newListing()
  const refused = async (some: Partial<Follower>) => refusalOf(hire(listing, rig.world.newFollower(some)))
  expect(await refused({ agentId: 7 })).toMatchObject({ status: 409, code: 'hub_not_runner', runner_agent_id: RUNNER })
  for (const state of ['draft', 'paused', 'stopped', 'ended', 'closed'] as const)
    expect(await refused({ state })).toMatchObject({ status: 409, code: 'hub_wrong_state', state })
  const follower = rig.world.newFollower({ state: 'signed' })
  const unknown = { status: 404, code: 'unknown_mandate' }
  expect(await refusalOf(hire(listing, { ...follower, ownerId: 1 }))).toMatchObject(unknown)
  const other = rig.as(agent(901)).hireListing({ listing_id: listing.listingId, mandate_id: follower.id })
  expect(await refusalOf(other)).toMatchObject(unknown)
  expect(await refusalOf(rig.as(owner(1)).readFollow({ mandate_id: follower.id }))).toMatchObject(unknown)
  expect(await refusalOf(release(listing, { ...follower, ownerId: 1 }))).toMatchObject(unknown)
  expect(await hire(listing, follower)).toMatchObject({ status: 'following' })
  expect(await refusalOf(release(listing, { ...follower, ownerId: 1 }))).toMatchObject(unknown)
})

test('a listing that is withdrawn, suspended, unknown, without signals or for real money cannot be hired', async () => {
  const follower = rig.world.newFollower()
  const [withdrawn, suspended, ended] = [await rig.newListing(), await rig.newListing(), await rig.newListing()]
  await rig.setStatus(withdrawn, 'withdrawn')
  await rig.setStatus(suspended, 'suspended')
  await rig.endOperator(ended)
  for (const [listing, status, code] of [
    [withdrawn, 409, 'listing_withdrawn'],
    [suspended, 409, 'listing_suspended'],
    [ended, 409, 'listing_withdrawn'],
    [{ listingId: `lst_${'0'.repeat(20)}` }, 404, 'unknown_listing'],
    [await rig.newListing({ type: 'vault_deposit' }), 409, 'door_locked'],
    [await rig.newListing({ type: 'strategy_template' }), 409, 'hub_listing_not_hirable'],
  ] as const)
    expect([code, await refusalOf(hire(listing, follower))]).toMatchObject([code, { status, code }])
  const house = await rig.newListing({ type: 'strategy_template', house: true })
  expect(await hire(house, follower)).toMatchObject({ status: 'following' })
  const invalid = rig.as(owner(1)).hireListing({ listing_id: 'lst_1', mandate_id: follower.id } as never)
  expect(await refusalOf(invalid)).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('of hires side by side through two processes one mandate gets one follow, and those of another listing are refused by name', async () => {
  await rig.second()
  const listings = [await rig.newListing(), await rig.newListing()]
  const followers = Array.from({ length: 6 }, () => rig.world.newFollower())
  for (const follower of followers) {
    const asAgent = (listing: Sold) =>
      rig.as(agent(RUNNER)).hireListing({ listing_id: listing.listingId, mandate_id: follower.id })
    const calls = Array.from({ length: 6 }, (_, n) => {
      const listing = listings[n % 2] ?? expect.fail()
      return n < 4 ? hire(listing, follower) : asAgent(listing)
    })
    const answers = await Promise.allSettled(calls)
    const ids = new Set(answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.follow_id] : [])))
    expect([ids.size, (await followsOf(follower)).length]).toEqual([1, 1])
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as RemoteRefusal] : []))
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [409, 'hub_follow_exists']),
    )
  }
})

test('owners who hire one listing at once each get a follow of their own mandate, and nobody one of another', async () => {
  const listing = await rig.newListing()
  const followers = Array.from({ length: 5 }, () => rig.world.newFollower())
  const thief = rig.world.newFollower()
  const [theft, ...hired] = await Promise.all([
    Promise.all(followers.map((one) => refusalOf(hire(listing, { ...one, ownerId: thief.ownerId })))),
    ...followers.map((one) => hire(listing, one)),
  ])
  expect(theft.map(({ code }) => code)).toEqual(followers.map(() => 'unknown_mandate'))
  expect(hired.map(({ follow }) => follow?.mandate_id)).toEqual(followers.map(({ id }) => id))
  for (const one of followers) expect(await followsOf(one)).toHaveLength(1)
})

test('a hire beside an adoption of the same listing takes nothing from it: an adoption is a draft, and stores nothing', async () => {
  const listing = await rig.newListing()
  await rig.publish(listing)
  const follower = rig.world.newFollower()
  rig.peers.mandates.answers['previewDraft'] = ({ limits }: { limits: object }) => ({
    limits,
    clauses: [],
    chain_id: 84_532,
    problems: [],
    policy_item: null,
  })
  rig.peers.identity.answers['relatedAccounts'] = ({ account_id }: { account_id: number }) => ({
    account_ids: [account_id],
  })
  const adopt = () => rig.as(owner(follower.ownerId)).adoptListing({ listing_id: listing.listingId })
  const before = await adopt()
  const [first, hired, second] = await Promise.all([adopt(), hire(listing, follower), adopt()])
  expect([first, second]).toEqual([before, before])
  expect(await followsOf(follower)).toMatchObject([{ id: hired.follow_id }])
  await changesNothing(rig.stack.databaseOf('gallery').superuserUrl, adopt)
})

test('a hire of another listing while the follow is released gets the follow or a refusal, whichever comes first', async () => {
  const [former, next] = [await rig.newListing(), await rig.newListing()]
  const follower = await rig.newFollow(former)
  const call = callOf(rig.context, owner(follower.ownerId))
  // The release commits between the two statements of the hire.
  const between: typeof call.effect = (work) =>
    rig.context.pool.transaction((tx) =>
      work(
        new Proxy(tx, {
          get: (target, name) =>
            name !== 'maybeOne'
              ? (Reflect.get(target, name) as unknown)
              : async (query: Parameters<typeof tx.maybeOne>[0]) => {
                  const row = await target.maybeOne(query)
                  if (row === null && query.sql.includes('INSERT INTO "follow"')) await release(former, follower)
                  return row
                },
        }),
      ),
    )
  const input = { listing_id: next.listingId, mandate_id: follower.id, dry_run: false }
  const hired = await hireListing(rig.context)(input, { ...call, effect: between })
  expect(hired).toMatchObject({ status: 200, body: { status: 'following' } })
  expect(await followsOf(follower)).toMatchObject([{ end_reason: 'released' }, { end_reason: null }])
})

test('whatever hires, releases and withdrawals meet, every answer has a name, and one mandate follows at most once', async () => {
  const listings = [await rig.newListing(), await rig.newListing()]
  const followers = Array.from({ length: 4 }, () => rig.world.newFollower())
  const [first = expect.fail(), second = expect.fail()] = listings
  const ends = await Promise.allSettled([
    ...followers.flatMap((one) => [hire(first, one), release(first, one), hire(second, one), release(second, one)]),
    rig.setStatus(second, 'withdrawn'),
    ...followers.flatMap((one) => [hire(second, one), hire(first, one), release(first, one), hire(first, one)]),
  ])
  const codes = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as RemoteRefusal).body?.code] : []))
  expect(['hub_follow_exists', 'listing_withdrawn']).toEqual(expect.arrayContaining([...new Set(codes)]))
  await rig.run('endFollows')
  for (const one of followers) {
    const active = (await followsOf(one)).filter(({ end_reason }) => end_reason === null)
    expect(active.length).toBeLessThanOrEqual(1)
    const { follow } = await rig.as(owner(one.ownerId)).readFollow({ mandate_id: one.id })
    if (active.length === 1) expect(follow).toMatchObject({ listing_id: first.listingId, ended_at: null })
  }
})

test('a hire that is killed between any two steps leaves one follow or none, and the same hire again answers it', async () => {
  const listing = await rig.newListing()
  const outcomes = new Set<string>()
  for (let lives = 0; lives < 8; lives += 1) {
    const follower = rig.world.newFollower()
    const input = { listing_id: listing.listingId, mandate_id: follower.id, dry_run: false }
    const { context, ended } = dyingContext(rig.context, lives)
    const call = callOf(context, owner(follower.ownerId))
    const died = await Promise.race([hireListing(context)(input, call).then(() => 'answered'), ended])
    const before = await followsOf(follower)
    outcomes.add(`${died} ${before.length}`)
    const hired = await hire(listing, follower)
    expect(await followsOf(follower)).toMatchObject([{ id: before[0]?.id ?? hired.follow_id }])
  }
  expect(outcomes).toEqual(new Set(['killed 0', 'answered 1']))
})

test('a release ends the follow at the newest signal, once; a mandate that never followed has nothing to release', async () => {
  const listing = await rig.newListing()
  const follower = await rig.newFollow(listing)
  await rig.publish(listing)
  const keyed = rig.as(owner(follower.ownerId), { idempotencyKey: 'r' })
  const input = { listing_id: listing.listingId, mandate_id: follower.id }
  const released = await keyed.releaseListing(input)
  expect(released.follow).toMatchObject({ ended_at: rig.clock.now().toISOString(), end_reason: 'released' })
  await rig.publish(listing)
  expect(await keyed.releaseListing(input)).toEqual(released)
  expect(await release(listing, follower)).toEqual(released)
  expect(await followsOf(follower)).toMatchObject([{ last_seq: 1, end_reason: 'released' }])
  expect(await rig.told(follower)).toEqual([])
  expect(await release(listing, rig.world.newFollower())).toEqual({ ok: true, follow: null })
  expect(await refusalOf(rig.as(owner(1)).releaseListing({ ...input, listing_id: 'x' } as never))).toMatchObject({
    status: 400,
  })
  // A new hire begins at its own signal.
  expect((await hire(listing, follower)).follow).toMatchObject({ after_seq: 2 })
})

test('the end of listing, operator, mandate or leg ends its follows once, and the owner is told the reason', async () => {
  const ends: readonly [string, (listing: Sold, follower: Follower) => unknown][] = [
    ['listing_withdrawn', (listing) => rig.setStatus(listing, 'withdrawn')],
    ['listing_suspended', (listing) => rig.setStatus(listing, 'suspended')],
    ['operator_ended', (listing) => rig.endOperator(listing)],
    ['mandate_stopped', (_, follower) => (follower.state = 'stopped')],
    ['mandate_stopped', (_, follower) => (follower.state = 'ended')],
    ['agent_changed', (_, follower) => (follower.agentId = 7)],
    ['leg_released', (_, follower) => (follower.legState = 'released')],
    ['leg_released', (_, follower) => (follower.account = `0x${'f'.repeat(40)}`)],
  ]
  const cases = []
  for (const [reason, end] of ends) {
    const listing = await rig.newListing()
    const follower = await rig.newFollow(listing)
    await rig.publish(listing)
    await end(listing, follower)
    cases.push({ reason, follower })
  }
  const kept = await rig.newFollow(await rig.newListing())
  for (const state of ['paused', 'working'] as const) {
    kept.state = state
    kept.legState = state === 'paused' ? 'revoked' : 'bound'
    await rig.run('endFollows')
    expect(await followsOf(kept)).toMatchObject([{ end_reason: null }])
  }
  expect((await rig.run('endFollows')).done).toBe(0)
  for (const { reason, follower } of cases) {
    expect(await followsOf(follower)).toMatchObject([{ end_reason: reason, last_seq: 1 }])
    expect(await rig.told(follower)).toEqual([reason])
  }
})

test('a replay covers 90 days under the limits of the mandate: what is free, paid for or older than 30 days', async () => {
  const DAY = 86_400_000
  const listing = await rig.newListing({ price: 2 })
  const follower = rig.world.newFollower()
  const ago = (days: number) => new Date(rig.clock.now().getTime() - days * DAY).toISOString()
  const flat = { side: 'flat', weight_bps: 0 } as const
  await rig.publish(listing, { recorded_at: ago(91), recorded_price: '1' })
  await rig.publish(listing, { recorded_at: ago(60), recorded_price: '100' })
  await rig.publish(listing, { recorded_at: ago(50), recorded_price: '120', ...flat })
  await rig.publish(listing, { recorded_at: ago(20), recorded_price: '100' })
  await rig.publish(listing, { recorded_at: ago(10), recorded_price: '50', ...flat })
  const input = { listing_id: listing.listingId, mandate_id: follower.id }
  const replay = () => rig.as(owner(follower.ownerId)).replayListing(input)
  const open = await replay()
  expect(open).toMatchObject({
    from: ago(60),
    to: ago(50),
    signals: 2,
    signals_left_out: 2,
    followed: 2,
    orders: 2,
    start_usdc: '100',
    gap_bps: null,
    stopped: false,
  })
  // 50 USDC at the mark: 0.5 bought at 100, sold at 120, less fees at the venue and 10 % of the gain.
  expect(open).toMatchObject({ end_usdc: '108.95545', change_bps: 895, performance_fee_usdc: '0.99505' })
  for (const seq of [4, 5]) rig.world.paid.set(`${follower.ownerId} ${listing.vaultId}:${seq}`, 1)
  expect(await replay()).toMatchObject({ signals: 4, signals_left_out: 0, to: ago(10), performance_fee_usdc: '0' })
  expect(await rig.as(agent(RUNNER)).replayListing(input)).toEqual(await replay())

  expect(await refusalOf(rig.as(owner(1)).replayListing(input))).toMatchObject({ status: 404, code: 'unknown_mandate' })
  const unknown = { ...input, listing_id: `lst_${'0'.repeat(20)}` }
  expect(await refusalOf(rig.as(owner(1)).replayListing(unknown))).toMatchObject({
    status: 404,
    code: 'unknown_listing',
  })
  const template = await rig.newListing({ type: 'strategy_template' })
  expect(await refusalOf(rig.as(owner(1)).replayListing({ ...input, listing_id: template.listingId }))).toMatchObject({
    status: 409,
    code: 'hub_listing_not_hirable',
  })
  expect(await refusalOf(rig.as(owner(1)).replayListing({ ...input, mandate_id: 'x' }))).toMatchObject({ status: 400 })
})
