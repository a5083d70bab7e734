import { createHash } from 'node:crypto'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { streamOfBucket, type StoredFile } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { sql } from '@svc/postgres'
import { fileReader, isOutage, provision, type Bus } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { account, startRig } from '../rig.ts'
import { sampleHistory } from '../sample-history.ts'

const pair = { exchange: 'binance', symbol: 'FTT/USDT' }
const STREAM = streamOfBucket('reports')
let lastAccount = 500
/** The longest pause between two attempts. */
const PAUSE_MS = 20 * 60_000

const rig = opened(() => startRig())
let provisioner: Bus
let gateway: Bus
let manager: JetStreamManager
beforeAll(async () => {
  provisioner = await rig.stack.nats.connect('provisioner')
  gateway = await rig.stack.nats.connect('gateway')
  manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
})
afterAll(() => Promise.all([provisioner?.close(), gateway?.close()]))
const repair = () => provision(provisioner, contracts)

/** A report of a new account, and how the account downloads it. */
async function newReport(version: 'v1' | 'v2' = 'v1') {
  lastAccount += 1
  const id = lastAccount
  rig.world.histories.set(`${id} binance FTT/USDT`, sampleHistory())
  const ask = rig.as(account(id))
  const { report_id } = await ask.makeReport({ ...pair, version })
  // The answer comes before the file on a busy machine.
  const made = await eventually(async () => {
    await rig.runJob('finishReports')
    const report = await ask.readReport({ report_id })
    expect(report.status).toBe('ready')
    return report
  })
  return { id, ask, made, download: () => ask.downloadReport({ report_id }), report_id }
}
type Report = Awaited<ReturnType<typeof newReport>>

/** Lets the next attempt begin if an outage ended the last one. While an attempt runs, its lease must not end. */
async function endPause(report: Report): Promise<void> {
  const { attempts, spared } = await stateOf(report)
  if (spared === attempts) rig.clock.advance(PAUSE_MS)
}
/** Returns the description of the file of a report, which may be made again meanwhile. */
const described = (report: Report): Promise<StoredFile> =>
  eventually(async () => {
    await rig.runJob('finishReports')
    const answer = await report.download()
    if ('file' in answer) return answer.file
    await endPause(report)
    return expect.fail(`the report is ${answer.status}`)
  })
/** Returns the digest of the bytes that the gateway gets. */
async function digestOf(file: StoredFile): Promise<string> {
  const bytes = await new Response(await fileReader(gateway)(file)).arrayBuffer()
  return createHash('sha256').update(Buffer.from(bytes)).digest('hex')
}
const stateRow = z.object({ status: z.string(), attempts: z.number(), spared: z.number(), kept: z.boolean() })
const stateOf = ({ report_id }: Report) =>
  rig.pool.one(sql.type(stateRow)`
    SELECT status, attempts, spared, inputs IS NOT NULL AS kept FROM report WHERE report_id = ${report_id}`)
const pieceOf = async () => (await manager.streams.info(STREAM)).state.last_seq - 1

test('a deleted bucket is created by the repair, and each file of it comes back with the same bytes, made once for all who download it at once', async () => {
  const reports = [await newReport('v2'), await newReport(), await newReport()]
  for (const report of reports) expect(await digestOf(await described(report))).toBe(report.made.sha256)
  await manager.streams.delete(STREAM)
  for (const { download, ask, report_id, made } of reports) {
    const answers = await Promise.all([download(), download(), download()])
    for (const answer of answers) expect(answer).toMatchObject({ report_id, status: 'generating', sha256: null })
    const { pages: _pages, bytes: _bytes, sha256: _sha256, ...same } = made
    expect(await ask.readReport({ report_id })).toEqual({
      ...same,
      status: 'generating',
      pages: null,
      bytes: null,
      sha256: null,
    })
  }
  await repair()
  for (const report of reports) {
    const file = await described(report)
    expect(file).toMatchObject({ bytes: report.made.bytes, sha256: report.made.sha256 })
    expect(await digestOf(file)).toBe(report.made.sha256)
    expect(await report.ask.readReport({ report_id: report.report_id })).toEqual(report.made)
    expect(await rig.countReports(report.id)).toBe(1)
  }
  const found = await Promise.all(reports.map(stateOf))
  for (const { attempts, spared } of found) expect(attempts - spared).toBe(1)
})

test.each([
  ['it is removed', ({ name }: StoredFile) => rig.files.remove(name)],
  ['a piece of it is lost', async () => manager.streams.deleteMessage(STREAM, await pieceOf())],
  ['another file has its name', ({ name }: StoredFile) => rig.files.put(name, Buffer.from('another'))],
  ['its bucket is emptied', () => manager.streams.purge(STREAM)],
] as const)('a file comes back with the same bytes after %s', async (_, lose) => {
  const report = await newReport()
  await lose(await described(report))
  expect(await report.download()).toMatchObject({ status: 'generating' })
  expect(await digestOf(await described(report))).toBe(report.made.sha256)
})

test('while the bucket takes no files, a lost file stays to be made however often an attempt ends, and is made once there is space', async () => {
  const report = await newReport()
  await rig.files.remove((await described(report)).name)
  const { config } = await manager.streams.info(STREAM)
  await manager.streams.update(STREAM, { ...config, max_bytes: 1_000 })
  try {
    await report.download()
    // More attempts than a report has that cannot be drawn.
    for (let ended = 2; ended <= 6; ended += 1)
      await eventually(async () => {
        await rig.runJob('finishReports')
        const { status, spared } = await stateOf(report)
        expect(status).toBe('generating')
        await endPause(report)
        expect(spared).toBeGreaterThanOrEqual(ended)
      })
  } finally {
    await manager.streams.update(STREAM, config)
  }
  expect(await digestOf(await described(report))).toBe(report.made.sha256)
  expect(await stateOf(report)).toMatchObject({ status: 'ready', kept: true })
})

test('a lost file that cannot be drawn is refused as failed, and is made after a pause once it can be drawn', async () => {
  const report = await newReport()
  await rig.files.remove((await described(report)).name)
  const setInputs = (inputs: ReturnType<typeof sql.fragment>) =>
    rig.pool.query(sql.unsafe`UPDATE report SET inputs = ${inputs} WHERE report_id = ${report.report_id}`)
  // Inputs that cannot be unpacked stand for a release that cannot draw them.
  const { inputs } = await rig.pool.one(sql.type(z.object({ inputs: z.instanceof(Buffer) }))`
    SELECT inputs FROM report WHERE report_id = ${report.report_id}`)
  await setInputs(sql.fragment`'\\x00'::bytea`)
  await report.download()
  await eventually(async () => {
    await rig.runJob('finishReports')
    expect(await stateOf(report)).toMatchObject({ status: 'failed', kept: true })
  })
  expect(await refusalOf(report.download())).toMatchObject({ status: 409, code: 'report_failed' })
  expect(await rig.countReports(report.id)).toBe(0)
  await setInputs(sql.fragment`${sql.binary(inputs)}`)
  rig.clock.advance(3_600_000)
  expect(await report.download()).toMatchObject({ status: 'generating' })
  expect(await digestOf(await described(report))).toBe(report.made.sha256)
})

test('inputs of an earlier release are read from the file; a file that was lost before, or whose inputs are of another report, is an outage and not another file', async () => {
  const [kept, lost, forged] = [await newReport(), await newReport(), await newReport()]
  const files = [await described(kept), await described(lost), await described(forged)] as const
  await rig.pool.query(sql.unsafe`
    UPDATE report SET inputs = NULL WHERE report_id IN (${kept.report_id}, ${lost.report_id}, ${forged.report_id})`)
  await rig.files.remove(files[1].name)
  // The file of another account: its inputs are the same, the id is not.
  await rig.pool.query(sql.unsafe`UPDATE report SET account_id = 1 WHERE report_id = ${forged.report_id}`)
  await rig.runJob('keepInputs')
  expect(await stateOf(kept)).toMatchObject({ status: 'ready', kept: true })
  expect(await stateOf(forged)).toMatchObject({ kept: false })
  await rig.files.remove(files[0].name)
  await kept.download()
  expect(await digestOf(await described(kept))).toBe(kept.made.sha256)
  expect(await lost.download().then(() => null, isOutage)).toBe(true)
  expect(await stateOf(lost)).toMatchObject({ status: 'ready' })
})

test('a file whose row is gone is unknown, though it is stored', async () => {
  const report = await newReport()
  const file = await described(report)
  await rig.pool.query(sql.unsafe`DELETE FROM report WHERE report_id = ${report.report_id}`)
  expect(await rig.files.has(file)).toBe(true)
  expect(await refusalOf(report.download())).toMatchObject({ status: 404, code: 'unknown_report' })
})
