import { refusalOf } from '@svc/testing'
import { sql } from '@svc/postgres'
import { fileReader } from '@svc/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordHash, type RecordEntry } from '#record/rules/record-hash.ts'
import { agent, bodyAt, owner, ownerWallet, startLifeRig, type LifeRig } from '../rigs/life-rig.ts'

const VENUE = `0x${'4'.repeat(40)}`
let rig: LifeRig
beforeAll(async () => {
  const places = { HUB_TEST_VENUE_TARGETS: VENUE, HUB_MANDATE_FACTORY_ADDRESS: `0x${'5'.repeat(40)}` }
  rig = await startLifeRig({ environment: places })
})
afterAll(() => rig?.stop())

const WORDS: readonly (readonly [string, string])[] = [
  ['Korean', '주말 베이시스 거래'],
  ['Arabic, from right to left', 'تفويض نهاية الأسبوع'],
  ['Hebrew with Latin', 'מנדט weekend סוף'],
  ['Hindi with combining vowels', 'सप्ताहांत का आधार'],
  ['emoji above the first plane', 'Basis 🚀🇰🇷👍🏽'],
  ['emoji that are joined', 'Basis 👨‍👩‍👧 🏳️‍🌈'],
  ['Persian with non-joiners', 'سبد می‌خواهم'],
  ['combining marks', 'Ža\u0301lost \u1E69 s\u0323\u0307'],
  ['Chinese of a rare plane', '𠮷野家 週末'],
  ['characters of markup', '<b>"&amp;\' OR 1=1 --</b>'],
  ['full-width digits', '５００ ＵＳＤＣ'],
]

describe.each(WORDS)('words in %s', (_language, words) => {
  test('can name a mandate, are returned unchanged, and appear in terms and statement', async () => {
    const as = rig.as(owner(7))
    const { public_id, name } = (await as.createMandate(bodyAt(rig, { name: words, agent_id: 9 }) as never)).mandate
    expect(name).toBe(words)
    const { typed_data, terms_hash } = await as.readTerms({ public_id })
    const signature = await ownerWallet(7).signTypedData(typed_data as never)
    expect((await as.signTerms({ public_id, terms_hash, signature })).mandate).toMatchObject({ name: words })
    const statement = await as.readStatement({ public_id, format: 'pdf' })
    if (!('file' in statement)) throw new Error('the statement is not a file')
    const bus = await rig.stack.nats.connect('gateway')
    const bytes = await new Response(await fileReader(bus)(statement.file)).arrayBuffer()
    await bus.close()
    expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('do not prevent the reading of a note, and are quoted unchanged', async () => {
    const answer = await rig.as(null).draftFromNote({ note: `${words} 800 USDC ${words}` })
    expect(answer).toMatchObject({ ok: true })
    for (const { words: quoted } of answer.fields)
      if (quoted !== null) expect(`${words} 800 USDC ${words}`).toContain(quoted)
    expect(answer.fields.find(({ field }) => field === 'budget_usdc')).toMatchObject({
      source: 'note',
    })
  })
})

test.each([
  ['a line break', 'a\nb'],
  ['NUL', 'a\u0000b'],
  ['an escape', 'a\u001bb'],
  ['a reversed direction', 'a\u202Eb'],
  ['a zero-width joiner that joins nothing', 'a\u200Db'],
  ['only what is invisible', '\uFE0F\u3164'],
  ['half a character', 'a\uD83Db'],
  ['only spaces', '   '],
  ['more than 80 characters', '가'.repeat(81)],
])('a name with %s is rejected with the field, and nothing is stored', async (_what, name) => {
  const before = (await rig.as(owner(8)).listMandates({})).items.length
  const refused = await refusalOf(rig.as(owner(8)).createMandate(bodyAt(rig, { name }) as never))
  expect(refused.status).toBe(400)
  expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(['/name'])
  expect((await rig.as(owner(8)).listMandates({})).items).toHaveLength(before)
})

test.each([...WORDS.map(([, words]) => words), 'two\nlines\tand a tab', '\u001b[31m', '\u202Eturned', '👨‍👩‍👧'])(
  'the note %j of an agent is stored unchanged in the record, and the hash covers it',
  async (note) => {
    const { public_id } = (await rig.as(owner(7)).createMandate(bodyAt(rig, { agent_id: 9 }) as never)).mandate
    await told(public_id, note)
    const stored = await rig.pool.any(sql.unsafe`
      SELECT entry, hash FROM record_entry r JOIN mandate m ON m.id = r.mandate_id
      WHERE m.public_id = ${public_id} AND kind = 'event'`)
    const [row] = stored as readonly { entry: RecordEntry; hash: string }[]
    expect(row?.entry.body['note']).toBe(note)
    if (row !== undefined) expect(recordHash(row.entry)).toBe(row.hash)
  },
)

test.each([
  ['NUL', 'a\u0000b'],
  ['half a character', 'a\uD83Db'],
  ['more than 1,000 characters', '가'.repeat(1_001)],
])('a note with %s is rejected with the field', async (_what, note) => {
  const { public_id } = (await rig.as(owner(7)).createMandate(bodyAt(rig, { agent_id: 9 }) as never)).mandate
  const refused = await refusalOf(told(public_id, note))
  expect(refused).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(['/note'])
})

/** Reports a note of the agent, after a vault row is inserted, because reports require a vault. */
async function told(public_id: string, note: string): Promise<unknown> {
  const { typed_data, terms_hash } = await rig.as(owner(7)).readTerms({ public_id })
  const signature = await ownerWallet(7).signTypedData(typed_data as never)
  await rig.as(owner(7)).signTerms({ public_id, terms_hash, signature })
  await rig.pool.query(sql.unsafe`
    INSERT INTO vault (mandate_id, chain_id, address, factory, version, creation_tx, agent, attached_at)
    SELECT id, 31337, public_id, '0x5', 1, '0x1', agent_wallet, now() FROM mandate WHERE public_id = ${public_id}`)
  const occurred_at = rig.clock.now().toISOString()
  return rig.as(agent(9)).reportEvent({ public_id, kind: 'note', note, occurred_at })
}
