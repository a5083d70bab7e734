import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  emptyRecord,
  forgedRecords,
  goodRecord,
  recordKeys,
  recordOf,
  soundRecords,
  textsOf,
  toldInRecord,
  type Told,
} from '@svc/testing/forged-records'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RecordProblem, verifyRecord } from './verify.ts'

test.each(soundRecords.map((record) => [record.title, record] as const))(
  'a record as the service writes it verifies: %s',
  (_title, { files, entries, later = null }) => {
    expect(verifyRecord(textsOf(files), recordKeys, later)).toMatchObject({ signature: 'good' })
    expect(verifyRecord(textsOf(files), recordKeys, later).entries).toHaveLength(entries)
  },
)

test('without keys the signature is not checked', () => {
  expect(verifyRecord(textsOf([goodRecord]), null)).toMatchObject({ signature: 'not checked' })
  expect(verifyRecord(textsOf([emptyRecord]), null)).toMatchObject({ signature: 'absent', entries: [] })
})

describe('a forged record is refused for', () => {
  test.each(forgedRecords.map((record) => [record.title, record] as const))(
    '%s',
    (_title, { files, later = null, said }) => {
      const verify = () => verifyRecord(textsOf(files), recordKeys, later)
      expect(verify).toThrow(RecordProblem)
      expect(verify).toThrow(said)
    },
  )
})

test('a record that ends early names the way to the rest', () => {
  const [head = '', one = ''] = goodRecord
  expect(() => verifyRecord(textsOf([[head, one]]), recordKeys)).toThrow('a longer one is downloaded on with ?since=1')
})

test('an empty record cannot be checked by a key: nobody signed that there is nothing', () => {
  const found = (() => {
    try {
      return verifyRecord(textsOf([emptyRecord]), recordKeys)
    } catch (error) {
      return error
    }
  })()
  expect(found).not.toBeInstanceOf(RecordProblem)
  expect(found).toMatchObject({ message: expect.stringContaining('an empty record carries no signature') })
})

/** Runs the command line on a record whose head was signed at a time; returns what it prints. */
async function printed(things: readonly Told[], hoursAgo: number, ...flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-record-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, keys] = [join(folder, 'record.jsonl'), join(folder, 'jwks.json')]
  const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  const lines = recordOf(things, { signed: { signed_at: at }, line: { exported_at: at } })
  await Promise.all([writeFile(file, lines.join('\n')), writeFile(keys, JSON.stringify({ keys: recordKeys }))])
  const tool = fileURLToPath(new URL('./main.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [tool, file, '--jwks', keys, ...flags])
  expect(stdout).toContain(`the head was the newest one at ${at}, ${hoursAgo}.0 hours ago`)
  return stdout
}

test('the command line prints when and for which chain a head was signed, and warns if that is longer ago than --max-age', async () => {
  const fresh = await printed(toldInRecord, 23)
  expect(fresh).toContain(`the head was signed for vault 0x${'11'.repeat(20)} of chain 31337`)
  expect(fresh).not.toContain('WARNING')
  expect(await printed(toldInRecord, 25)).toContain('WARNING: what happened since then is not in this record')
  expect(await printed(toldInRecord, 23, '--max-age', '22')).toContain('WARNING')
  expect(await printed(toldInRecord, 25, '--max-age', '26')).not.toContain('WARNING')
})
