import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { letter } from '@svc/contracts/market-data/board'
import { BOARD_SORTS } from '@svc/contracts/market-data/screener'
import { againstBytes } from './bytes-floor.ts'
import { cpuSeconds, residentMb } from './process-usage.ts'
import type { Figure } from './result.ts'

/** Every filter of the board at once, but for the state of the alerts; a page of it is full on the seeded board. */
const ALL_FILTERS =
  '/board?q=t&quote=USDT&gpa_min=0.1&gpa_max=4.2&risk_score_min=1&risk_score_max=99&volume_24h_usd_min=1000' +
  `&volume_24h_usd_max=100000000&grade=${encodeURIComponent(letter.options.join(','))}` +
  '&lifecycle=new,active,watch,at_risk&flags=none&sort=gpa&order=desc&limit=100'
/** More memory than an answer of each query would take if nothing bounded the caches. */
const MORE_MB_MAX = 150

interface Served {
  readonly port: number
  readonly pids: readonly number[]
  readonly keys: readonly string[]
  readonly dataDir: string
  readonly short: boolean
}

/** The screener: the cached page with all filters against bare Fastify, and pages that no cache has. */
export async function screenFigures({ port, pids, keys, dataDir, short }: Served): Promise<Figure[]> {
  const cached = await againstBytes({
    port,
    pids,
    keys,
    path: await fullPage(port, keys[0] ?? ''),
    name: '/board` with all filters, `limit=100',
    file: join(dataDir, 'screen.json'),
    short,
    goal: 0.6,
    holdsBack: 'Key and allowance of every request; the size of its URL.',
  })
  return [cached, await everAnother({ port, pids, keys, dataDir, short })]
}

/** Returns the path whose page has as many rows as it may have: an empty one costs nothing. Crises may be judged by now or not. */
async function fullPage(port: number, key: string): Promise<string> {
  for (const alerts of ['unknown', 'none']) {
    const path = `${ALL_FILTERS}&alerts=${alerts}`
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-svc-user-key': key } })
    const { tokens } = (await answer.json()) as { tokens?: readonly unknown[] }
    if (tokens?.length === 100) return path
  }
  throw new Error('the page with all filters is not full')
}

/** Asks one page after the other, each with other filters and another order. */
async function everAnother({ port, pids, keys, short }: Served): Promise<Figure> {
  const ask = async () => {
    const [min, sort] = [randomInt(1_000_000), BOARD_SORTS[randomInt(BOARD_SORTS.length)]]
    const query = `volume_24h_usd_min=${min}&gpa_min=${randomInt(30) / 10}&q=t${randomInt(10)}&sort=${sort}&offset=${randomInt(50)}`
    const headers = { 'x-svc-user-key': keys[randomInt(keys.length)] ?? '' }
    const answer = await fetch(`http://127.0.0.1:${port}/board?${query}`, { headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`/board?${query} answered ${answer.status}`)
  }
  const [warm, counted] = short ? [300, 300] : [500, 2_000]
  for (let n = 0; n < warm; n += 1) await ask()
  const [cpu, memory] = [cpuSeconds(pids), residentMb(pids)]
  for (let n = 0; n < counted; n += 1) await ask()
  const each = ((cpuSeconds(pids) - cpu) / counted) * 1_000
  const more = residentMb(pids) - memory
  return {
    what: `A page of 100 of 20,000 pairs that no cache has, with other filters each of ${counted.toLocaleString('en')} times, CPU of all processes; more resident memory`,
    goal: `≤ 10 ms; ≤ ${MORE_MB_MAX} MB`,
    measured: `${each.toFixed(1)} ms; ${more.toFixed(0)} MB`,
    met: each <= 10 && more <= MORE_MB_MAX,
    holdsBack: 'One pass over all rows for each filter, and JSON of the page.',
  }
}
