import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { routesOf } from '@svc/edge'
import { opened, eventually } from '@svc/testing'
import { expect, test } from 'vitest'
import { doorOfHttp, doorOfTools, type AgentDoor } from './agent-door.ts'
import { ask } from './client.ts'
import { rawClient } from './contract/http.ts'
import { bind, openLeg, startHouseWorld, type Leg } from './house-world.ts'
import { allTookEffect, LOST_BY, loseStreams, query } from './lose-streams.ts'

const world = opened(startHouseWorld)
const SOON = { everyMs: 100 }
const PRICE = 3_000
/** A size of ETH has four decimals at the venue. */
const LOT = 0.0001
/** What the owner of a leg has in the account besides. */
const OWN = 100
const inHours = (hours: number) => new Date(world.now().getTime() + hours * 3_600_000)

/** Publishes a free listing of signals of a new agent of the house; returns how it is hired and how it signals. */
async function openListing() {
  const { good } = world
  const seller = await world.newAgent('House seller')
  const { token } = await world.signAdminIn()
  const { operator } = await good('/admin/operators', {
    token,
    body: { agent_id: seller.id, kind: 'signal', title: 'Signals of the house', house: true },
  })
  const { listing } = await good('/hub/gallery', {
    key: seller.key,
    body: {
      type: 'signal_subscription',
      title: 'ETH by day',
      summary: 'Where the house stands in ETH.',
      price_model: 'free',
      ref_vault_id: operator.vault_id,
    },
  })
  let published = 0
  return {
    path: `/hub/gallery/${listing.listing_id}`,
    /** Publishes a signal in ETH; returns its number. */
    publish: async (side: 'long' | 'short' | 'flat', weight_bps: number): Promise<number> => {
      const client_id = `signal-${(published += 1)}`
      const body = { client_id, market: 'hl:ETH', side, weight_bps }
      return (await good(`/opvault/vaults/${operator.vault_id}/signals`, { key: seller.key, body })).seq
    },
  }
}

test('the house runner brings the position of its owner to each signal: open, flip, thin books, and nothing after the stop', async () => {
  const listing = await openListing()
  const leg = await openLeg(world, { agent: world.runner, endsAt: inHours(240) })
  const hired = await leg.asOwner(`${listing.path}/hire`, { body: { mandate_id: leg.publicId } })
  expect(hired.status).toBe('following')

  /** Publishes a signal and waits for the verdict; returns its words and the signed size that the signal asks for now. */
  const signalled = async (side: 'long' | 'short' | 'flat', weight: number) => {
    const target = (((await leg.value()) - OWN) * weight * (side === 'short' ? -1 : 1)) / 10_000 / PRICE
    const seq = await listing.publish(side, weight)
    const verdict = await eventually(async () => {
      const { verdicts } = await leg.asOwner(`${leg.at}/follow`)
      return verdicts.find((one: { seq: number }) => one.seq === seq) ?? expect.fail(`no verdict on ${seq}`)
    }, SOON)
    return { words: [verdict.verdict, verdict.reason], target, held: await leg.position() }
  }
  const FOLLOWED = ['followed', null]
  const book = (command: object) => world.venue.control('book', { coin: 'ETH', ...command })
  const thin = (side: 'bids' | 'asks', px: string, sz: string) => book({ policy: 'taken', [side]: [{ px, sz }] })
  const deep = () => book({ policy: 'refill', ladder: {} })

  const opened = await signalled('long', 2_000)
  expect(opened).toMatchObject({ words: FOLLOWED, held: 0.0266 })
  const flipped = await signalled('short', 1_500)
  expect(flipped.words).toEqual(FOLLOWED)
  expect(flipped.held).toBeLessThan(0)
  expect(Math.abs(flipped.held - flipped.target)).toBeLessThan(LOT)

  // More of the short than the book takes: what it took is held, and the next signal adds the rest.
  thin('bids', '2999', '0.005')
  const partly = await signalled('short', 3_000)
  expect(partly.words).toEqual(['followed', 'partial'])
  expect(partly.held).toBeCloseTo(flipped.held - 0.005, 6)
  deep()
  const rest = await signalled('short', 3_000)
  expect(rest.words).toEqual(FOLLOWED)
  expect(Math.abs(rest.held - rest.target)).toBeLessThan(LOT)

  // A flip whose close the book takes in part opens nothing on the other side.
  thin('asks', '3001', '0.01')
  const turning = await signalled('long', 2_000)
  expect(turning.words).toEqual(['followed', 'partial'])
  expect(turning.held).toBeCloseTo(rest.held + 0.01, 6)
  deep()
  const turned = await signalled('long', 2_000)
  expect(turned.words).toEqual(FOLLOWED)
  expect(Math.abs(turned.held - turned.target)).toBeLessThan(LOT)

  await leg.asOwner(`${leg.at}/stop`, { body: {} })
  const after = await signalled('flat', 0)
  expect(after.words).toEqual(['skipped_stale', 'follow_ended'])
  expect(await leg.asOwner(`${leg.at}/follow`)).toMatchObject({ follow: { end_reason: 'mandate_stopped' } })
  // What the runner leaves is closed by the end of the leg.
  await eventually(async () => expect(await leg.position()).toBe(0), SOON)
  expect(await returned(leg)).toBeGreaterThan(390)
})

/** Has the owner return the money of a leg, and waits until the vault has it. Returns its amount, USDC. */
async function returned({ asOwner, at, wallet }: Leg): Promise<number> {
  // It is refused as long as the end of a close is not stored.
  const call = await eventually(() => asOwner(`${at}/hl-leg/return-call`, { body: {} }), SOON)
  const signature = await wallet.signTypedData(call.typed_data)
  await asOwner(`${at}/hl-leg/return`, { body: { nonce: call.nonce, signature } })
  await eventually(async () => {
    const money = await asOwner(`${at}/money`)
    expect(money).toMatchObject({ vault_usdc: call.amount_usdc, venue_estimate_usdc: '0', moving: [] })
  }, SOON)
  return Number(call.amount_usdc)
}

/** Opens a leg with an agent of its own, which buys ETH for 90 USDC. */
async function openTrading(limits: { readonly endsAt: Date; readonly silentMinutes?: number }) {
  const agent = await world.newAgent('Trader')
  const leg = await openLeg(world, { agent, ...limits })
  const order = (body: object) =>
    ask(world.url, `${leg.at}/hl-order`, { key: agent.key, body: { market: 'hl:ETH', ...body } })
  const { status, body } = await order({ side: 'buy', amount_usdc: '90' })
  expect([status, body.order?.status], JSON.stringify(body)).toEqual([200, 'filled'])
  expect(await leg.position()).toBeGreaterThan(0)
  return { ...leg, agent, order }
}

test('when an agent has been silent for its time, its position is closed once, and it opens nothing until the owner binds the leg again', async () => {
  const limits = { endsAt: inHours(240), silentMinutes: 15 }
  const [leg, talking] = await Promise.all([openTrading(limits), openTrading(limits)])
  await world.travelTo(inHours(14 / 60))
  await world.good(talking.at, { key: talking.agent.key })
  // A run that read the acts of agents before this one would judge them by the time after the journey.
  await world.aRunOf('stopLine')
  await world.travelTo(inHours(2 / 60))
  await eventually(async () => expect(await leg.position()).toBe(0), SOON)
  expect(await leg.asOwner(leg.at)).toMatchObject({ state: 'working' })
  expect(await leg.closes()).toBe(1)
  // The other agent has asked for its mandate meanwhile.
  expect(await talking.position()).toBeGreaterThan(0)

  const open = () => leg.order({ side: 'buy', amount_usdc: '60' })
  const refused = await open()
  expect([refused.status, refused.body.refusal]).toMatchObject([409, { kind: 'server_guard', code: 'agent_silent' }])
  await bind(leg)
  const opened = await open()
  expect([opened.status, opened.body.order?.status], JSON.stringify(opened.body)).toEqual([200, 'filled'])
})

test('at its end date a mandate opens nothing more, its position is closed, and its money comes home by its owner or by the fallback', async () => {
  const endsAt = inHours(25)
  const [left, careful] = await Promise.all([openTrading({ endsAt }), openTrading({ endsAt })])
  await world.travelTo(inHours(25.01))
  for (const { asOwner, at, position } of [left, careful]) {
    await eventually(async () => expect((await asOwner(at)).state).toBe('ended'), SOON)
    await eventually(async () => expect(await position()).toBe(0), SOON)
  }
  const late = await left.order({ side: 'buy', amount_usdc: '60' })
  expect([late.status, late.body.refusal?.kind]).toEqual([409, 'MandateEnded'])
  await beRefusedByEnd(left.agent.key)
  expect(await returned(careful)).toBeGreaterThan(390)
  // The other owner does nothing: after a day the vault gets what the leg owes, and the owner owes it.
  expect(await left.asOwner(`${left.at}/money`)).toMatchObject({ vault_usdc: '0', leg_debt_usdc: '0' })
  await world.travelTo(inHours(24))
  await eventually(async () => {
    const money = await left.asOwner(`${left.at}/money`)
    expect(Number(money.vault_usdc)).toBeGreaterThan(390)
    expect(money).toMatchObject({ leg_debt_usdc: money.vault_usdc, owed_usdc: '0', lent_usdc: '0', moving: [] })
  }, SOON)
  for (const { closes } of [left, careful]) expect(await closes()).toBe(1)
})

/** At each door an agent that knows only its key finds its mandate, is refused by the end date, and is told what to do. */
async function beRefusedByEnd(key: string): Promise<void> {
  const tools = await doorOfTools(world, key)
  const client = rawClient(world.url)
  try {
    for (const door of [tools, await doorOfHttp({ send: client.send, routes: routesOf(contracts) }, key)])
      await beRefusedAt(door)
  } finally {
    await tools.close()
    client.close()
  }
}

async function beRefusedAt(door: AgentDoor): Promise<void> {
  const { items: mandates } = await door.call('mandate_list', {})
  const [{ public_id, state }] = mandates
  expect(state).toBe('ended')
  const { limits } = await door.call('mandate_read', { public_id })
  const [market] = limits.markets
  const order = { public_id, market, side: 'buy', amount_usdc: '60' }
  const chosen = ['side', 'amount_usdc']
  const { refusal } = await door.call('mandate_hl_order', order, { chosen, refused: 'hub_mandate_refuses' })
  expect(refusal).toMatchObject({ kind: 'MandateEnded', clause: 5, code: 'mandate_ended' })
  expect(refusal.fix).toContain('ask for a new mandate')
}

/** Sets the switch of leg money, or takes it back. */
function switchFunding(value: 'off' | null): void {
  const file = join(world.platform.switchesDir, 'HUB_LEG_FUNDING')
  if (value === null) rmSync(file, { force: true })
  else writeFileSync(file, value)
}

test('each event takes effect once, and each entry and alert that it causes is written once, while every consumer and stream of the house is deleted and repaired under traffic', async () => {
  const { servers } = world.platform
  const later = (hours: number) => world.travelTo(inHours(hours))
  const newLeg = async (endsAt: Date) => openLeg(world, { agent: await world.newAgent('Lossy'), endsAt })
  const [leg, ending] = await Promise.all([newLeg(inHours(1_000)), newLeg(inHours(30))])
  const lossy = [leg.publicId, ending.publicId]
  /** What causes an event that does not come by itself with time. */
  const causes: Readonly<Record<string, () => Promise<unknown>>> = {
    legChanged: () => bind(leg),
    foreignFillsCounted: async () =>
      world.venue.control('trade', { address: leg.wallet.address, coin: 'ETH', side: 'buy', size: '0.01' }),
    legSwitched: async () => switchFunding('off'),
    hallFactsChanged: () => leg.asOwner(`${leg.at}/stop`, { body: {} }),
    legEnded: async () => {
      await later(30)
      await eventually(async () => expect((await ending.asOwner(ending.at)).state).toBe('ended'), SOON)
      await later(24)
    },
    followEnded: async () => {
      const { path } = await openListing()
      const hired = await openLeg(world, { agent: world.runner, endsAt: inHours(1_000) })
      lossy.push(hired.publicId)
      await hired.asOwner(`${path}/hire`, { body: { mandate_id: hired.publicId } })
      await hired.asOwner(`${hired.at}/stop`, { body: {} })
    },
  }
  await loseStreams(servers, LOST_BY.house, async (event, before) => {
    if (event !== 'legSwitched') switchFunding(null)
    if (before === 0) await causes[event ?? '']?.()
    else await later(2 / 60)
  })
  await allTookEffect(servers, LOST_BY.house)

  const entries = `SELECT FROM mandates.record_entry e JOIN mandates.mandate m ON m.id = e.mandate_id
    WHERE m.public_id = $1 AND e.kind = 'leg_ended'`
  expect(await query(servers, entries, [ending.publicId])).toHaveLength(1)
  const alerts = await query<{ kind: string; times: number }>(
    servers,
    `SELECT a.kind, count(*)::int AS times FROM mandates.alert a JOIN mandates.mandate m ON m.id = a.mandate_id
     WHERE m.public_id = ANY($1) GROUP BY a.kind, a.mandate_id, a.about`,
    [lossy],
  )
  expect(alerts.filter(({ times }) => times > 1)).toEqual([])
  expect(alerts.map(({ kind }) => kind)).toContain('follow_ended')
})
