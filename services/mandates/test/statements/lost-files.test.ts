import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { streamOfBucket, type StoredFile } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { exportLine } from '@svc/contracts/mandates/record'
import { fileReader, openFiles, provision, type Bus } from '@svc/service'
import { opened, refusalOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertWorth } from '#worth/store/worth.ts'
import { agent, owner, startSeededRig, type TestMandate } from '../rigs/seeded-rig.ts'

const STREAM = streamOfBucket('mandate-files')

const rig = opened(() => startSeededRig({}, '2026-11-18T10:00:00.000Z'))
let provisioner: Bus
let mandatesBus: Bus
let manager: JetStreamManager
beforeAll(async () => {
  provisioner = await rig.stack.nats.connect('provisioner')
  mandatesBus = await rig.stack.nats.connect('mandates')
  manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
})
afterAll(() => Promise.all([provisioner?.close(), mandatesBus?.close()]))

const bytesOf = async (file: StoredFile) =>
  Buffer.from(await new Response(await fileReader(rig.bus)(file)).arrayBuffer())
/** Content of an exported record without the time and the signature of its export. */
async function contentOf(file: StoredFile): Promise<readonly unknown[]> {
  const lines = String(await bytesOf(file))
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const read = exportLine.parse(JSON.parse(line))
    return read.type === 'head' ? { ...read, exported_at: '', head: { ...read.head, jws: '' } } : read
  })
}
const COMPLETE_WEEK = '2026-W46'
/** Every kind of file of the bucket: how it is asked for, and what must be the same of it. */
const KINDS = [
  [
    'the statement of a mandate',
    async ({ publicId }: TestMandate) => {
      const asked = { public_id: publicId, week: COMPLETE_WEEK, format: 'pdf' } as const
      const answer = await rig.as(owner(11)).readStatement(asked)
      return 'file' in answer ? answer.file : expect.fail('no file')
    },
    bytesOf,
  ],
  [
    'the statement of an owner',
    async () => {
      const answer = await rig.as(owner(11)).readOwnStatement({ week: COMPLETE_WEEK, format: 'pdf' })
      return 'file' in answer ? answer.file : expect.fail('no file')
    },
    bytesOf,
  ],
  [
    'the record of a mandate',
    async ({ publicId }: TestMandate) => (await rig.as(agent(21)).exportRecord({ public_id: publicId })).file,
    contentOf,
  ],
] as const

test.each(KINDS)(
  'a deleted bucket takes %s again after the repair, and each request gets the same content, also after its object was deleted',
  async (_, ask, content) => {
    const mandate = await rig.newMandate()
    await rig.pool.transaction((tx) =>
      insertWorth(tx, mandate.id, {
        at: '2026-11-12T10:00:00.000Z',
        worth: 490_000_000n,
        vault_worth: 490_000_000n,
        unbooked: 0n,
        positions_worth: 0n,
        leg_worth: null,
        drawn: null,
        source: 'keeper',
        block_number: 100,
        withheld_reason: null,
        positions: null,
      }),
    )
    const before = await content(await ask(mandate))
    await manager.streams.delete(STREAM)
    const refused: unknown = await ask(mandate).catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'Outage', reason: 'temporarily_unavailable' })
    await provision(provisioner, contracts)
    const file = await ask(mandate)
    expect(await content(file)).toEqual(before)
    await (await openFiles(mandatesBus, 'mandate-files')).remove(file.name)
    expect(await fileReader(rig.bus)(file)).toBeNull()
    expect(await content(await ask(mandate))).toEqual(before)
  },
)

test('a file of the bucket is never served for a mandate without a row', async () => {
  const { publicId } = await rig.newMandate()
  await rig.as(owner(11)).exportRecord({ public_id: publicId })
  const unknown = `${publicId.slice(0, -1)}${publicId.endsWith('0') ? '1' : '0'}`
  expect(await refusalOf(rig.as(owner(11)).exportRecord({ public_id: unknown }))).toMatchObject({ status: 404 })
})
