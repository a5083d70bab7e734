import { freePort, startServers } from '@svc/servers'
import { nodeOptions } from '@svc/tools/dev/services.ts'
import { installFloors, startFloor } from './floors.ts'
import { keys } from './hop/keys.ts'
import { get, startLoadGenerator } from './load.ts'
import { startProcess } from './processes.ts'
import { residentMb, usageSupported } from './process-usage.ts'
import { percent, times, type Benchmark, type Figure } from './result.ts'
import { openSink } from './sink.ts'
import { median, slope } from './statistics.ts'
import { measure } from './variant.ts'

const latencyRounds = 5
const sampleMs = 2_000
/** At full load, after the rounds before. */
const WARM_MINUTES = 1

interface Tail {
  readonly p50: number
  readonly p99: number
}

/** A request through the edge to a handler without a database and back, against two floors. */
export const hop: Benchmark = async ({ short, dataDir, note }) => {
  installFloors(note)
  using sink = await openSink()
  await using parts = new AsyncDisposableStack()
  const servers = await startServers({ dataDir, postgres: false, durable: false })
  parts.defer(() => servers.stop())
  const natsUrl = servers.nats.url
  const ports = { edge: await freePort(), fastify: await freePort(), nest: await freePort() }
  const kit = {
    SVC_NATS_URL: natsUrl,
    SVC_REDIS_URL: servers.redis.url,
    SVC_LOG_LEVEL: 'warn',
    SVC_INTERNAL_PORT: '0',
    SVC_TRACE_RATIO: '0.01',
    SVC_OTLP_URL: sink.url,
  }
  const own = [
    parts.use(await startProcess('hop/service.ts', kit, nodeOptions)).pid,
    parts.use(await startProcess('hop/gateway.ts', { ...kit, BENCH_PORT: String(ports.edge) }, nodeOptions)).pid,
  ]
  await using fastify = await startFloor('fastify', natsUrl, ports.fastify)
  await using nest = await startFloor('nest', natsUrl, ports.nest)
  await using generator = await startLoadGenerator()

  const shared = [servers.nats.pid() ?? 0, servers.redis.pid() ?? 0]
  const requests = keys.map((key, index) => get(`/bench/echo/BTC${index}?side=buy`, key))
  const load = (port: number) => ({ port, requests, durationMs: 2_000 })
  const variant = (name: keyof typeof ports, pids: readonly number[]) => ({
    name,
    pids: [...pids, ...shared],
    load: load(ports[name]),
  })
  note('hop: rounds of edge, floor A and floor B in turn')
  const measured = await measure(
    generator,
    [variant('edge', own), variant('fastify', fastify.pids), variant('nest', nest.pids)],
    short ? 3 : 7,
  )
  const [edge, floorA, floorB] = (['edge', 'fastify', 'nest'] as const).map((name) => measured.get(name))
  if (edge === undefined || floorA === undefined || floorB === undefined) throw new Error('a variant was not measured')

  const half = edge.perSecond / 2
  note(`hop: latency at half load (${Math.round(half)} requests a second)`)
  const tailsOf = { edge: [] as Tail[], fastify: [] as Tail[] }
  for (let round = 0; round < latencyRounds; round++)
    for (const name of ['edge', 'fastify'] as const)
      tailsOf[name].push(await generator.run({ ...load(ports[name]), durationMs: short ? 1_500 : 4_000, rate: half }))
  const tails = tailsOf.edge
  const tailOf = (all: readonly Tail[]) => median(all.map(({ p50, p99 }) => p99 / p50))
  const tail = tailOf(tails)

  const warmMs = short ? 5_000 : WARM_MINUTES * 60_000
  const watchMs = short ? 10_000 : 90_000
  note(`hop: memory: ${warmMs / 1000} s of warm-up at full load, then ${watchMs / 1000} s at half load`)
  await generator.run({ ...load(ports.edge), durationMs: warmMs })
  const points: { x: number; y: number }[] = []
  const begun = performance.now()
  const sampler = setInterval(
    () => points.push({ x: (performance.now() - begun) / 60_000, y: residentMb(own) }),
    short ? 1_000 : sampleMs,
  )
  await generator.run({ ...load(ports.edge), durationMs: watchMs, rate: half })
  clearInterval(sampler)
  const growth = slope(points)

  const ratioA = floorA.cpu / edge.cpu
  const ratioB = floorB.cpu / edge.cpu
  const cpu = (name: string, value: number) => `${name} ${value.toFixed(0)} µs`
  const figures: Figure[] = [
    {
      what: 'Gateway hop, requests per CPU-second, against bare Fastify + plain `nc.request`',
      goal: '≥ 100 %',
      measured: usageSupported
        ? `${percent(ratioA)} (${cpu('edge', edge.cpu)}, ${cpu('floor', floorA.cpu)})`
        : 'not supported here',
      met: usageSupported ? ratioA >= 1 : null,
      holdsBack: 'Socket writes: one per answer, and one to NATS per turn of the event loop; then garbage collection.',
    },
    {
      what: 'The same against NestJS (Fastify) with its NATS transport',
      goal: '≥ 1.5 ×',
      measured: usageSupported ? `${times(ratioB)} (${cpu('floor', floorB.cpu)})` : 'not supported here',
      met: usageSupported ? ratioB >= 1.5 : null,
      holdsBack: 'As above.',
    },
    {
      what: 'Hop, p99 / p50 at half load, median of five rounds',
      goal: '≤ 4',
      measured: `${tail.toFixed(1)} (p50 ${median(tails.map(({ p50 }) => p50)).toFixed(2)} ms, p99 ${median(tails.map(({ p99 }) => p99)).toFixed(2)} ms; the Fastify floor at the same rate: ${tailOf(tailsOf.fastify).toFixed(1)})`,
      met: tail <= 4,
      holdsBack:
        'Processes that share the cores with the load generator, whose requests come in bursts of a millisecond; then minor collections.',
    },
    {
      what: short
        ? 'Hop, growth of memory (short look: still warming up)'
        : 'Hop, growth of memory after a minute of warm-up at full load',
      goal: '≤ 1 MB a minute',
      measured: usageSupported
        ? `${growth.toFixed(2)} MB a minute (${residentMb(own).toFixed(0)} MB, gateway and service)`
        : 'not supported here',
      met: usageSupported && !short ? growth <= 1 : null,
      holdsBack: 'Caches are bounded; what moves is the heap between collections.',
    },
  ]
  return { figures }
}
