import { randomBytes } from 'node:crypto'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { fileReader, isOutage, openFiles, provision, type Bus, type Files } from '@svc/service'
import { opened } from '@svc/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contracts, prepare } from './fixture.ts'

const BUCKET = 'beta-files'
const STREAM = `OBJ_${BUCKET}`

const stack = opened(() => prepare())
let provisioner: Bus
let owner: Bus
let manager: JetStreamManager
let files: Files
beforeAll(async () => {
  provisioner = await stack.nats.connect('provisioner')
  owner = await stack.nats.connect('beta')
  manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
})
afterAll(() => Promise.all([provisioner?.close(), owner?.close()]))
beforeEach(async () => {
  await manager.streams.delete(STREAM).catch(() => {})
  await provision(provisioner, contracts)
  files = await openFiles(owner, BUCKET)
})

/** More than one piece of an object. */
const BYTES = 300_000
const stored = async () => ({ ...(await files.put('one', randomBytes(BYTES))), filename: 'one.pdf' })
const failed = (work: Promise<unknown>) => work.then(() => null, isOutage)
const lastPiece = async () => (await manager.streams.info(STREAM)).state.last_seq - 1

describe('a bucket has a file', () => {
  test('that was stored, and none that differs from its description', async () => {
    const file = await stored()
    expect(await files.has(file)).toBe(true)
    expect(await files.has({ ...file, sha256: '0'.repeat(64) })).toBe(false)
    expect(await files.has({ ...file, name: 'another' })).toBe(false)
  })

  test.each([
    ['it was removed', () => files.remove('one')],
    ['a piece of it was lost', async () => manager.streams.deleteMessage(STREAM, await lastPiece())],
    ['its bucket was emptied', () => manager.streams.purge(STREAM)],
    ['its bucket was deleted', () => manager.streams.delete(STREAM)],
  ])('no longer after %s, until it is stored again', async (_, lose) => {
    const file = await stored()
    await lose()
    expect(await files.has(file)).toBe(false)
    await provision(provisioner, contracts)
    expect(await files.has(await stored())).toBe(true)
  })
})

describe('a bucket', () => {
  test('that is full refuses a file as an outage that says so, keeps the others, and takes files once it has space', async () => {
    const file = await stored()
    const { config } = await manager.streams.info(STREAM)
    await manager.streams.update(STREAM, { ...config, max_bytes: BYTES + 50_000 })
    const refusal: unknown = await files.put('two', randomBytes(BYTES)).catch((error: unknown) => error)
    expect(isOutage(refusal)).toBe(true)
    expect(String(refusal)).toContain('maximum bytes exceeded')
    expect(await files.has(file)).toBe(true)
    await manager.streams.update(STREAM, config)
    expect(await files.has({ ...file, ...(await files.put('two', randomBytes(BYTES))) })).toBe(true)
  })

  test('that is missing is an outage to who stores and to who reads, and takes files of the same process once it is back', async () => {
    await manager.streams.delete(STREAM)
    const opened = await openFiles(owner, BUCKET)
    const read = fileReader(owner)
    const file = { bucket: BUCKET, name: 'one', bytes: 1, sha256: '0'.repeat(64), filename: 'one.pdf' }
    expect(await failed(opened.put('one', randomBytes(BYTES)))).toBe(true)
    expect(await failed(read(file))).toBe(true)
    await provision(provisioner, contracts)
    expect(await read({ ...file, ...(await opened.put('one', randomBytes(BYTES))) })).not.toBeNull()
  })
})
