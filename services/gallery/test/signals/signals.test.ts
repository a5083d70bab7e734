import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gallery } from '@svc/contracts/gallery'
import { fingerprint, sql } from '@svc/postgres'
import { callRaw } from '@svc/service'
import { changesNothing, eventually, opened, refusalOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#context.ts'
import { signalView } from '#signals/signal-view.ts'
import { signalHeads, signalsAfter } from '#signals/store/signals.ts'
import { agent, startGalleryRig } from '../rig.ts'

const switches = mkdtempSync(join(tmpdir(), 'switches-'))
const SWITCH = 'SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED'
const turn = (word: 'on' | 'off') => writeFileSync(join(switches, SWITCH), word)
turn('on')
const RATE = 40
const on = opened(() =>
  startGalleryRig({
    environment: { SVC_SWITCHES_DIR: switches, SVC_OPVAULT_SIGNAL_PUBLISH_RATE_PER_HOUR: String(RATE) },
  }),
)
afterAll(() => rmSync(switches, { recursive: true }))

/** Processes that may answer a call; each reads the switch for itself. */
const processes: Context[] = []
/** Turns the switch, and waits until every process has read it: reads within a few milliseconds are one. */
async function turnEverywhere(word: 'on' | 'off'): Promise<void> {
  turn(word)
  const read = ({ settings }: Context) => settings.signalPublishEnabled === (word === 'on')
  await eventually(() => [on.context, ...processes].every(read))
}

const venue = { 'hl:BTC': '60000.5', 'hl:xyz:XYZ100': '20100', 'hl:GONE': '1' }
beforeAll(() => {
  on.peers.relay.answers['readVenueMarkets'] = ({ coins }: { coins: string[] }) => ({
    items: Object.entries(venue)
      .filter(([id]) => coins.includes(id.slice(3)))
      .map(([market_id, mark_price]) => ({
        market_id,
        coin: market_id.slice(3),
        dex: '',
        asset: 0,
        title: market_id,
        size_decimals: 3,
        max_leverage: 40,
        listed: market_id !== 'hl:GONE',
        only_isolated: false,
        mark_price,
        oracle_price: mark_price,
        mid_price: null,
        prev_day_price: mark_price,
        funding_hourly: '0',
        volume_24h_usd: '0',
        open_interest_usd: '0',
        read_at: on.clock.now().toISOString(),
      })),
  })
})

let made = 0
/** Makes an agent an operator, as an admin does, and returns its vault. */
async function operatorOf(agentId: number): Promise<string> {
  made += 1
  const vault = `opv_${String(made).padStart(20, '0')}`
  await on.pool.query(sql.unsafe`
    INSERT INTO operator (id, agent_id, kind, title, house, vault_id, source, created_at)
    VALUES (${`opr_${String(made).padStart(20, '0')}`}, ${agentId}, 'signal', 'Trend', false, ${vault}, 'admin', now())`)
  return vault
}

const LONG = { market: 'hl:BTC', side: 'long', weight_bps: 2_500 } as const
const publish = (who: number, vault_id: string, client_id: string, more: object = {}) =>
  on.as(agent(who)).publishSignal({ vault_id, client_id, ...LONG, ...more })
const refused = (call: Promise<unknown>) => refusalOf(call)

test('signals are numbered from 1, have the mark price of the venue, and each hash covers the one before', async () => {
  const vault = await operatorOf(101)
  const first = await publish(101, vault, 'a', {
    limit_price: '61000',
    note: 'up',
    valid_until: '2026-11-23T16:00:00Z',
  })
  expect(first).toMatchObject({ seq: 1, recorded_price: '60000.5', recorded_at: on.clock.now().toISOString() })
  on.clock.advance(1_000)
  await publish(101, vault, 'b', { market: 'hl:xyz:XYZ100', side: 'short', weight_bps: 10_000 })
  const last = await publish(101, vault, 'c', { side: 'flat', weight_bps: 0 })
  const stored = await signalsAfter(on.pool, vault, 0, 10)
  expect(stored.map(({ seq, recorded_price }) => [seq, recorded_price])).toEqual([
    [1, '60000.5'],
    [2, '20100'],
    [3, '60000.5'],
  ])
  let previous: string | null = null
  for (const { hash, previous_hash, ...shown } of stored.map(signalView)) {
    expect(previous_hash).toBe(previous)
    expect(shown.salt).toMatch(/^[0-9a-f]{64}$/)
    expect(fingerprint({ vault_id: vault, ...shown, previous_hash: previous ?? '' })).toBe(hash)
    previous = hash
  }
  expect(await signalHeads(on.pool, [vault, 'opv_none'])).toEqual([
    { vault_id: vault, seq: 3, hash: last.hash, recorded_at: last.recorded_at },
  ])
  await expect(on.pool.query(sql.unsafe`UPDATE signal SET note = 'down' WHERE vault_id = ${vault}`)).rejects.toThrow()
})

test('signals that two processes take at once leave no gap, and a repeated client_id makes none', async () => {
  const vault = await operatorOf(102)
  processes.push(await on.second())
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => publish(102, vault, `c-${n % 12}`)))
  expect(new Set(answers.map(({ seq }) => seq))).toEqual(new Set(Array.from({ length: 12 }, (_, n) => n + 1)))
  const stored = await signalsAfter(on.pool, vault, 0, 100)
  expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  expect(stored.slice(1).map(({ previous_hash }) => previous_hash)).toEqual(stored.slice(0, -1).map(({ hash }) => hash))
  expect(await refused(publish(102, vault, 'c-3', { weight_bps: 1 }))).toMatchObject({ code: 'idempotency_mismatch' })
  const client = on.as(agent(102), { idempotencyKey: 'k' })
  const keyed = { vault_id: vault, client_id: 'keyed', ...LONG }
  expect(await client.publishSignal(keyed)).toEqual(await client.publishSignal(keyed))
  // A signal that was published is answered even after its time.
  await publish(102, vault, 'short-lived', { valid_until: '2026-11-23T15:00:30Z' })
  on.clock.advance(60_000)
  expect(await publish(102, vault, 'short-lived', { valid_until: '2026-11-23T15:00:30Z' })).toMatchObject({ seq: 14 })
})

test('the repetition of a client_id is marked as a replay, without an Idempotency-Key too', async () => {
  const vault = await operatorOf(107)
  const bus = await on.stack.nats.connect('gateway')
  const input = JSON.stringify({ vault_id: vault, client_id: 'again', ...LONG })
  const send = () =>
    callRaw(bus, 'gateway', gallery.operations.publishSignal, input, {
      id: crypto.randomUUID(),
      by: Date.now() + 60_000,
      caller: agent(107),
    })
  const [first, second] = [await send(), await send()]
  await bus.close()
  expect([first.head, second.head]).toEqual([{ s: 201 }, { s: 201, replayed: true }])
  expect(second.body.toString()).toBe(first.body.toString())
})

test('a vault of somebody else, an unknown one and one whose operator has ended answer alike', async () => {
  const [mine, other] = [await operatorOf(103), await operatorOf(104)]
  const answers = [refused(publish(103, other, 'a')), refused(publish(103, `opv_${'z'.repeat(20)}`, 'a'))]
  await on.pool.query(sql.unsafe`
    INSERT INTO operator_end (operator_id, reason, at) SELECT id, 'removed', now() FROM operator WHERE vault_id = ${mine}`)
  for (const answer of await Promise.all([...answers, refused(publish(103, mine, 'a'))]))
    expect(answer).toMatchObject({ status: 403, code: 'not_on_allowlist' })
  expect(await signalsAfter(on.pool, mine, 0, 1)).toEqual([])
})

test('nothing wrong is published, and no number is used: bad members, unknown markets, no price, a dry run', async () => {
  const vault = await operatorOf(105)
  for (const [pointer, more] of [
    ['/body/weight_bps', { weight_bps: 0 }],
    ['/body/weight_bps', { side: 'flat' }],
    ['/body/limit_price', { side: 'flat', weight_bps: 0, limit_price: '1' }],
    ['/body/valid_until', { valid_until: '2026-11-23T14:00:00Z' }],
    ['/body/valid_until', { valid_until: '2026-12-23T14:00:00Z' }],
  ] as const)
    expect(await refused(publish(105, vault, 'a', more))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer }],
    })
  for (const more of [{ limit_price: '0' }, { note: 'a\u0007b' }, { weight_bps: 10_001 }, { market: 'testvenue' }])
    expect(await refused(publish(105, vault, 'a', more))).toMatchObject({ code: 'invalid_request' })
  for (const market of ['hl:NONE', 'hl:GONE'])
    expect(await refused(publish(105, vault, 'a', { market }))).toMatchObject({ status: 404, code: 'unknown_market' })
  on.peers.relay.isAway = true
  await expect(publish(105, vault, 'a')).rejects.toThrow('temporarily_unavailable')
  on.peers.relay.isAway = false
  const { superuserUrl } = on.stack.databaseOf('gallery')
  const dry = await changesNothing(superuserUrl, () => publish(105, vault, 'a', { dry_run: true }))
  expect(dry).toMatchObject({
    signal_id: null,
    seq: null,
    hash: null,
    recorded_price: '60000.5',
  })
  expect(await publish(105, vault, 'a')).toMatchObject({ seq: 1 })
})

test('beyond the hourly maximum of a vault a signal is refused until retry_at', async () => {
  const [vault, other] = [await operatorOf(106), await operatorOf(106)]
  const started = on.clock.now().getTime()
  for (let n = 0; n < RATE; n += 1) {
    await publish(106, vault, `r-${n}`)
    on.clock.advance(1_000)
  }
  const retry_at = new Date(started + 3_600_000).toISOString()
  expect(await refused(publish(106, vault, 'more'))).toMatchObject({ status: 429, code: 'rate_limited', retry_at })
  expect(await publish(106, vault, 'r-0')).toMatchObject({ seq: 1 })
  expect(await publish(106, other, 'more')).toMatchObject({ seq: 1 })
  on.clock.set(new Date(started + 3_599_999))
  expect(await refused(publish(106, vault, 'more'))).toMatchObject({ status: 429 })
  on.clock.set(retry_at)
  expect(await publish(106, vault, 'more')).toMatchObject({ seq: RATE + 1 })
})

test('while the switch is off every call answers flag_off and stores nothing, from the next request on', async () => {
  const vault = await operatorOf(107)
  await turnEverywhere('off')
  await expect(publish(107, vault, 'a')).rejects.toThrow('flag_off')
  expect(await signalsAfter(on.pool, vault, 0, 1)).toEqual([])
  await turnEverywhere('on')
  expect(await publish(107, vault, 'a')).toMatchObject({ seq: 1 })
})
