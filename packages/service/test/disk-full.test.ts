import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openPool, sql, type Pool } from '@svc/postgres'
import { callRaw, isOutage, openBus, openFiles, openLog, provision, type Bus } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, alpha, contracts, prepare, startAlpha, startBeta, withSettings } from './fixture.ts'
import { smallDiskNats } from './small-disk-nats.ts'

const LONG = process.env['TEST_LONG'] === '1'
const MADE = 30
const FILE_BYTES = 100_000
const NOT_BY_ITSELF_MS = 5_000

const stack = opened(() => prepare())
let alphaDb: Pool
let betaDb: Pool
beforeAll(async () => {
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  betaDb = await openPool(stack.databaseOf('beta').url)
})
afterAll(async () => {
  await Promise.all([alphaDb?.end(), betaDb?.end()])
})

const things = () => alphaDb.anyFirst(sql.type(z.object({ id: z.number() }))`SELECT id FROM thing ORDER BY id`)
const seen = () =>
  betaDb.anyFirst(sql.type(z.object({ id: z.number() }))`SELECT thing_id AS id FROM seen ORDER BY thing_id`)
const waiting = () => alphaDb.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM outbox`)

async function make(bus: Bus): Promise<number> {
  const name = randomUUID()
  const head = { id: name, by: Date.now() + 5_000, caller: agent, key: name }
  return (await callRaw(bus, 'gateway', alpha.operations.makeThing, JSON.stringify({ name }), head)).head.s
}

test.runIf(LONG)(
  'while the disk of JetStream is full, calls are answered and their events wait, and a file is refused as an outage; with space and a restart of NATS each event takes effect once',
  async () => {
    const nats = await smallDiskNats()
    const connect = (name: string) => openBus({ url: nats.url, name, seed: null, log: openLog(name, 'silent') })
    const [provisioner, gateway, owner] = await Promise.all(['provisioner', 'gateway', 'beta'].map(connect))
    if (provisioner === undefined || gateway === undefined || owner === undefined) throw new Error('no connection')
    await provision(provisioner, contracts)
    const on = withSettings(stack, { SVC_NATS_URL: nats.url, SVC_NATS_SEED: undefined })
    const services = [await startAlpha(on), await startBeta(on)]
    try {
      const files = await openFiles(owner, 'beta-files')
      const put = () => files.put('file', Buffer.alloc(FILE_BYTES)).catch(isOutage)
      expect(await make(gateway)).toBe(201)
      await eventually(async () => expect(await seen()).toEqual(await things()))

      nats.fill()
      for (let n = 0; n < MADE; n += 1) expect(await make(gateway)).toBe(201)
      expect(await put()).toBe(true)
      await eventually(async () => expect(await waiting()).toBeGreaterThan(0))
      expect(await nats.health()).toContain('no space left on device')

      nats.free()
      expect(await make(gateway)).toBe(201)
      // A stream that could not write refuses until its server starts again.
      await delay(NOT_BY_ITSELF_MS)
      expect(await waiting()).toBeGreaterThan(0)
      nats.restart()
      await eventually(async () => expect(await waiting()).toBe(0))
      await eventually(async () => expect(await seen()).toEqual(await things()))
      expect(await seen()).toHaveLength(1 + MADE + 1)
      await eventually(async () => expect(await put()).toMatchObject({ bytes: FILE_BYTES }))
    } finally {
      await Promise.all(
        [gateway, owner, provisioner, ...services].map((one) => ('stop' in one ? one.stop() : one.close())),
      )
      await nats.stop()
    }
  },
)
