import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { clientOf, openBus, openLog } from '@svc/service'
import { gallery } from '@svc/contracts/gallery'
import { HALL_SORTS, HALL_WINDOWS } from '@svc/contracts/gallery/hall'
import { RATING_METHOD } from '@svc/gallery/facts/rules/rate-days'
import { NO_LIMITS } from '@svc/tools/dev/no-limits.ts'
import { nodeOptions } from '@svc/tools/dev/services.ts'
import { againstBytes } from './bytes-floor.ts'
import { installFloors } from './floors.ts'
import { cpuSeconds } from './process-usage.ts'
import { startProcess, type Child } from './processes.ts'
import { changeEverything, openFacts, seedCrowd } from './public-seed.ts'
import { followSignals } from './public-signals.ts'
import { times, type Benchmark, type Figure } from './result.ts'
import { openStage, startServices, type Stage } from './stage.ts'
import { median } from './statistics.ts'

const NAMES = ['identity', 'subscriptions', 'gallery', 'gateway']
const SETTINGS = {
  SVC_LOG_LEVEL: 'silent',
  ...NO_LIMITS,
  HUB_HALL_SNAPSHOT_STMT_TIMEOUT_MS: '300000',
}
const PATH = '/hub/hall?limit=100'
const PAUSE_MS = 20

interface Pass {
  readonly computed: number
  readonly agents: number
  readonly seconds: number
  readonly mb: number
}

/** The Hall over many agents, its reads against bare Fastify and during a pass, and signals with many followers. */
export const publicSide: Benchmark = async ({ dataDir, short, note }) => {
  installFloors(note)
  await using stage = await openStage(dataDir, { leg: true })
  await openFacts(stage.admin, RATING_METHOD)
  const many = short ? 1_000 : 10_000
  const figures: Figure[] = []
  const add = (figure: Figure) => {
    figures.push(figure)
    note(`public: ${figure.measured}`)
  }
  await using hall = await startProcess(
    'public-hall.ts',
    { ...(stage.prepared.environmentOf('gallery') as Record<string, string>), ...SETTINGS },
    nodeOptions,
  )
  await seedCrowd(stage.admin, { from: 0, upTo: 100, mandatesEach: 5, days: 100 })
  await passOver(hall, 100)
  {
    await using services = await startServices(stage, { names: NAMES, settings: SETTINGS })
    const few = await withoutPasses(stage, () => pageCost(stage, services.pids, 100, short))
    note(`public: facts of ${many.toLocaleString('en')} agents`)
    await seedCrowd(stage.admin, { from: 100, upTo: many, mandatesEach: 5, days: 100 })
    await changeEverything(stage.admin)
    add(passFigure(await passOver(hall, many), many))
    const { port, pids } = services
    const quiet = await readTimes(port, () => pause(short ? 4_000 : 10_000))
    await changeEverything(stage.admin)
    const busy = await readTimes(port, () => passOver(hall, many))
    add(meanwhile(quiet, busy))
    add(
      await withoutPasses(stage, () =>
        againstBytes({
          port,
          pids,
          path: PATH,
          file: join(dataDir, 'hall.json'),
          short,
          goal: 0.7,
          holdsBack: 'Allowance of the address, and the headers of every answer.',
        }),
      ),
    )
    const all = short ? 10_000 : 100_000
    note(`public: ${all.toLocaleString('en')} agents in the Hall`)
    await seedCrowd(stage.admin, { from: many, upTo: all, mandatesEach: 1, days: 20 })
    await passOver(hall, all)
    const cost = await withoutPasses(stage, () => pageCost(stage, services.pids, all, short))
    add(flatness(few, cost, all))
  }
  note('public: signals and their followers')
  add(await followSignals(stage, { signals: short ? 100 : 1_000, followers: 1_000 }))
  return { figures }
}

/** Keeps gallery itself from computing the Hall, as it does every two minutes, while reads are measured. */
async function withoutPasses<T>({ admin }: Stage, work: () => Promise<T>): Promise<T> {
  await admin.query(`SELECT pg_advisory_lock(hashtextextended('gallery.hall', 0))`)
  try {
    return await work()
  } finally {
    await admin.query(`SELECT pg_advisory_unlock(hashtextextended('gallery.hall', 0))`)
  }
}

/**
 * Runs a pass that must leave so many agents in the Hall. gallery itself may compute the Hall at this moment, every two minutes: a
 * pass that waits for it longer than a lock may is repeated.
 */
async function passOver(hall: Child, agents: number): Promise<Pass> {
  let pass = (await hall.ask({}, 320_000)) as Pass & { readonly problem?: string }
  for (let again = 0; again < 30 && pass.problem?.includes('lock timeout'); again += 1)
    pass = (await hall.ask({}, 320_000)) as typeof pass
  if (pass.problem !== undefined || pass.agents !== agents)
    throw new Error(`the Hall has ${pass.agents} agents, not ${agents}: ${pass.problem ?? JSON.stringify(pass)}`)
  return pass
}

function passFigure({ computed, seconds, mb }: Pass, agents: number): Figure {
  if (computed !== agents) throw new Error(`the pass computed ${computed} of ${agents} agents`)
  return {
    what: `A pass of the Hall over ${agents.toLocaleString('en')} agents with ${(agents * 5).toLocaleString('en')} mandates and ${(agents * 500).toLocaleString('en')} days of marks, all changed`,
    goal: '≤ 20 s, ≤ 300 MB',
    measured: `${seconds.toFixed(1)} s, ${mb.toFixed(0)} MB`,
    met: seconds <= 20 && mb <= 300,
    holdsBack: 'Postgres reads and packs every day; the intervals are bootstrapped for every agent and window.',
  }
}

/** Reads pages that no cache has, one after the other with pauses, while something goes on; milliseconds each. */
async function readTimes(port: number, meanwhileDoing: () => Promise<unknown>): Promise<readonly number[]> {
  let going = true
  const work = meanwhileDoing().finally(() => {
    going = false
  })
  const took: number[] = []
  while (going) {
    const query = `window=${oneOf(HALL_WINDOWS)}&sort=${oneOf(HALL_SORTS)}&limit=100&offset=${randomInt(900)}`
    const begun = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/hub/hall?${query}`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`/hub/hall?${query} answered ${answer.status}`)
    took.push(performance.now() - begun)
    await pause(PAUSE_MS)
  }
  await work
  return took
}

const oneOf = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T

function meanwhile(quiet: readonly number[], busy: readonly number[]): Figure {
  const [before, during] = [median(quiet), median(busy)]
  return {
    what: 'A page of the Hall that no cache has, p50 while a pass runs, against before',
    goal: '≤ 1.2 ×',
    measured: `${times(during / before)} (${during.toFixed(1)} ms of ${busy.length} reads; before ${before.toFixed(1)} ms)`,
    met: during <= 1.2 * before,
    holdsBack:
      'The pass and its statement keep a core each busy; readers see the former snapshot and wait for no lock.',
  }
}

/** Measures the CPU of a page that gallery reads from Postgres, in microseconds of all processes. */
async function pageCost({ prepared }: Stage, pids: readonly number[], agents: number, short: boolean): Promise<number> {
  const log = openLog('gateway', 'silent')
  const seed = prepared.servers.secrets.nkey('gateway').seed
  const bus = await openBus({ url: prepared.servers.nats.url, name: 'gateway', seed, log })
  try {
    const hall = clientOf(bus, 'gateway', gallery)
    const read = () =>
      hall.readHall({
        window: oneOf(HALL_WINDOWS),
        sort: oneOf(HALL_SORTS),
        limit: '100',
        offset: String(agents > 100 ? randomInt(agents - 100) : 0),
      } as unknown as Parameters<typeof hall.readHall>[0])
    for (let n = 0; n < 200; n += 1) await read()
    const rounds: number[] = []
    const each = short ? 200 : 500
    for (let round = 0; round < 5; round += 1) {
      const before = cpuSeconds(pids)
      for (let n = 0; n < each; n += 1) await read()
      rounds.push(((cpuSeconds(pids) - before) / each) * 1e6)
    }
    return median(rounds)
  } finally {
    await bus.close()
  }
}

function flatness(few: number, many: number, agents: number): Figure {
  return {
    what: `Gallery reads a page of 100 rows from Postgres: CPU at ${agents.toLocaleString('en')} agents, against 100`,
    goal: '≤ 1.25 ×',
    measured: `${times(many / few)} (${many.toFixed(0)} µs; at 100 agents ${few.toFixed(0)} µs)`,
    met: many <= 1.25 * few,
    holdsBack: 'A page is a slice of stored bytes and 100 rows by their key, which lie on more pages of the table.',
  }
}
