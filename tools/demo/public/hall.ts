import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'

/** A row of the Hall, as far as the demo looks at it. */
export interface HallRow {
  readonly agent_id: number
  readonly name: string
  readonly ranked: boolean
  readonly rank: number | null
  readonly days_live: number
  readonly trades: number
  readonly worth_change_bps: number | null
  readonly worth_change_low_bps: number | null
  readonly worth_change_high_bps: number | null
  readonly max_drawdown_bps: number | null
  readonly independent_owners: string
  readonly sibling_agents: number
  readonly violations: number
  readonly refusals: { readonly total: number }
  readonly mandates: { readonly open: number; readonly closed: number; readonly stopped: number }
}

/** The Hall is computed every two minutes. */
const HALL = { everyMs: 1_000 }
const ROWS_SHOWN = 8
/** Words that no answer of the Hall may have: an amount, or an address outside of the proofs. */
const PRIVATE = /usdc"|wallet|owner_id|"0x/

/** Shows the Hall, by days and by worth, and its four figures; returns all rows by worth. */
export async function showHall(walk: Walk, agents: number): Promise<readonly HallRow[]> {
  walk.chapter('The Hall: agents and what became of them, computed from facts')
  await walk.until('the Hall', { ...HALL, note: 'The Hall is computed every two minutes.' }, async () => {
    const { body } = await walk.ask('/hub/hall?limit=1', 200, { quiet: true })
    return body.pending === false && body.total >= agents
  })
  const { body: hall, headers } = await walk.ask('/hub/hall?sort=worth_change&limit=100', 200, {
    show: ['computed_at', 'stale', 'pending', 'window', 'sort', 'total'],
    expect: { stale: false, pending: false },
  })
  const rows = hall.items as readonly HallRow[]
  mustBePrivate(JSON.stringify(hall))
  printRows(walk, rows)
  walk.say('The lower end of the interval sorts, so that luck in a few days gains nothing; agents without an')
  walk.say('independent owner come after the others, whatever they earned.')
  const firstAlone = rows.findIndex(({ independent_owners }) => independent_owners === '0')
  const lastHired = rows.findLastIndex(
    ({ independent_owners, worth_change_bps, ranked }) =>
      ranked && independent_owners !== '0' && worth_change_bps !== null,
  )
  if (firstAlone !== -1 && firstAlone < lastHired)
    throw new Surprise(`the agent of place ${firstAlone + 1} has no independent owner and stands before one that has`)
  await unchanged(walk, '/hub/hall?sort=worth_change&limit=100', headers.get('etag'))
  const { body: proof } = await walk.ask('/hub/hall/proof', 200, {
    note: 'Four figures of all mandates.',
    show: ['mandates_working', 'calls_refused_on_chain', 'days_inside_limits', 'records_verifiable_pct'],
  })
  for (const figure of ['mandates_working', 'calls_refused_on_chain', 'days_inside_limits'])
    if (!(proof[figure] > 0)) throw new Surprise(`${figure} is ${proof[figure]} after a month`)
  return rows
}

/** A page that is polled costs nothing while nothing changed. */
async function unchanged(walk: Walk, path: string, etag: string | null): Promise<void> {
  if (etag === null) throw new Surprise(`${path} has no ETag`)
  const { status } = await fetch(new URL(path, walk.baseUrl), { headers: { 'if-none-match': etag } })
  walk.step(`GET ${path} (If-None-Match: ${etag.slice(0, 12)}…)`)
  walk.outcome(status === 304, String(status))
  // A pass may have come in between.
  if (status !== 304 && status !== 200) throw new Surprise(`${path} answered ${status} to its own ETag`)
}

function mustBePrivate(text: string): void {
  const found = PRIVATE.exec(text)
  if (found !== null)
    throw new Surprise(`the Hall shows ${text.slice(Math.max(0, found.index - 40), found.index + 40)}`)
}

const percent = (bps: number | null) => (bps === null ? '–' : `${(bps / 100).toFixed(1)} %`)

function printRows(walk: Walk, rows: readonly HallRow[]): void {
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, n) => (n === 1 ? cell.padEnd(18) : cell.padStart(n === 0 ? 4 : 9))).join('')}`
  walk.say(line(['rank', ' agent', 'days', 'trades', 'worth', 'low', 'high', 'drawdown', 'owners', 'refused']))
  for (const row of rows.slice(0, ROWS_SHOWN))
    walk.say(
      line([
        String(row.rank ?? '–'),
        ` ${row.name}`,
        String(row.days_live),
        String(row.trades),
        percent(row.worth_change_bps),
        percent(row.worth_change_low_bps),
        percent(row.worth_change_high_bps),
        percent(row.max_drawdown_bps),
        row.independent_owners,
        String(row.refusals.total),
      ]),
    )
  walk.say(`  … and ${rows.length - ROWS_SHOWN} more; ${rows.filter(({ ranked }) => ranked).length} are ranked.`)
}

/** Shows one agent with its mandates; those whose owner signed public_proof name their vault. */
export async function showAgent(walk: Walk, agentId: number): Promise<void> {
  walk.chapter('One agent: every mandate, closed ones too')
  const { body } = await walk.ask(`/hub/hall/${agentId}`, 200, {
    show: ['name', 'rank', 'days_live', 'adherence_pct', 'worth_change_bps', 'policy_changes', 'paper'],
  })
  for (const { mandate, state, days_live, worth_change_bps, trades, clauses, refusals, proof } of body.mandates)
    walk.say(
      `  ${mandate}  ${state.padEnd(8)}${days_live} days  ${percent(worth_change_bps)}  ${trades} trades  ` +
        `${clauses.kept ? 'kept inside its limits' : `${clauses.violations} violations`}  ${refusals.total} refused` +
        `${proof === null ? '' : `  vault ${proof.vault}`}`,
    )
}
