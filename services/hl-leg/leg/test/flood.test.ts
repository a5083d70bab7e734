import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Contract, Environment } from '@svc/contract'
import { hlRelay } from '@svc/contracts/hl-relay'
import { sql } from '@svc/postgres'
import { inherited, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { asOwner, startOrderRig, type TestLeg } from './orders/order-rig.ts'
import { ownerWallet } from './rig.ts'

const LONG = process.env['TEST_LONG'] === '1'
const BLOCKS = LONG ? 10 : 2
const CLOSES = LONG ? 20 : 6
const REQUESTS = LONG ? 1_000 : 400
const PER_SECOND = 1_000
/** Weight of a minute, as the venue allows it. What closes spent is forgotten after each, because a minute has ten of them. */
const MINUTE = 1_200

const rig = opened(() =>
  startOrderRig({ SVC_VENUE_WEIGHT_MINUTE: String(MINUTE) }, { beside: [hlRelay as unknown as Contract] }),
)
let leg: TestLeg
let offsetMs: number
let stranger: ChildProcess
const children: ChildProcess[] = []

async function child(file: string, environment: Environment): Promise<ChildProcess> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const started = fork(path, { env: { ...inherited(), ...environment } as NodeJS.ProcessEnv })
  children.push(started)
  await once(started, 'message')
  return started
}

beforeAll(async () => {
  leg = await rig.newLeg({ usdc: '100000' })
  const position = { asset: 0, side: 'buy', price: '61000', size: '1' } as const
  await rig.trade(ownerWallet(leg.ownerId), position)
  offsetMs = rig.clock.now().getTime() - Date.now()
  const atVenue = { HUB_HL_INFO_URL: `${rig.venue.url}/info`, HUB_HL_EXCHANGE_URL: `${rig.venue.url}/exchange` }
  const environment = rig.stack.environmentOf('hl-relay', atVenue)
  await child('../../relay/test/relay-process.ts', { ...environment, CLOCK_OFFSET_MS: String(offsetMs) })
  stranger = await child('../../relay/test/flood-process.ts', rig.stack.environmentOf('gateway'))
})
afterAll(async () => {
  for (const one of children) {
    one.disconnect()
    await once(one, 'exit')
  }
})

/** Closes a little of the position. */
async function close(): Promise<void> {
  await rig.pool.query(sql.unsafe`DELETE FROM venue_weight WHERE class = 'closes'`)
  rig.advance(Date.now() + offsetMs - rig.clock.now().getTime())
  const request = { public_id: leg.publicId, market: 'hl:BTC', side: 'sell', size: '0.001' } as const
  expect(await asOwner(rig, leg).placeLegOrder(request)).toMatchObject({ order: { status: 'filled' } })
}

async function closes(): Promise<void> {
  for (let n = 0; n < CLOSES; n += 1) await close()
}

type Counts = Readonly<Record<string, number>>

/** Floods while the closes are made, and until all its requests have been answered. */
async function underFlood(): Promise<Counts> {
  const ended = once(stranger, 'message') as Promise<[Counts]>
  stranger.send({ requests: REQUESTS, perSecond: PER_SECOND })
  await closes()
  return (await ended)[0]
}

/** Weight that classes spent from their own shares in the last minute. */
const spentBy = (classes: readonly string[]): Promise<number> =>
  rig.pool.oneFirst(sql.type(z.object({ spent: z.number() }))`
    SELECT coalesce(sum(weight), 0)::int AS spent FROM venue_weight
    WHERE class = ANY(${sql.array([...classes], 'text')}) AND at > clock_timestamp() - interval '1 minute'`)

test('closes are filled during a flood of strangers, and the flood spends its share alone', async () => {
  const statuses: Record<string, number> = {}
  for (let block = 0; block < BLOCKS; block += 1) {
    for (const [status, count] of Object.entries(await underFlood())) statuses[status] = (statuses[status] ?? 0) + count
  }
  const sum = Object.values(statuses).reduce((total, count) => total + count, 0)
  expect([sum, Object.keys(statuses).toSorted()]).toEqual([BLOCKS * REQUESTS, ['200', '404', '503']])
  expect(await spentBy(['visitors'])).toBeLessThanOrEqual(MINUTE / 12)
  expect(await spentBy(['visitors', 'relays'])).toBeLessThanOrEqual(MINUTE / 6)
})
