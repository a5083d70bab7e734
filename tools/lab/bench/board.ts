import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@svc/servers'
import { nodeOptions } from '@svc/tools/dev/services.ts'
import { screenFigures } from './board-screen.ts'
import { seedBoard } from './board-seed.ts'
import { installFloors } from './floors.ts'
import { keys as allKeys } from './hop/keys.ts'
import { get, startLoadGenerator } from './load.ts'
import { startProcess } from './processes.ts'
import { percent, type Benchmark } from './result.ts'
import { addPlayers, openStage, startServices } from './stage.ts'
import { median } from './statistics.ts'
import { measure } from './variant.ts'

const PAIRS_PER_VENUE = 2_000
const PATH = '/board?limit=2500'
const keys = allKeys.slice(0, 64)

interface Pass {
  readonly done: number
  readonly seconds: number
  readonly mb: number
}

/** The board of 20,000 pairs: the cost of a pass, and the rate of the edge that serves it against bare Fastify. */
export const board: Benchmark = async ({ short, dataDir, note }) => {
  installFloors(note)
  await using stage = await openStage(dataDir)
  note('board: 20,000 pairs with two hours of observations')
  const rounds = short ? 3 : 5
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000)
  await seedBoard(stage.admin, PAIRS_PER_VENUE, now)
  await using pass = await startProcess(
    'board-pass.ts',
    {
      ...(stage.prepared.environmentOf('market-data', { MARKET_VENUES: 'binance' }) as Record<string, string>),
      // Each pass moves the clock on, so the last one is of this minute.
      BENCH_NOW: new Date(now.getTime() - (rounds - 1) * 300_000).toISOString(),
    },
    nodeOptions,
  )
  const passes: Pass[] = []
  for (let round = 0; round < rounds; round += 1) passes.push((await pass.ask({}, 60_000)) as Pass)
  const [pairs, seconds, mb] = [
    passes[0]?.done ?? 0,
    median(passes.map((one) => one.seconds)),
    Math.max(...passes.map((one) => one.mb)),
  ]

  await addPlayers(stage)
  await using services = await startServices(stage, {
    names: ['identity', 'subscriptions', 'market-data', 'gateway'],
    settings: { MARKET_VENUES: '' },
  })
  const answer = await fetch(`http://127.0.0.1:${services.port}${PATH}`, {
    headers: { 'x-svc-user-key': keys[0] ?? '' },
  })
  const etag = answer.headers.get('etag') ?? ''
  const file = join(dataDir, 'board.json')
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
  const floorPort = await freePort()
  await using floor = await startProcess('floors/fastify-bytes.mjs', {
    BENCH_PORT: String(floorPort),
    BENCH_FILE: file,
    BENCH_ETAG: etag,
  })
  await using generator = await startLoadGenerator()
  const plain = keys.map((key) => get(PATH, key))
  const tagged = plain.map((request) => request.replace('\r\n\r\n', `\r\nIf-None-Match: ${etag}\r\n\r\n`))
  const load = (port: number, requests: readonly string[]) => ({
    port,
    requests,
    connections: 16,
    durationMs: short ? 2_000 : 3_000,
  })
  const small = (port: number) => ({ ...load(port, tagged), awake: true })
  note('board: rounds of the edge and bare Fastify in turn')
  const measured = await measure(
    generator,
    [
      { name: 'edge', pids: services.pids, load: load(services.port, plain) },
      { name: 'floor', pids: [floor.pid], load: load(floorPort, plain) },
      { name: 'edge 304', pids: services.pids, expected: 304, load: small(services.port) },
      { name: 'floor 304', pids: [floor.pid], expected: 304, load: small(floorPort) },
    ],
    short ? 3 : 5,
  )
  const rate = (name: string) => measured.get(name)?.perSecond ?? 0
  const share = (name: string) => rate(name) / rate(`floor${name.slice('edge'.length)}`)
  const rateAndCpu = (name: string) =>
    `${rate(name).toFixed(0)} a second, ${(measured.get(name)?.cpu ?? 0).toFixed(0)} µs of CPU`
  const compared = (name: string) =>
    `${percent(share(name))} (${rateAndCpu(name)}; floor ${rateAndCpu(`floor${name.slice('edge'.length)}`)})`
  note('board: screens')
  const screens = await screenFigures({ port: services.port, pids: services.pids, keys, dataDir, short })
  return {
    figures: [
      ...screens,
      {
        what: `A board pass over ${pairs.toLocaleString('en-US')} pairs, CPU of the service`,
        goal: '≤ 2 s',
        measured: `${seconds.toFixed(2)} s`,
        met: seconds <= 2,
        holdsBack: 'Ranks of seven inputs among the peers, and writing down every input and result.',
      },
      {
        what: 'The same, resident memory of the process',
        goal: '≤ 500 MB',
        measured: `${mb.toFixed(0)} MB`,
        met: mb <= 500,
        holdsBack: 'Two boards at once: the one that is served and the one that is made.',
      },
      {
        what: '`GET /board?limit=2500`, requests per second against the same bytes from bare Fastify',
        goal: '≥ 70 %',
        measured: compared('edge'),
        met: share('edge') >= 0.7,
        holdsBack: 'Key and allowance of every request; every five seconds the rows come over NATS.',
      },
      {
        what: 'The same with `If-None-Match`, against a bare 304 (a load generator that never sleeps)',
        goal: '≥ 60 %',
        measured: compared('edge 304'),
        met: share('edge 304') >= 0.6,
        holdsBack: 'Key and allowance of every request.',
      },
    ],
  }
}
