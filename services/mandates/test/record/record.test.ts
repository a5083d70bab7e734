import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { prepare } from '@svc/chain'
import type { Caller } from '@svc/contract'
import { sql } from '@svc/postgres'
import { fileReader } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSteps } from '#record/store/record-steps.ts'
import { recordHash, type RecordEntry } from '#record/rules/record-hash.ts'
import { lockRecordHead } from '#record/store/record.ts'
import { connectLeg, filled, legLimits, open } from '../leg/leg-calls.ts'
import { agent, buyCall, owner, startSeededRig, txHash, VENUE, type TestMandate } from '../rigs/seeded-rig.ts'
import { EXPORT_ENTRIES_MAX } from '@svc/contracts/mandates/record'

let folder: string
const rig = opened(() => startSeededRig())
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'record-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const read = (mandate: TestMandate, since?: string, who = owner(11)) =>
  rig.as(who).readRecord({ public_id: mandate.publicId, ...(since === undefined ? {} : { since }) })
const note = (mandate: TestMandate, input: object = {}) =>
  rig.as(agent(21)).reportEvent({
    public_id: mandate.publicId,
    kind: 'note',
    occurred_at: rig.clock.now().toISOString(),
    ...input,
  })
const hold = (mandate: TestMandate, n: number) =>
  rig.as(agent(21)).prepareExecution({
    public_id: mandate.publicId,
    target: VENUE,
    data: buyCall(n),
    approve_amount_usdc: '45',
  })

/** Appends entries as `appendEntry` does, in one statement. */
async function appendMany({ id, publicId }: TestMandate, many: number): Promise<void> {
  await rig.pool.transaction(async (tx) => {
    let { seq, hash } = await lockRecordHead(tx, id)
    const at = rig.clock.now().toISOString()
    const rows = Array.from({ length: many }, () => {
      const body = { kind: 'note', note: 'one of many', counted: false }
      const entry: RecordEntry = {
        version: 1,
        mandate: publicId,
        seq: ++seq,
        at,
        kind: 'event',
        source: 'agent',
        tx_hash: null,
        body,
        previous: hash,
      }
      hash = recordHash(entry)
      return [seq, JSON.stringify(entry), hash]
    })
    await tx.query(sql.unsafe`
      INSERT INTO record_entry (mandate_id, seq, at, kind, source, entry, hash)
      SELECT ${id}, seq, ${at}, 'event', 'agent', entry::jsonb, hash
      FROM ${sql.unnest(rows, ['int8', 'text', 'text'])} AS told (seq, entry, hash)`)
    await tx.query(
      sql.unsafe`UPDATE mandate SET record_seq = ${seq}, record_hash = ${hash}, record_at = ${at} WHERE id = ${id}`,
    )
  })
}

describe('the calldata of a call', () => {
  const bodies = async (mandate: TestMandate, kind: string) =>
    (await read(mandate)).steps.filter((step) => step.kind === kind).map(({ body }) => body)

  test('is in the record of an execution that its transaction shows, and absent where it does not', async () => {
    const mandate = await rig.newMandate()
    const [direct, wrapped] = [txHash(), txHash()]
    const executed = { vault: mandate.vault, amount: 1_000_000n, at: rig.clock.now() }
    await rig.tell({ ...executed, tx: direct, data: buyCall(7), block: 130 })
    await eventually(async () => expect(await bodies(mandate, 'chain_fact')).toHaveLength(1))
    await rig.tell({ ...executed, tx: wrapped, data: buyCall(8), input: '0xabcdef01', block: 131 })
    await eventually(async () => expect(await bodies(mandate, 'chain_fact')).toHaveLength(2))
    const [first, second] = await bodies(mandate, 'chain_fact')
    expect(first).toMatchObject({ name: 'Executed', data: buyCall(7) })
    expect(second).toMatchObject({ name: 'Executed' })
    expect(second).not.toHaveProperty('data')
  })

  test('is in the record of a held call, of its decision, and of a refusal by the guard', async () => {
    const mandate = await rig.newMandate()
    const held = await hold(mandate, 9)
    if (!('approval' in held)) throw new Error('the call was not held')
    const { approval_id } = held.approval
    await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
    expect(await bodies(mandate, 'approval_requested')).toMatchObject([{ data: buyCall(9) }])
    expect(await bodies(mandate, 'approval_approved')).toMatchObject([{ data: buyCall(9) }])
    const tooMuch = (data: string) =>
      rig
        .as(agent(21))
        .prepareExecution({ public_id: mandate.publicId, target: VENUE, data, approve_amount_usdc: '51' })
    await expect(tooMuch(buyCall(10))).rejects.toThrow()
    expect(await bodies(mandate, 'refused')).toMatchObject([{ kind: 'OverPerTxCap', data: buyCall(10) }])
    // Bytes that no market lists do not fill the record.
    await expect(tooMuch(`${buyCall(11)}${'00'.repeat(600)}`)).rejects.toThrow()
    expect((await bodies(mandate, 'refused'))[1]).not.toHaveProperty('data')
  })

  test('is in the record of an attempt that the vault refused, where its transaction shows it', async () => {
    const mandate = await rig.newMandate()
    const tx = txHash()
    const { data: input } = prepare(31_337)
      .vault(mandate.vault)
      .execute({ target: VENUE, data: buyCall(12), approveAmount: 60_000_000n })
    rig.world.transactions.set(tx, { state: 'mined', to: mandate.vault, input, status: 'reverted' })
    await rig.tellReverted({ vault: mandate.vault, tx_hash: tx })
    await eventually(async () => expect(await bodies(mandate, 'refused')).toMatchObject([{ data: buyCall(12) }]))
  })
})

describe('the polling read', () => {
  test('answers what is new with a cursor, late rows again, and nothing once nothing is new', async () => {
    const mandate = await rig.newMandate()
    await note(mandate)
    await note(mandate)
    const first = await read(mandate)
    expect(first.steps.map(({ id }) => id)).toEqual(['entry:1', 'entry:2'])
    expect(first).toMatchObject({ next_since: '2', more: false })
    expect((await read(mandate, '2')).steps.map(({ id }) => id)).toEqual(['entry:1', 'entry:2'])
    rig.clock.advance(121_000)
    expect(await read(mandate, '2')).toEqual({ public_id: mandate.publicId, steps: [], next_since: '2', more: false })
    await note(mandate)
    expect((await read(mandate, '2')).steps.map(({ id }) => id)).toEqual(['entry:3'])
  })

  test('answers whole groups: an entry of a transaction or of a held call brings all the others of it', async () => {
    const mandate = await rig.newMandate()
    const tx = txHash()
    const held = await hold(mandate, 1)
    await rig.tell({ vault: mandate.vault, tx, amount: 10_000_000n, at: rig.clock.now() })
    await eventually(async () => (await read(mandate)).steps.some(({ kind }) => kind === 'chain_fact'))
    const { next_since } = await read(mandate)
    rig.clock.advance(200_000)
    await note(mandate, { tx_hash: tx, note: 'the basis was wide' })
    const after = await read(mandate, next_since)
    expect(after.steps.map(({ group, kind }) => [group, kind])).toEqual([
      [`tx:${tx}`, 'chain_fact'],
      [`tx:${tx}`, 'event'],
      ['proved', 'proved'],
    ])
    if (!('approval' in held)) throw new Error('the call was not held')
    const { approval_id } = held.approval
    await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
    rig.clock.advance(200_000)
    const decided = await read(mandate, after.next_since)
    expect(decided.steps.filter(({ group }) => group === `approval:${approval_id}`).map(({ kind }) => kind)).toEqual([
      'approval_requested',
      'approval_approved',
    ])
  })

  test('says how far the chain has proved the record', async () => {
    const mandate = await rig.newMandate()
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 1_000_000n, at: rig.clock.now(), block: 123 })
    await eventually(async () => (await read(mandate)).steps.some(({ id }) => id === 'proved'))
    const proved = (await read(mandate)).steps.at(-1)
    expect(proved).toMatchObject({ group: 'proved', source: 'chain', body: { block_number: 123, name: 'Executed' } })

    const [moved, at] = [txHash(), rig.clock.now()]
    const executed = { vault: mandate.vault, tx: moved, amount: 1_000_000n, at, block: 124 }
    const provedBlock = async () => (await read(mandate)).steps.at(-1)?.body['block_number']
    await rig.tell(executed)
    await eventually(async () => expect(await provedBlock()).toBe(124))
    await rig.tell({ ...executed, revision: 2, canonical: false })
    await eventually(async () => expect(await provedBlock()).toBe(123))
    await rig.tell({ ...executed, revision: 3, block: 125 })
    await eventually(async () => expect(await provedBlock()).toBe(125))
  })

  test('gives each group whole, however many new entries belong to old transactions', async () => {
    const mandate = await rig.newMandate()
    // 400 transactions of 6 entries each are more than one answer holds; their last entries are what is new.
    const count = 400 * 6
    await rig.pool.query(sql.unsafe`
      INSERT INTO record_entry (mandate_id, seq, at, kind, source, tx_hash, entry, hash)
      SELECT ${mandate.id}, n, ${rig.clock.now().toISOString()}, 'event', 'agent', '0x' || lpad((n % 400)::text, 64, '0'),
        '{"body": {}}', lpad(n::text, 64, '0') FROM generate_series(1, ${count}) AS n`)
    await rig.pool.query(sql.unsafe`
      UPDATE mandate SET record_seq = ${count}, record_at = ${rig.clock.now().toISOString()} WHERE id = ${mandate.id}`)
    rig.clock.advance(200_000)
    const seen = new Set<number>()
    let since = '2000'
    for (let reads = 0; since !== String(count); reads += 1) {
      expect(reads).toBeLessThan(3)
      const { steps, next_since, more } = await read(mandate, since)
      for (const group of Map.groupBy(steps, (step) => step.group).values()) expect(group).toHaveLength(6)
      for (const { seq } of steps) seen.add(seq)
      expect(more).toBe(next_since !== String(count))
      since = next_since
    }
    expect([...seen].filter((seq) => seq > 2000)).toHaveLength(400)
  })

  test('reads a bounded number of entries, also where a page belongs to long groups, and leaves no group cut', async () => {
    const mandate = await rig.newMandate()
    // 50 transactions of 400 entries each, the newest of which are one page.
    const count = 50 * 400
    await rig.pool.query(sql.unsafe`
      INSERT INTO record_entry (mandate_id, seq, at, kind, source, tx_hash, entry, hash)
      SELECT ${mandate.id}, n, ${rig.clock.now().toISOString()}, 'event', 'agent', '0x' || lpad((n % 50)::text, 64, '0'),
        '{"body": {}}', lpad(n::text, 64, '0') FROM generate_series(1, ${count}) AS n`)
    await rig.pool.query(sql.unsafe`
      UPDATE mandate SET record_seq = ${count}, record_at = ${rig.clock.now().toISOString()} WHERE id = ${mandate.id}`)
    const [now, since, lateFrom] = [rig.clock.now(), count - 50, new Date(rig.clock.now().getTime() + 1_000)]
    const bounds = { upTo: count, lateMax: 500, groupMax: 1_000, groupedMax: 2_000 }
    const found = await readSteps(rig.pool, mandate.publicId, { ownerId: 11 }, { now, since, lateFrom, ...bounds })
    expect(found?.steps).toHaveLength(2_000)
    rig.clock.advance(200_000)
    const seen = new Set<string>()
    for (let next = String(since), reads = 0; next !== String(count); reads += 1) {
      expect(reads).toBeLessThan(25)
      const { steps, next_since } = await read(mandate, next)
      for (const [group, members] of Map.groupBy(steps, (step) => step.group)) {
        expect(members).toHaveLength(400)
        seen.add(group)
      }
      next = next_since
    }
    expect(seen.size).toBe(50)
  })

  test('is answered whatever the agent writes into a thousand notes of one transaction', async () => {
    const mandate = await rig.newMandate()
    const tx = txHash()
    await note(mandate, { tx_hash: tx, note: '\u0001'.repeat(1000) })
    await rig.pool.query(sql.unsafe`
      INSERT INTO record_entry (mandate_id, seq, at, kind, source, tx_hash, entry, hash)
      SELECT mandate_id, n, at, kind, source, tx_hash, entry, hash FROM record_entry, generate_series(2, 2000) AS n
      WHERE mandate_id = ${mandate.id} AND seq = 1`)
    await rig.pool.query(sql.unsafe`UPDATE mandate SET record_seq = 2000 WHERE id = ${mandate.id}`)
    const { steps } = await read(mandate)
    expect(steps).toHaveLength(1_000)
    expect(steps.at(-1)).toMatchObject({ seq: 2_000, body: { note: '\u0001'.repeat(1000) } })
  })

  test('pages through a long record without losing or repeating an entry', async () => {
    const mandate = await rig.newMandate()
    for (let sent = 0; sent < 620; sent += 31) await Promise.all(Array.from({ length: 31 }, () => note(mandate)))
    rig.clock.advance(200_000)
    const one = await read(mandate)
    const other = await read(mandate, one.next_since)
    expect([one.more, other.more]).toEqual([true, false])
    const seen = [...one.steps, ...other.steps].map(({ seq }) => seq)
    expect(seen).toEqual(Array.from({ length: 620 }, (_, at) => at + 1))
  })

  test('is for the owner and the agent of the mandate', async () => {
    const mandate = await rig.newMandate()
    expect((await read(mandate, '0', agent(21))).steps).toEqual([])
    expect(await refusalOf(read(mandate, '0', owner(12)))).toMatchObject({ code: 'unknown_mandate' })
    expect(await refusalOf(read(mandate, '-1'))).toMatchObject({ code: 'invalid_request' })
    // A cursor of another record would wait for ever.
    expect(await refusalOf(read(mandate, '1'))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/query/since', code: 'invalid_cursor' }],
    })
    expect(await refusalOf(rig.as(agent(22)).readLive({ public_id: mandate.publicId }))).toMatchObject({
      code: 'unknown_mandate',
    })
    expect(await refusalOf(rig.as(agent(22)).exportRecord({ public_id: mandate.publicId }))).toMatchObject({
      code: 'unknown_mandate',
    })
  })
})

test('the live read shows usage, held calls, refusals and, to the owner, when the agent was seen', async () => {
  const mandate = await rig.newMandate()
  await hold(mandate, 1)
  await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 30_000_000n, at: rig.clock.now() })
  await refusalOf(
    rig.as(agent(21)).prepareExecution({
      public_id: mandate.publicId,
      target: VENUE,
      data: buyCall(2),
      approve_amount_usdc: '51',
    }),
  )
  const live = await eventually(async () => {
    const answer = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
    if (answer.usage?.used_usdc !== '30') throw new Error('the chain fact is not applied yet')
    return answer
  })
  expect(live).toMatchObject({
    state: 'working',
    usage: { used_usdc: '30', held_usdc: '45', left_usdc: '75' },
    refusals_7d: { total: 1, by_kind: { OverPerTxCap: 1 } },
    worth: null,
    agent: { channel: 'http' },
  })
  expect(live.approvals_waiting).toHaveLength(1)
  expect((await rig.as(agent(21)).readLive({ public_id: mandate.publicId })).agent).toBeNull()
  const detail = await rig.as(owner(11)).readMandate({ public_id: mandate.publicId })
  expect(detail.usage).toEqual(live.usage)
  expect(detail.refusals_7d).toEqual(live.refusals_7d)
})

describe('an exported record', () => {
  const exported = async (mandate: TestMandate, since = '0') => {
    const { file } = await rig.as(owner(11)).exportRecord({ public_id: mandate.publicId, since })
    const stream = await fileReader(rig.bus)(file)
    const path = join(folder, file.filename)
    await writeFile(path, Buffer.from(await new Response(stream).arrayBuffer()))
    return path
  }
  test('is whole for its reader also when the other party has made a longer one meanwhile', async () => {
    const mandate = await rig.newMandate()
    const of = async (who: Caller) => (await rig.as(who).exportRecord({ public_id: mandate.publicId })).file
    const first = await of(owner(11))
    await hold(mandate, 1)
    const second = await of(agent(21))
    expect(second.bytes).toBeGreaterThan(first.bytes)
    const bytes = Buffer.from(await new Response(await fileReader(rig.bus)(first)).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(first.sha256)
  })

  const tool = fileURLToPath(new URL('../../../../tools/verify-record/main.ts', import.meta.url))
  const verify = async (...paths: readonly string[]): Promise<{ code: number; output: string }> => {
    const jwks = join(folder, 'jwks.json')
    await writeFile(jwks, JSON.stringify(rig.jwks))
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [tool, ...paths, '--jwks', jwks])
      return { code: 0, output: stdout }
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string }
      return { code, output: stdout }
    }
  }

  test('verifies, and does not once an entry is changed', async () => {
    const mandate = await rig.newMandate()
    await note(mandate, { note: 'čau \u{1f600}' })
    await hold(mandate, 1)
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 5_000_000n, at: rig.clock.now() })
    await eventually(async () => (await read(mandate)).steps.some(({ kind }) => kind === 'chain_fact'))
    const path = await exported(mandate)
    expect(await verify(path)).toMatchObject({ code: 0, output: expect.stringContaining('3 entries') })

    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const [head = '', one = '', two = '', three = ''] = lines
    const badPath = join(folder, 'bad.ndjson')
    await writeFile(badPath, `${[head, one.replace('"note":"', '"note":"not '), two, three].join('\n')}\n`)
    expect(await verify(badPath)).toMatchObject({ code: 1, output: expect.stringContaining('entry 1 was changed') })
  })

  test('of a mandate with a leg verifies, and each forged entry of the leg is named', async () => {
    const mandate = await rig.newMandate({ limits: { ...legLimits, stopLine: 400_000_000n } })
    const { leg, close } = await connectLeg(rig)
    await leg.judgeLegOrder(open(mandate, '1', '30'))
    await leg.resolveLegOrder(filled(mandate, '1', '29.5'))
    await leg.judgeLegOrder(open(mandate, '2', '45'))
    await leg.resolveLegOrder(filled(mandate, '3', '29', { opening: false, side: 'sell', as: 'owner' }))
    await leg.stopForLine({
      public_id: mandate.publicId,
      worth_usdc: '399.5',
      stop_line_usdc: '400',
      read_at: '2026-11-21T10:00:00.000Z',
      closed: [{ market: 'hl:BTC', side: 'sell', size: '0.01', average_price: '29500.5' }],
    })
    await close()
    const path = await exported(mandate)
    const [head = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const entries = lines.map((line) => (JSON.parse(line) as { entry: RecordEntry }).entry)
    expect(entries.map(({ kind }) => kind)).toEqual([
      'leg_order',
      'approval_requested',
      'leg_order',
      'leg_stop_line',
      'state_changed',
      'approval_expired',
    ])
    expect(await verify(path)).toMatchObject({ code: 0, output: expect.stringContaining('6 entries') })

    const forged = join(folder, 'forged.ndjson')
    const verdictOn = async (...forgery: readonly string[]) => {
      await writeFile(forged, `${forgery.join('\n')}\n`)
      return verify(forged)
    }
    for (const [at, said, instead] of [
      [0, '"amount_usdc":"29.5"', '"amount_usdc":"2.95"'],
      [2, '"side":"sell"', '"side":"buy"'],
      [3, '"399.5"', '"499.5"'],
    ] as const) {
      expect(lines[at]).toContain(said)
      const changed = lines.with(at, (lines[at] ?? '').replace(said, instead))
      expect(await verdictOn(head, ...changed)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`entry ${at + 1} was changed`),
      })
      expect(await verdictOn(head, ...lines.toSpliced(at, 1))).toMatchObject({
        code: 1,
        output: expect.stringContaining(`entry ${at + 1} is missing`),
      })
    }
    // Whoever computes every hash anew has no signature over the last one.
    const anew: string[] = []
    let previous = ''
    for (const entry of entries) {
      const told = { ...entry, body: { ...entry.body, ...(entry.seq === 1 ? { amount_usdc: '2.95' } : {}) }, previous }
      previous = recordHash(told)
      anew.push(JSON.stringify({ type: 'entry', hash: previous, entry: told }))
    }
    const newHead = head.replace(/"hash":"[0-9a-f]{64}"/, `"hash":"${previous}"`)
    expect(await verdictOn(newHead, ...anew)).toMatchObject({
      code: 1,
      output: expect.stringContaining('the signature is over another head'),
    })
  })

  test('of many entries comes in several files, which verify together', async () => {
    const mandate = await rig.newMandate()
    await note(mandate)
    await appendMany(mandate, EXPORT_ENTRIES_MAX)
    const first = await exported(mandate)
    const sinceOf = async (path: string) => {
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
      return { entries: lines.length - 1, since: String(JSON.parse(lines.at(-1) ?? '').entry.seq) }
    }
    const { entries, since } = await sinceOf(first)
    expect({ entries, since }).toEqual({ entries: EXPORT_ENTRIES_MAX, since: String(EXPORT_ENTRIES_MAX) })
    // What comes meanwhile is in the last file.
    await note(mandate)
    const second = await exported(mandate, since)
    expect(await sinceOf(second)).toEqual({ entries: 2, since: String(EXPORT_ENTRIES_MAX + 2) })
    expect(await verify(first, second)).toMatchObject({
      code: 0,
      output: expect.stringContaining(
        `${EXPORT_ENTRIES_MAX + 2} entries, each follows from the one before\nsignature of the head: good`,
      ),
    })
    expect(await verify(first)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`downloaded on with ?since=${EXPORT_ENTRIES_MAX}`),
    })
    expect(await refusalOf(exported(mandate, String(EXPORT_ENTRIES_MAX + 3)))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/since', code: 'invalid_cursor' }],
    })
  })

  test('of a mandate without entries is empty and unsigned', async () => {
    const mandate = await rig.newMandate()
    const path = await exported(mandate)
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ type: 'head', head: { seq: 0, jws: null } })
    expect(await verify(path)).toMatchObject({ code: 2, output: expect.stringContaining('carries no signature') })
  })
})
