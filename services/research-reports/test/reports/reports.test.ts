import { createHash } from 'node:crypto'
import { sql } from '@svc/postgres'
import { eventually, opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { account, startRig } from '../rig.ts'
import { sampleHistory } from '../sample-history.ts'

const pair = { exchange: 'binance', symbol: 'FTT/USDT' }
let lastAccount = 100

/** A new account with the pair among its targets. */
function person(tier: 0 | 1 | 2 = 1, sample = {}) {
  lastAccount += 1
  const caller = account(lastAccount, tier)
  rig.world.histories.set(`${lastAccount} binance FTT/USDT`, sampleHistory(sample))
  return { caller, id: lastAccount, ask: rig.as(caller) }
}
const bytesOf = async (stream: ReadableStream<Uint8Array> | null) =>
  stream === null ? null : Buffer.from(await new Response(stream).arrayBuffer())

const rig = opened(() => startRig())

describe('generating a report', () => {
  test('stores the file that it names, to the byte, and lists it', async () => {
    const { ask } = person()
    const made = await ask.makeReport({ ...pair, lang: 'ko', version: 'v2' })
    expect(made).toMatchObject({ ok: true, ...pair, lang: 'ko', version: 'v2', status: 'ready', pages: 4 })
    expect(made.report_id).toMatch(/^rpt_[0-9a-f]{32}$/)
    expect(made.allowance).toEqual({ limit: 30, used: 1, resets_at: '2026-12-01T00:00:00.000Z' })
    const download = await ask.downloadReport({ report_id: made.report_id })
    if (!('file' in download)) throw new Error('no file')
    expect(download.file).toMatchObject({ bytes: made.bytes, sha256: made.sha256, bucket: 'reports' })
    expect(download.file.filename).toBe('binance-FTT-USDT-2026-11-21-v2-ko.pdf')
    const stored = await bytesOf(await rig.files.read(download.file.name))
    expect(stored?.subarray(0, 8).toString()).toBe('%PDF-1.7')
    expect(
      createHash('sha256')
        .update(stored ?? '')
        .digest('hex'),
    ).toBe(made.sha256)
    const { ok: _ok, allowance: _allowance, ...item } = made
    expect((await ask.listReports(pair)).items).toEqual([item])
    expect(await ask.readReport({ report_id: made.report_id })).toEqual(made)
  })

  test('of the same data is the same report and does not count again; another language or version does', async () => {
    const { ask, id } = person()
    const first = await ask.makeReport(pair)
    const again = await ask.makeReport(pair)
    expect(again).toEqual(first)
    await ask.makeReport({ ...pair, lang: 'ko' })
    const last = await ask.makeReport({ ...pair, version: 'v2' })
    expect(last.allowance.used).toBe(3)
    expect(await rig.countReports(id)).toBe(3)
    const { items } = await ask.listReports(pair)
    expect(items.map(({ lang, version }) => `${lang} ${version}`)).toEqual(['en v2', 'ko v1', 'en v1'])
  })

  test('of the same data by two accounts gives the same bytes under different ids', async () => {
    const [one, two] = await Promise.all([person(), person()].map(({ ask }) => ask.makeReport(pair)))
    expect(one?.sha256).toBe(two?.sha256)
    expect(one?.report_id).not.toBe(two?.report_id)
  })

  test('requested twice at once makes one report', async () => {
    const { ask, id } = person()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask.makeReport(pair)))
    expect(new Set(answers.map(({ report_id }) => report_id)).size).toBe(1)
    expect(await rig.countReports(id)).toBe(1)
  })

  test('with the same idempotency key answers the same', async () => {
    const { caller, id } = person()
    const ask = rig.as(caller, { idempotencyKey: 'report-1' })
    const first = await ask.makeReport(pair)
    rig.world.histories.set(`${id} binance FTT/USDT`, sampleHistory({ to: '2026-11-21T08:38:00.000Z' }))
    expect(await ask.makeReport(pair)).toEqual(first)
    expect(await rig.countReports(id)).toBe(1)
  })

  test('is refused with what is missing and when to expect it, and again while scanning is paused', async () => {
    const { ask, id } = person(1, { buckets: 0, openScans: 1, coverage: 1 })
    expect(await refusalOf(ask.makeReport(pair))).toMatchObject({
      status: 409,
      code: 'not_enough_data',
      missing: [{ what: 'scans', have: 1, need: 2 }],
      expected_at: '2026-11-21T08:39:00.000Z',
    })
    const paused = sampleHistory({ buckets: 0, openScans: 1, coverage: 1 })
    rig.world.histories.set(`${id} binance FTT/USDT`, { ...paused, target: { ...paused.target, status: 'paused' } })
    expect(await refusalOf(ask.makeReport(pair))).toMatchObject({ code: 'not_enough_data', expected_at: null })
    expect(await rig.countReports(id)).toBe(0)
  })

  test('says what is known of a pair that is halted or delisted, or that could not be read ten times', async () => {
    const never = { buckets: 0, openScans: 0, coverage: 0 }
    const halted = await person(1, { ...never, lifecycle: 'halted', alerts: ['halt'] }).ask.makeReport(pair)
    const delisted = await person(1, { ...never, lifecycle: 'delisted', board: false }).ask.makeReport(pair)
    for (const { status, pages } of [halted, delisted]) expect({ status, pages }).toEqual({ status: 'ready', pages: 1 })
    const failing = person(1, { ...never, openScans: 9 })
    expect(await refusalOf(failing.ask.makeReport(pair))).toMatchObject({ code: 'not_enough_data' })
    rig.world.histories.set(`${failing.id} binance FTT/USDT`, sampleHistory({ ...never, openScans: 10 }))
    expect((await failing.ask.makeReport(pair)).status).toBe('ready')
  })

  test('is refused for no target, no pair, a wrong symbol form, language or version', async () => {
    const { ask } = person()
    const refused = (input: object) => refusalOf(ask.makeReport(input as never))
    expect(await refused({ exchange: 'binance', symbol: 'ETH/USDT' })).toMatchObject({
      status: 403,
      code: 'not_a_target',
    })
    expect(await refused({ exchange: 'kraken', symbol: 'FTT/USDT' })).toMatchObject({
      status: 404,
      code: 'unknown_pair',
    })
    const wrong = await refused({ exchange: 'binance', symbol: 'FTT_USDT' })
    expect(wrong).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(JSON.stringify(wrong['errors'])).toContain('BASE/QUOTE with a slash')
    for (const more of [{ lang: 'de' }, { version: 'v3' }, { surprise: 1 }, { symbol: `${'A'.repeat(40)}/USDT` }])
      expect(await refused({ ...pair, ...more })).toMatchObject({ code: 'invalid_request' })
  })
})

describe('the allowance', () => {
  test('ends at the limit of the tier, starts again with the UTC month, and never hides existing reports', async () => {
    const { ask, id, caller } = person()
    const first = await ask.makeReport(pair)
    await rig.pool.query(sql.unsafe`
      INSERT INTO report (report_id, account_id, exchange, symbol, lang, version, status, lease_until, created_at, pages, bytes, sha256)
      SELECT 'rpt_' || md5(${id}::text || n), ${id}, 'binance', 'FTT/USDT', 'en', 'v1', 'ready', now(), ${rig.clock.now().toISOString()}, 1, 1, repeat('0', 64)
      FROM generate_series(1, 29) AS n`)
    expect(await refusalOf(ask.makeReport({ ...pair, lang: 'ko' }))).toMatchObject({
      status: 403,
      code: 'pdf_limit',
      limit: 30,
      used: 30,
      resets_at: '2026-12-01T00:00:00.000Z',
    })
    expect((await ask.makeReport(pair)).report_id).toBe(first.report_id)
    const second = rig.as({ ...caller, tier: 2 })
    expect((await second.makeReport({ ...pair, lang: 'ko' })).allowance).toMatchObject({ limit: 150, used: 31 })
    rig.clock.set('2026-12-01T00:00:00.000Z')
    try {
      expect((await ask.makeReport({ ...pair, version: 'v2' })).allowance).toMatchObject({ limit: 30, used: 1 })
    } finally {
      rig.clock.set('2026-11-21T08:38:00.000Z')
    }
  })

  test('allows its last report once to many concurrent requests', async () => {
    const { ask, id } = person()
    await rig.pool.query(sql.unsafe`
      INSERT INTO report (report_id, account_id, exchange, symbol, lang, version, status, lease_until, created_at, pages, bytes, sha256)
      SELECT 'rpt_' || md5(${id}::text || n), ${id}, 'binance', 'FTT/USDT', 'en', 'v1', 'ready', now(), ${rig.clock.now().toISOString()}, 1, 1, repeat('0', 64)
      FROM generate_series(1, 29) AS n`)
    const variants = (['en', 'ko'] as const).flatMap((lang) =>
      (['v1', 'v2'] as const).map((version) => ({ lang, version })),
    )
    const outcomes = await Promise.allSettled(variants.map((variant) => ask.makeReport({ ...pair, ...variant })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await rig.countReports(id)).toBe(30)
  })
})

describe('a list of reports', () => {
  test('continues page by page, newest first, without gap or repetition', async () => {
    const { ask } = person()
    for (const lang of ['en', 'ko'] as const)
      for (const version of ['v1', 'v2'] as const) await ask.makeReport({ ...pair, lang, version })
    const whole = (await ask.listReports(pair)).items
    const pages = []
    let cursor: string | undefined
    do {
      const page = await ask.listReports({ ...pair, limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      pages.push(...page.items)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(pages).toEqual(whole)
    expect(whole).toHaveLength(4)
  })

  test('is empty for a known pair without reports and refused for an unknown one or a made-up cursor', async () => {
    const { ask } = person()
    expect(await ask.listReports({ exchange: 'binance', symbol: 'ETH/USDT' })).toEqual({ items: [], next_cursor: null })
    expect(await refusalOf(ask.listReports({ exchange: 'binance', symbol: 'NONE/USDT' }))).toMatchObject({
      status: 404,
      code: 'unknown_pair',
    })
    expect(await refusalOf(ask.listReports({ ...pair, cursor: 'nonsense' }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    })
  })
})

describe('a report of another account', () => {
  test('is refused like one that does not exist', async () => {
    const { report_id } = await person().ask.makeReport(pair)
    const { ask } = person()
    for (const id of [report_id, `rpt_${'0'.repeat(32)}`])
      for (const read of [ask.downloadReport, ask.readReport])
        expect(await refusalOf(read({ report_id: id }))).toMatchObject({ status: 404, code: 'unknown_report' })
    for (const read of [ask.downloadReport, ask.readReport])
      expect(await refusalOf(read({ report_id: '../../secrets' }))).toMatchObject({ code: 'invalid_request' })
    expect((await ask.listReports(pair)).items).toEqual([])
  })
})

describe('a report that takes longer than its caller waits', () => {
  test('is answered with 202, becomes ready on its own, and counts once', async () => {
    const impatient = await startRig({ environment: { SVC_REPORT_WAIT_MS: '0' } })
    try {
      impatient.world.histories.set('7 binance FTT/USDT', sampleHistory())
      const ask = impatient.as(account(7))
      const begun = await ask.makeReport(pair)
      expect(begun).toMatchObject({ status: 'generating', pages: null, bytes: null, sha256: null })
      expect(await ask.makeReport(pair)).toMatchObject({ report_id: begun.report_id })
      await eventually(async () => 'file' in (await ask.downloadReport({ report_id: begun.report_id })))
      const found = await ask.downloadReport({ report_id: begun.report_id })
      if (!('file' in found)) throw new Error('no file')
      expect(await bytesOf(await impatient.files.read(found.file.name))).toHaveLength(found.file.bytes)
      expect(await impatient.countReports(7)).toBe(1)
    } finally {
      await impatient.stop()
    }
  })
})

describe('a report that cannot be made', () => {
  test('is marked failed, does not count, and can be requested again', async () => {
    const { ask, id } = person()
    const made = await ask.makeReport(pair)
    // Inputs that cannot be unpacked stand for any fault in the making.
    await rig.pool.query(sql.unsafe`
      UPDATE report SET status = 'generating', inputs = '\\x00', lease_until = ${rig.clock.now().toISOString()}, pages = NULL, bytes = NULL, sha256 = NULL
      WHERE report_id = ${made.report_id}`)
    const waiting = await ask.downloadReport({ report_id: made.report_id })
    expect(waiting).toMatchObject({ status: 'generating', pages: null })
    expect(await ask.readReport({ report_id: made.report_id })).toMatchObject({ ...waiting, allowance: { used: 1 } })
    await eventually(async () => {
      await rig.runJob('finishReports')
      return (await ask.listReports(pair)).items[0]?.status === 'failed'
    })
    for (const read of [ask.downloadReport, ask.readReport])
      expect(await refusalOf(read({ report_id: made.report_id }))).toMatchObject({ status: 409, code: 'report_failed' })
    expect(await rig.countReports(id)).toBe(0)
    expect(await ask.makeReport(pair)).toMatchObject({
      report_id: made.report_id,
      status: 'ready',
      sha256: made.sha256,
    })
    expect(await rig.countReports(id)).toBe(1)
  })
})

test('reports and their files are deleted after a year', async () => {
  const { ask } = person()
  const { report_id } = await ask.makeReport(pair)
  const found = await ask.downloadReport({ report_id })
  if (!('file' in found)) throw new Error('no file')
  await rig.pool.query(sql.unsafe`
    UPDATE report SET created_at = created_at - interval '366 days' WHERE report_id = ${report_id}`)
  await rig.runJob('forgetReports')
  expect(await rig.files.read(found.file.name)).toBeNull()
  expect(await refusalOf(ask.downloadReport({ report_id }))).toMatchObject({ code: 'unknown_report' })
})
