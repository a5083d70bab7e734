import { join } from 'node:path'
import { freePort, startServers } from '@svc/servers'
import { installFloors, startFloor } from './floors.ts'
import { keys as allKeys } from './hop/keys.ts'
import { get, post, startLoadGenerator } from './load.ts'
import { usageSupported } from './process-usage.ts'
import { percent, type Benchmark, type Figure } from './result.ts'
import { addPlayers, startServices } from './stage.ts'
import { measure } from './variant.ts'

/** Few enough agents that each asks again within the time for which the gateway caches a key. */
const keys = allKeys.slice(0, 64)
const venues = ['binance', 'gate', 'kucoin']
const bases = 'BTC ETH SOL XRP ADA DOGE DOT LTC BCH LINK AVAX UNI ATOM XLM ALGO NEAR FIL AAVE'.split(' ')
/** Fields that accept a line of text; the evidence names a host that never resolves. */
const fields = ['team', 'legal_entity', 'unlock_schedule']
const evidence_url = 'https://evidence.invalid/'

/** Two real routes through all services and servers, against the floor of the hop. */
export const platform: Benchmark = async ({ short, dataDir, shared, note }) => {
  installFloors(note)
  const stage = await shared()
  await addPlayers(stage)
  await using services = await startServices(stage)
  const floorPort = await freePort()
  await using nats = await startFloorNats(dataDir)
  await using floor = await startFloor('fastify', nats.url, floorPort)
  await using generator = await startLoadGenerator()

  const pairs: (readonly [string, string])[] = []
  for (const venue of venues)
    for (const base of bases) {
      const path = `/agent/mining/fields/${venue}/${base}_USDT`
      const { status } = await fetch(`http://127.0.0.1:${services.port}${path}`, {
        headers: { 'x-svc-user-key': keys[0] ?? '' },
      })
      if (status === 200) pairs.push([venue, base])
    }
  if (pairs.length === 0) throw new Error('no pair is known to the platform')
  const key = (index: number) => keys[index % keys.length] ?? ''
  const reads = keys.map((one, index) => {
    const [venue, base] = pairs[index % pairs.length] ?? ['', '']
    return get(`/agent/mining/fields/${venue}/${base}_USDT`, one)
  })
  const writes = fields.flatMap((field_name) =>
    pairs.map(([exchange, base], index) =>
      post('/agent/mining/submit', key(index * fields.length + fields.indexOf(field_name)), {
        exchange,
        symbol: `${base}/USDT`,
        entries: [{ field_name, field_value: 'Known from the documents of the project', evidence_url }],
      }),
    ),
  )
  note(`platform: ${reads.length} reads and ${writes.length} submissions in turn`)
  const { port, pids } = services
  const durationMs = short ? 2_000 : 3_000
  const measured = await measure(
    generator,
    [
      {
        name: 'floor',
        pids: [...floor.pids, nats.pid],
        load: { port: floorPort, durationMs, requests: keys.map((one) => get('/bench/echo/BTC?side=buy', one)) },
      },
      { name: 'fields', pids, load: { port, durationMs, requests: reads, connections: 32 } },
      {
        name: 'submit',
        pids,
        expected: 202,
        load: { port, durationMs: 20_000, requests: writes, maxRequests: writes.length, connections: 32 },
        prepare: async () => {
          await stage.admin.query('TRUNCATE mining.submission CASCADE')
        },
      },
    ],
    short ? 3 : 5,
  )
  const figure = (name: string, what: string, holdsBack: string): Figure => {
    const one = measured.get(name)
    const base = measured.get('floor')
    if (one === undefined || base === undefined) throw new Error(`${name} was not measured`)
    const rate = `${one.perSecond.toFixed(0)} a second`
    return {
      what,
      goal: '–',
      measured: usageSupported
        ? `${percent(base.cpu / one.cpu)} (${one.cpu.toFixed(0)} µs, ${rate}; floor ${base.cpu.toFixed(0)} µs)`
        : rate,
      met: null,
      holdsBack,
    }
  }
  return {
    figures: [
      figure(
        'fields',
        '`GET /agent/mining/fields/{exchange}/{symbol}`, requests per CPU-second, against bare Fastify + plain `nc.request` without a database',
        'A call to market-data and the token’s rows in Postgres, for each request.',
      ),
      figure(
        'submit',
        '`POST /agent/mining/submit` (one entry, stored), the same',
        'One transaction on disk for each request; every row is fenced and checked.',
      ),
    ],
  }
}

/** Starts a NATS for the floor, because the NATS of the platform accepts its services only. */
async function startFloorNats(dataDir: string): Promise<{ url: string; pid: number } & AsyncDisposable> {
  const servers = await startServers({ dataDir: join(dataDir, 'floor'), postgres: false, redis: false, durable: false })
  return { url: servers.nats.url, pid: servers.nats.pid() ?? 0, [Symbol.asyncDispose]: () => servers.stop() }
}
