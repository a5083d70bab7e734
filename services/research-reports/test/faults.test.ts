import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '@svc/postgres'
import { isOutage } from '@svc/service'
import { eventually, opened, testProcesses } from '@svc/testing'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { researchOf } from '#research/rules/research.ts'
import { openReportRenderer } from '#reports/pdf/renderer.ts'
import { account, startRig } from './rig.ts'
import { sampleHistory } from './sample-history.ts'

const pair = { exchange: 'binance', symbol: 'FTT/USDT' }

const rig = opened(() => startRig({ alone: true }))
const processes = testProcesses(new URL('../src/main.ts', import.meta.url), () =>
  rig.stack.environmentOf('research-reports', { SVC_REPORT_WAIT_MS: '0' }),
)
afterEach(() => processes.killAll())

/** What must hold of every report, whatever happened: ready ones have their file, whole; others show none. */
async function expectWhole(): Promise<void> {
  const rows = await rig.pool.any(
    sql.type(
      z.object({ report_id: z.string(), status: z.string(), attempts: z.number(), sha256: z.string().nullable() }),
    )`
      SELECT report_id, status, attempts, sha256 FROM report`,
  )
  for (const { report_id, status, attempts, sha256 } of rows) {
    if (status !== 'ready') {
      expect(sha256).toBeNull()
      continue
    }
    const stream = await rig.files.read(`${report_id}-${attempts}.pdf`)
    const bytes = stream === null ? Buffer.alloc(0) : Buffer.from(await new Response(stream).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  }
}

test('a process that is killed while it makes reports leaves none half-written, and the job finishes each once', async () => {
  const ids: string[] = []
  for (let n = 1; n <= 4; n += 1) {
    rig.world.histories.set(`${n} binance FTT/USDT`, sampleHistory())
    const child = await processes.start()
    const begun = await eventually(() => rig.as(account(n)).makeReport({ ...pair, version: 'v2' }))
    ids.push(begun.report_id)
    // At another moment each time: before a thread has started, while it draws, while the file is stored.
    await delay((n - 1) * 120)
    await processes.kill(child)
    await expectWhole()
  }
  const unfinished = await rig.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
    SELECT count(*)::int AS n FROM report WHERE status = 'generating'`)
  expect(unfinished).toBeGreaterThan(0)
  rig.clock.set(new Date(Date.now() + 61_000))
  expect(await rig.runJob('finishReports')).toBe(unfinished)
  expect(await rig.runJob('finishReports')).toBe(0)
  await expectWhole()
  await processes.start()
  for (const [index, report_id] of ids.entries()) {
    const { items } = await eventually(() => rig.as(account(index + 1)).listReports(pair))
    expect(items).toMatchObject([{ report_id, status: 'ready', pages: 4 }])
    expect(await rig.countReports(index + 1)).toBe(1)
  }
  // Killed or not, at the first attempt or the second: the same data gave the same bytes.
  const digests = await rig.pool.anyFirst(
    sql.type(z.object({ sha256: z.string() }))`SELECT DISTINCT sha256 FROM report`,
  )
  expect(digests).toHaveLength(1)
})

test('a report is marked failed after three attempts, does not count, and has no file', async () => {
  await processes.start()
  rig.world.histories.set('9 binance FTT/USDT', sampleHistory())
  const { report_id } = await eventually(() => rig.as(account(9)).makeReport(pair))
  await eventually(async () => 'file' in (await rig.as(account(9)).downloadReport({ report_id })))
  await rig.pool.query(sql.unsafe`
    UPDATE report SET status = 'generating', inputs = '\\x00', attempts = 3, lease_until = ${rig.clock.now().toISOString()},
      pages = NULL, bytes = NULL, sha256 = NULL WHERE report_id = ${report_id}`)
  await eventually(async () => {
    await rig.runJob('finishReports')
    return (await rig.as(account(9)).listReports(pair)).items[0]?.status === 'failed'
  })
  expect(await rig.countReports(9)).toBe(0)
})

test('a report that is requested while the service stops is left to the next process, not marked failed', async () => {
  const renderer = openReportRenderer()
  const drawing = renderer.draw(
    JSON.stringify({ layout: '', lang: 'en', version: 'v1', research: researchOf(sampleHistory(), 21, null) }),
  )
  const closed = renderer.close()
  expect(isOutage(await renderer.draw('{}').catch((error: unknown) => error))).toBe(true)
  expect((await drawing).pages).toBe(1)
  await closed
})

test('two processes that find the same unfinished reports share them', async () => {
  const at = new Date(Date.now() + 3_600_000)
  rig.clock.set(at)
  await rig.pool.query(sql.unsafe`
    INSERT INTO report (report_id, account_id, exchange, symbol, lang, version, status, inputs, attempts, lease_until, created_at)
    SELECT 'rpt_' || md5(n::text), 77, 'binance', 'FTT/USDT', 'en', 'v1', 'generating', '\\x00', 3, ${at.toISOString()}, ${at.toISOString()}
    FROM generate_series(1, 20) AS n`)
  const done = await Promise.all([rig.runJob('finishReports'), rig.runJob('finishReports')])
  expect(done.reduce((sum, one) => sum + one, 0)).toBe(20)
  const attempts = await rig.pool.anyFirst(
    sql.type(z.object({ attempts: z.number() }))`SELECT attempts FROM report WHERE account_id = 77`,
  )
  expect(new Set(attempts)).toEqual(new Set([4]))
})
