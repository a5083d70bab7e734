import { setTimeout as delay } from 'node:timers/promises'
import { openPool, sql, type Pool } from '@svc/postgres'
import { callRaw, type Bus } from '@svc/service'
import { disposableCluster, eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, alpha, contracts, prepare, startAlpha, startBeta, withSettings } from './fixture.ts'
import { frozenProxy, type FrozenProxy } from './frozen-proxy.ts'

const LONG = process.env['TEST_LONG'] === '1'
/** Longer than the other two nodes need to notice the cut and to elect new leaders. */
const NOTICED_MS = 25_000
const CUT_MS = 10_000
const CALL_MS = 2_000
/** The node that is cut off. */
const LOST = 0

interface Route {
  readonly ends: readonly number[]
  readonly proxy: FrozenProxy
}
const routes: Route[] = []
const stack = opened(() => prepare())
const cluster = opened(() =>
  disposableCluster(contracts, {
    routeOf: async (from, to, target) => {
      const proxy = await frozenProxy(target)
      routes.push({ ends: [from, to], proxy })
      return proxy.through(target)
    },
  }),
)
let alphaDb: Pool
let betaDb: Pool
beforeAll(async () => {
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  betaDb = await openPool(stack.databaseOf('beta').url)
})
afterAll(async () => {
  await Promise.all([alphaDb?.end(), betaDb?.end(), ...routes.map(({ proxy }) => proxy.stop())])
})

/** Cuts a node off from the others; what is on its way arrives when the function that it returns is called. */
function cutOff(node: number): () => void {
  const cut = routes.filter(({ ends }) => ends.includes(node)).map(({ proxy }) => proxy)
  for (const proxy of cut) proxy.freeze()
  return () => {
    for (const proxy of cut) proxy.thaw()
  }
}

interface Load {
  /** Names of things that an answer said were made. */
  readonly made: string[]
  readonly failed: string[]
}

/** Makes things over one connection until the signal aborts, each with a key of its own, repeated until an answer arrives. */
async function load(bus: Bus, side: string, done: Load, going: AbortSignal): Promise<void> {
  for (let n = 0; !going.aborted; n += 1) {
    const name = `${side}-${n}`
    for (let tries = 0; tries < 500; tries += 1) {
      const head = { id: name, by: Date.now() + CALL_MS, caller: agent, key: name }
      const status = await callRaw(bus, 'gateway', alpha.operations.makeThing, JSON.stringify({ name }), head).then(
        (reply) => reply.head.s,
        () => 503,
      )
      if (status === 201) {
        done.made.push(name)
        break
      }
      done.failed.push(name)
      await delay(100)
    }
    await delay(50)
  }
}

const things = () => alphaDb.any(sql.type(z.object({ id: z.number(), name: z.string() }))`SELECT id, name FROM thing`)
const seen = () => betaDb.anyFirst(sql.type(z.object({ thing_id: z.number() }))`SELECT thing_id FROM seen`)
const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other)

// Three nodes and their elections take a minute.
test.runIf(LONG)(
  'while a NATS node is cut off, clients of the others are answered; afterwards nothing is lost and nothing happened twice',
  async () => {
    const [lost = '', ...rest] = cluster.nodes.map(({ url }) => url)
    const at = (url: string) => withSettings(stack, { SVC_NATS_URL: url })
    const running = [
      await startAlpha(at(lost)),
      await startAlpha(at(rest.join(','))),
      await startBeta(at(lost)),
      await startBeta(at(rest.join(','))),
    ]
    const edges = [await cluster.connect('gateway', lost), await cluster.connect('gateway', rest.join(','))] as const
    const going = new AbortController()
    const [onLost, onRest]: [Load, Load] = [
      { made: [], failed: [] },
      { made: [], failed: [] },
    ]
    const loads = [load(edges[0], 'lost', onLost, going.signal), load(edges[1], 'rest', onRest, going.signal)]
    await eventually(async () => expect((await seen()).length).toBeGreaterThan(4))
    const heal = cutOff(LOST)
    await delay(NOTICED_MS)
    const [made0, failed0] = [onRest.made.length, onRest.failed.length]
    await delay(CUT_MS)
    expect(onRest.made.length).toBeGreaterThan(made0 + 2)
    expect(onRest.failed.length).toBe(failed0)
    heal()
    await delay(2_000)
    going.abort()
    await Promise.all(loads)
    const made = await things()
    expect(made.map(({ name }) => name).sort()).toEqual([...onLost.made, ...onRest.made].sort())
    await eventually(async () => expect(sorted(await seen())).toEqual(sorted(made.map(({ id }) => id))))
    await Promise.all(edges.map((edge) => edge.close()))
    await Promise.all(running.map((service) => service.stop()))
  },
)
