import { changesNothing, eventually, opened, refusalOf } from '@svc/testing'
import { describe, expect, it } from 'vitest'
import { admin, agent, entry, reviewer, startRig, text } from '../rig.ts'

let pairs = 0
const fresh = () => `T${(pairs += 1)}/USDT`
const DAY = 86_400_000
const rig = opened(() => startRig())

async function submitOne(account: number, one = text('team', 1), symbol = fresh()): Promise<string> {
  const answer = await rig.as(agent(account)).submitMetadata({ exchange: 'binance', symbol, entries: [one] })
  return 'submission_ids' in answer ? (answer.submission_ids[0] ?? '') : ''
}
const review = (by: number, id: string, decision: 'approve' | 'reject', reason?: string) =>
  rig.as(reviewer(by)).reviewSubmission({ id, decision, ...(reason === undefined ? {} : { reason }) })
const recordOf = async (account: number, id: string) =>
  (await rig.as(agent(account)).listSubmissions({ limit: 200 })).items.find((item) => item.id === id)
const bookedOf = (id: string) => rig.world.booked.filter((line) => line.submission_id === id)
const paid = (account: number, id: string) =>
  eventually(async () => (await recordOf(account, id))?.payout?.status === 'paid')

describe('review', () => {
  it('pays an approved submission once, and its value becomes the verified value of the field', async () => {
    const symbol = fresh()
    const id = await submitOne(1, text('team', 'x'), symbol)
    const answer = await review(50, id, 'approve')
    expect(answer).toMatchObject({
      ok: true,
      approvals: 1,
      approvals_needed: 1,
      submission: { id, status: 'approved', points: 15, cherry: 75, payout: { pay_on: '2026-11-21' } },
    })
    await paid(1, id)
    expect(bookedOf(id)).toEqual([{ submission_id: id, account_id: 1, cherry: 75, pay_on: '2026-11-21' }])
    const listing = await rig.as(null).listFields({ exchange: 'binance', symbol: symbol.replace('/', '_') })
    expect(listing.total_empty).toBe(24)
    expect(listing.groups.flatMap((group) => group.fields).find((field) => field.field === 'team')).toMatchObject({
      current_value: 'value x',
      pending: false,
    })
    const balance = await rig.as(agent(1)).miningBalance({})
    expect(balance).toMatchObject({
      balance: 75,
      queued: 0,
      daily_limit: 500,
      recent_rewards: [{ submission_id: id, cherry: 75, payout: { status: 'paid' } }],
    })
    expect(balance.recent_rewards[0]?.payout.paid_at).not.toBeNull()
  })

  it('of a dry run shows the approval and its pay, and changes nothing', async () => {
    const id = await submitOne(3, text('team', 'dry'))
    const { superuserUrl } = rig.stack.databaseOf('mining')
    const input = { id, decision: 'approve' } as const
    const dry = await changesNothing(superuserUrl, () =>
      rig.as(reviewer(50)).reviewSubmission({ ...input, dry_run: true }),
    )
    expect(dry).toMatchObject({ dry_run: true, approvals: 1, submission: { id, status: 'approved', cherry: 75 } })
    expect(await recordOf(3, id)).toMatchObject({ status: 'pending' })
    expect(await review(50, id, 'approve')).toMatchObject({ submission: { status: 'approved' } })
  })

  it('replaces an approved value by a newer one, and refuses a value that is approved already', async () => {
    const symbol = fresh()
    await review(50, await submitOne(2, text('team', 'old'), symbol), 'approve')
    expect(await refusalOf(submitOne(2, text('team', 'old'), symbol))).toMatchObject({
      code: 'invalid_entries',
      errors: [{ code: 'same_value' }],
    })
    await review(50, await submitOne(2, text('team', 'new'), symbol), 'approve')
    const listing = await rig.as(null).listFields({ exchange: 'binance', symbol: symbol.replace('/', '_') })
    expect(listing.groups.flatMap((group) => group.fields).find((field) => field.field === 'team')?.current_value).toBe(
      'value new',
    )
  })

  it('pays once when many reviewers approve at the same time', async () => {
    const id = await submitOne(3)
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        review(60 + n, id, 'approve').then(
          () => 'approved',
          (error: { body?: { code?: string } }) => error.body?.code,
        ),
      ),
    )
    expect(outcomes.filter((one) => one === 'approved')).toHaveLength(1)
    expect(outcomes.filter((one) => one === 'already_reviewed')).toHaveLength(9)
    await paid(3, id)
    expect(bookedOf(id)).toHaveLength(1)
  })

  it('changes nothing when a reviewer repeats a decision, with or without a key', async () => {
    const id = await submitOne(4)
    const first = await review(50, id, 'approve')
    await paid(4, id)
    expect(await review(50, id, 'approve')).toMatchObject({
      ok: first.ok,
      approvals: 1,
      submission: { status: 'approved' },
    })
    expect(await refusalOf(review(50, id, 'reject', 'changed my mind'))).toMatchObject({
      status: 409,
      code: 'already_reviewed',
      review_status: 'approved',
    })
    expect(bookedOf(id)).toHaveLength(1)
  })

  it('requires two different reviewers for a contract address', async () => {
    const id = await submitOne(5, entry('contract_address', 'native'))
    expect(await review(50, id, 'approve')).toMatchObject({
      approvals: 1,
      approvals_needed: 2,
      submission: { status: 'pending', payout: null },
    })
    expect(await review(50, id, 'approve')).toMatchObject({ approvals: 1, submission: { status: 'pending' } })
    expect(await review(51, id, 'approve')).toMatchObject({ approvals: 2, submission: { status: 'approved' } })
    await paid(5, id)
    const split = await submitOne(5, entry('contract_address', 'native'))
    await review(50, split, 'approve')
    expect(await review(51, split, 'reject', 'the address is of another chain')).toMatchObject({
      submission: { status: 'rejected' },
    })
  })

  it('refuses a decision on a submission of the reviewer’s own account, wallet or paired agent', async () => {
    const id = await submitOne(6)
    expect(await refusalOf(review(6, id, 'approve'))).toMatchObject({ status: 409, code: 'self_review' })
    const sameWallet = { ...reviewer(70), wallet: agent(6).wallet?.toUpperCase().replace('0X', '0x') ?? null }
    expect(await refusalOf(rig.as(sameWallet).reviewSubmission({ id, decision: 'approve' }))).toMatchObject({
      code: 'self_review',
    })
    rig.world.related.set(71, [71, 6])
    expect(await refusalOf(review(71, id, 'reject', 'no'))).toMatchObject({ code: 'self_review' })
    expect((await recordOf(6, id))?.status).toBe('pending')
  })

  it('requires a reason for a rejection and shows it to the miner', async () => {
    const id = await submitOne(7)
    for (const reason of [undefined, '', 'a\u0000b'])
      expect(await refusalOf(review(50, id, 'reject', reason))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        errors: [{ pointer: '/reason' }],
      })
    await review(50, id, 'reject', 'The page does not show it.')
    expect(await recordOf(7, id)).toMatchObject({
      status: 'rejected',
      review_reason: 'The page does not show it.',
      reviewed_at: '2026-11-21T10:00:00.000Z',
      payout: null,
    })
  })

  it('answers unknown_submission', async () => {
    expect(await refusalOf(review(50, `sub_${'0'.repeat(32)}`, 'approve'))).toMatchObject({
      status: 404,
      code: 'unknown_submission',
    })
  })

  it('pauses an account for a day after three rejections in a row', async () => {
    for (const n of [1, 2, 3]) await review(50, await submitOne(8, text('team', n)), 'reject', 'wrong')
    expect(await refusalOf(submitOne(8))).toMatchObject({
      status: 409,
      code: 'submissions_paused',
      retry_at: '2026-11-22T10:00:00.000Z',
    })
    rig.clock.advance(DAY)
    await submitOne(8)
    rig.clock.advance(-DAY)
  })

  it('stores every decision permanently: the service may not change or delete one', async () => {
    const { sql } = await import('@svc/postgres')
    await expect(rig.pool.query(sql.unsafe`DELETE FROM decision`)).rejects.toThrow()
    await expect(rig.pool.query(sql.unsafe`UPDATE decision SET decision = 'approve'`)).rejects.toThrow()
  })
})

describe('review queue', () => {
  it('lists better miners first, then older entries, and shows checks and finding', async () => {
    for (const n of [1, 2, 3]) await review(50, await submitOne(20, text('team', n)), 'approve')
    const rookie = await submitOne(21)
    const proven = await submitOne(20, text('audit_firm', 1))
    const later = await submitOne(21, text('audit_firm', 1))
    await rig.runJob('checkEvidence')
    const all: Awaited<ReturnType<typeof page>>['items'] = []
    const page = (cursor?: string) =>
      rig.as(reviewer(50)).reviewQueue({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    for (let next: string | null | undefined; next !== null;) {
      const one = await page(next)
      all.push(...one.items)
      next = one.next_cursor
    }
    const places = [proven, rookie, later].map((id) => all.findIndex((item) => item.id === id))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const item = all[places[0]!]!
    expect(item).toMatchObject({
      account_id: 20,
      exchange: 'binance',
      current_value: null,
      approvals: 0,
      approvals_needed: 1,
      miner: { approved: 3, rejected: 0 },
    })
    expect(item.miner.acceptance_lower_bound).toBeCloseTo(0.438, 2)
    expect(item.checks.map((check) => check.id)).toContain('confusable_name')
    expect(await refusalOf(rig.as(reviewer(50)).reviewQueue({ cursor: 'e30' }))).toMatchObject({
      code: 'invalid_request',
    })
  })

  it('stores the finding of the evidence checker, which decides nothing', async () => {
    const id = await submitOne(22)
    const finding = await eventually(async () => {
      await rig.runJob('checkEvidence')
      const { items } = await rig.as(reviewer(50)).reviewQueue({ limit: 100 })
      return items.find((one) => one.id === id)?.finding ?? false
    })
    expect(finding).toMatchObject({ reachable: false, status: null, value_found: null, reason: 'host_not_found' })
    expect((await recordOf(22, id))?.status).toBe('pending')
  })
})

describe('payouts', () => {
  it('pays up to the daily limit at once and queues the rest whole, oldest first, each exactly once', async () => {
    const ids: string[] = []
    for (let n = 0; n < 9; n += 1) ids.push(await submitOne(30, text('team', n)))
    await Promise.all(ids.map((id, n) => review(50 + n, id, 'approve')))
    const records = await Promise.all(ids.map((id) => recordOf(30, id)))
    const days = Map.groupBy(records, (record) => record?.payout?.pay_on ?? '')
    expect([...days.keys()].toSorted()).toEqual(['2026-11-21', '2026-11-22'])
    expect(days.get('2026-11-21')).toHaveLength(6)
    await rig.runJob('payoutsOfTheDay')
    expect((await rig.as(agent(30)).miningBalance({})).queued).toBeGreaterThanOrEqual(225)
    rig.clock.advance(DAY)
    await Promise.all([rig.runJob('payoutsOfTheDay'), rig.runJob('payoutsOfTheDay')])
    for (const id of ids) await paid(30, id)
    expect(
      rig.world.booked
        .filter((line) => line.account_id === 30)
        .map((line) => line.submission_id)
        .toSorted(),
    ).toEqual(ids.toSorted())
    rig.clock.advance(-DAY)
  })

  it('pays the price posted at the time of the submit, and a larger reward on a day of its own', async () => {
    rig.world.paidReads = null
    expect(await rig.as(null).readPrices({})).toMatchObject({ payout_point_price: 5, paid_reads: null })
    rig.world.paidReads = [{ listing_id: 'lst_5x7c9v1b4m6z03kq8w2n', title: 'Trend', price_cherry: 5 }]
    const before = await rig.as(null).readPrices({})
    expect(before).toMatchObject({
      payout_point_price: 5,
      welcome_cherry: 10,
      paid_reads: [{ key: 'lst_5x7c9v1b4m6z03kq8w2n', title: 'Trend', cherry: 5 }],
    })
    expect(before.tiers.map((tier) => [tier.tier, tier.cherry_per_month, tier.requests_per_day])).toEqual([
      [0, 0, 100],
      [1, 10_000, 5_000],
      [2, 25_000, 50_000],
    ])
    const cheap = await submitOne(31, text('team', 'cheap'))
    const posted = await rig.as(admin(90)).setPrices({ payout_point_price: 40 })
    expect(posted).toMatchObject({ ok: true, payout_point_price: 40 })
    expect(await rig.as(admin(90)).setPrices({ payout_point_price: 40 })).toMatchObject({ version: posted.version })
    const dear = await submitOne(31, text('team', 'dear'))
    const last = await submitOne(31, text('audit_firm', 'last'))
    expect(await review(50, cheap, 'approve')).toMatchObject({
      submission: { cherry: 75, payout: { pay_on: '2026-11-21' } },
    })
    expect(await review(50, dear, 'approve')).toMatchObject({
      submission: { cherry: 600, payout: { status: 'queued', pay_on: '2026-11-22' } },
    })
    expect(await review(50, last, 'approve')).toMatchObject({
      submission: { cherry: 200, payout: { status: 'queued', pay_on: '2026-11-23' } },
    })
    await rig.as(admin(90)).setPrices({ payout_point_price: 5 })
  })

  it('plans payouts again that waited while no job ran, within the limit of each day', async () => {
    const ids: string[] = []
    for (let n = 0; n < 14; n += 1) {
      const id = await submitOne(32, text('team', n))
      await review(50, id, 'approve')
      ids.push(id)
    }
    rig.clock.advance(5 * DAY)
    await rig.runJob('payoutsOfTheDay')
    const records = await Promise.all(ids.map((id) => recordOf(32, id)))
    expect(records.map((record) => record?.payout?.pay_on)).toEqual([
      ...Array.from({ length: 6 }, () => '2026-11-21'),
      ...Array.from({ length: 6 }, () => '2026-11-26'),
      '2026-11-27',
      '2026-11-27',
    ])
    rig.clock.advance(-5 * DAY)
  })
})
