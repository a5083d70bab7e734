import { randomUUID } from 'node:crypto'
import { contract, event, type Contract } from '@svc/contract'
import { emit, emitAll, openPool, sql, type Pool, type Tx } from '@svc/postgres'
import {
  callRaw,
  clientOf,
  metricsText,
  openLog,
  permissionsOf,
  provision,
  type Bus,
  type RunningService,
} from '@svc/service'
import { changesNothing, eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { encodeFrame } from '../src/frame.ts'
import { agent, alpha, contracts, IDEMPOTENCY_TTL_SEC, PATIENT, prepare, startAlpha, startBeta } from './fixture.ts'

let service: RunningService
let edge: Bus
let betaBus: Bus
let alphaDb: Pool
let betaDb: Pool

const stack = opened(() => prepare())
beforeAll(async () => {
  service = await startAlpha(stack)
  edge = await stack.nats.connect('gateway')
  betaBus = await stack.nats.connect('beta')
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  betaDb = await openPool(stack.databaseOf('beta').url)
})
afterAll(async () => {
  await Promise.all([edge.close(), betaBus.close(), service.stop(), alphaDb.end(), betaDb.end()])
})

const make = async (input: object, key?: string, account = agent) => {
  const reply = await callRaw(edge, 'gateway', alpha.operations.makeThing, JSON.stringify(input), {
    id: randomUUID(),
    by: Date.now() + 5_000,
    caller: account,
    ...(key === undefined ? {} : { key }),
  })
  return { ...reply.head, body: JSON.parse(reply.body.toString()) as Record<string, unknown> }
}
const count = (pool: Pool, name: string) =>
  pool.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM thing WHERE name = ${name}`)

test('the log entry of a database error contains no values and no rows', async () => {
  const lines: string[] = []
  const log = openLog('alpha', 'info', { write: (line) => lines.push(line) })
  const secret = 'only-the-owner-may-read-this'
  const failing = [
    sql.type(z.object({ name: z.number() }))`SELECT ${secret}::text AS name`,
    sql.unsafe`INSERT INTO thing (id, name) OVERRIDING SYSTEM VALUE VALUES (${Number.MAX_SAFE_INTEGER}, ${secret}), (${Number.MAX_SAFE_INTEGER}, ${secret})`,
    sql.unsafe`INSERT INTO thing (id, name) OVERRIDING SYSTEM VALUE VALUES (NULL, ${secret})`,
  ]
  for (const query of failing) log.error({ err: await alphaDb.any(query).catch((error: unknown) => error) }, 'failed')
  expect(
    lines.map((line) => z.object({ err: z.object({ type: z.string() }) }).parse(JSON.parse(line)).err.type),
  ).toEqual([
    'SchemaValidationError',
    'UniqueIntegrityConstraintViolationError',
    'NotNullIntegrityConstraintViolationError',
  ])
  expect(lines.join('')).not.toContain(secret)
  expect(lines[1]).toContain('thing_pkey')
})

test('a dry run answers and refuses as the call would, and leaves no row, no event and no claim of its key', async () => {
  const pay = async (input: object, key: string) => {
    const head = { id: randomUUID(), by: Date.now() + 5_000, caller: agent, key }
    const reply = await callRaw(edge, 'gateway', alpha.operations.payThing, JSON.stringify(input), head)
    return { ...reply.head, body: JSON.parse(reply.body.toString()) as Record<string, unknown> }
  }
  const { superuserUrl } = stack.databaseOf('alpha')
  await changesNothing(superuserUrl, async () => {
    const dry = { name: 'rehearsed', dry_run: true }
    expect(await pay(dry, 'pay-1')).toMatchObject({ s: 201, dry: true, body: { is_dry: true } })
    expect(await pay({ ...dry, name: 'gone' }, 'pay-1')).toMatchObject({ s: 409, body: { code: 'name_taken' } })
  })
  const paid = await pay({ name: 'rehearsed' }, 'pay-1')
  expect(paid).toMatchObject({ s: 201, body: { is_dry: false } })
  expect(paid).not.toHaveProperty('dry')
  expect(await pay({ name: 'rehearsed' }, 'pay-1')).toMatchObject({ s: 201, replayed: true, body: paid.body })
})

describe('calls', () => {
  test('a declared refusal, an outage and a bug get different answers, and the answer to a bug shows no internals', async () => {
    expect(await make({ name: 'a', fail: 'refuse' })).toMatchObject({ s: 409, body: { code: 'name_taken' } })
    expect(await make({ name: 'a', fail: 'outage' })).toMatchObject({ s: 503, retry: 1 })
    const bug = await make({ name: 'a', fail: 'throw' })
    expect(bug).toMatchObject({ s: 500, body: { code: 'internal' } })
    expect(JSON.stringify(bug)).not.toContain('secret of the inside')
  })

  test('an answer above the NATS message size fails its own call only; concurrent calls are answered', async () => {
    const calls = Array.from({ length: 6 }, (_, at) =>
      make({ name: `beside ${at}`, ...(at === 3 && { fail: 'too-large' }) }),
    )
    const answers = await Promise.all(calls)
    expect(answers.map(({ s }) => s)).toEqual([201, 201, 201, 500, 201, 201])
    expect(answers[3]?.body['code']).toBe('internal')
  })

  test('a refusal with an end time says in how many seconds to retry', async () => {
    const { retry, body } = await make({ name: 'a', fail: 'refuse-for-a-while' })
    expect(retry).toBeGreaterThan(80)
    expect(retry).toBeLessThanOrEqual(91)
    expect(typeof body['retry_at']).toBe('string')
    expect((await make({ name: 'a', fail: 'refuse' })).retry).toBeUndefined()
  })

  test('an invalid input is rejected with the name of the member', async () => {
    expect(await make({ name: '', extra: 1 })).toMatchObject({
      s: 400,
      body: { errors: [{ pointer: '/name' }, { pointer: '/extra', code: 'unknown_field' }] },
    })
  })

  test('work whose deadline has passed is not started', async () => {
    const name = randomUUID()
    const late = await callRaw(edge, 'gateway', alpha.operations.makeThing, JSON.stringify({ name }), {
      id: 'x',
      by: Date.now() - 1,
      caller: agent,
    }).catch(() => null)
    expect(late === null || late.head.s === 503).toBe(true)
    expect(await count(alphaDb, name)).toBe(0)
  })

  test('a service may call only operations that list it as a caller, and each other call is refused by NATS and counted', async () => {
    const refusedOf = async (service: string) => {
      const line = (await metricsText())
        .split('\n')
        .find(
          (one) =>
            one.startsWith('hub_bus_problems_total{') && one.includes(`"${service}"`) && one.includes('"permission"'),
        )
      return Number(line?.split(' ')[1])
    }
    const before = await refusedOf('beta')
    const asked = clientOf(betaBus, 'beta', alpha)
    expect((await asked.countThings({})).count).toBeGreaterThanOrEqual(0)
    // Beta has no right to publish on these subjects, whatever name it puts into them.
    await expect(
      callRaw(betaBus, 'beta', alpha.operations.makeThing, '{"name":"x"}', {
        id: 'x',
        by: Date.now() + 400,
        caller: agent,
      }),
    ).rejects.toThrow()
    await expect(
      callRaw(betaBus, 'gateway', alpha.operations.makeThing, '{"name":"x"}', {
        id: 'x',
        by: Date.now() + 400,
        caller: agent,
      }),
    ).rejects.toThrow()
    await expect(
      callRaw(edge, 'gateway', alpha.operations.countThings, '{}', { id: 'x', by: Date.now() + 400 }),
    ).rejects.toThrow()
    await eventually(async () => expect(await refusedOf('beta')).toBe(before + 2))
  })

  test('a reply is never published to an event subject that the sender of the request may not use', async () => {
    const provisioner = await stack.nats.connect('provisioner')
    const stored = async () => {
      const { data } = await provisioner.connection.request('$JS.API.STREAM.INFO.EVT_ALPHA', '', PATIENT)
      const { state } = z
        .object({ state: z.object({ last_seq: z.number() }) })
        .parse(JSON.parse(String(Buffer.from(data))))
      return state.last_seq
    }
    const before = await stored()
    const frame = encodeFrame({ id: 'x', ms: 5_000 }, '{}')
    betaBus.connection.publish('rpc.alpha.beta.countThings', frame, { reply: 'evt.alpha.thingMade' })
    // The answers of alpha leave in the order of the requests.
    await clientOf(betaBus, 'beta', alpha).countThings({})
    await clientOf(betaBus, 'beta', alpha).countThings({})
    expect(await stored()).toBe(before)
    // Nor by JetStream, with what the sender put into a bucket of its own.
    const [file, bucket] = ['$O.beta-files.C.forged', 'OBJ_beta-files']
    const forged = JSON.stringify({ id: randomUUID(), seq: 1, at: new Date().toISOString(), payload: { id: 1 } })
    betaBus.connection.publish(file, forged)
    betaBus.connection.publish(`$JS.API.DIRECT.GET.${bucket}.${file}`, '', { reply: 'evt.alpha.thingMade' })
    const consumer = { deliver_subject: 'evt.alpha.thingMade', ack_policy: 'none', filter_subject: file }
    const config = { ...consumer, name: 'forger', inactive_threshold: 60_000_000_000 }
    betaBus.connection.publish(
      `$JS.API.CONSUMER.CREATE.${bucket}.forger.${file}`,
      JSON.stringify({ stream_name: bucket, config }),
    )
    await clientOf(betaBus, 'beta', alpha).countThings({})
    expect(await stored()).toBe(before)
    await provisioner.close()
  })

  test('files of a bucket expire after the time in its contract, also in a bucket that exists already', async () => {
    const provisioner = await stack.nats.connect('provisioner')
    const keeps = async (seconds: { filesKeptSec?: number }) => {
      const gamma = contract('gamma', { title: 'Files', operations: {}, buckets: ['gamma-files'], ...seconds })
      await provision(provisioner, [gamma as unknown as Contract])
      const { data } = await provisioner.connection.request('$JS.API.STREAM.INFO.OBJ_gamma-files', '', PATIENT)
      const info = z.object({ config: z.object({ max_age: z.number(), max_bytes: z.number() }) })
      return info.parse(JSON.parse(String(Buffer.from(data)))).config
    }
    const { max_bytes } = await keeps({})
    expect(await keeps({ filesKeptSec: 3_600 })).toEqual({ max_age: 3_600e9, max_bytes })
    expect(max_bytes).toBeGreaterThan(0)
    await provisioner.close()
  })

  test('permissions cover every call and event between the contracts and nothing else', () => {
    const user = permissionsOf(contracts).find(({ name }) => name === 'beta')
    expect({ ...user, imports: new Set(user?.imports) }).toEqual({
      name: 'beta',
      account: 'beta',
      publish: [
        'rpc.alpha.beta.countThings',
        'STREAMS.STREAM.INFO.OBJ_beta-files',
        'STREAMS.STREAM.MSG.GET.OBJ_beta-files',
        '$O.beta-files.>',
        'STREAMS.STREAM.PURGE.OBJ_beta-files',
        'STREAMS.CONSUMER.INFO.EVT_ALPHA.beta--thingMade',
        'STREAMS.CONSUMER.MSG.NEXT.EVT_ALPHA.beta--thingMade',
        '$JS.ACK.EVT_ALPHA.beta--thingMade.>',
      ],
      imports: new Set([
        { kind: 'service', from: 'alpha', subject: 'rpc.alpha.beta.countThings' },
        ...[
          'STREAM.INFO.OBJ_beta-files',
          'STREAM.MSG.GET.OBJ_beta-files',
          'STREAM.PURGE.OBJ_beta-files',
          'CONSUMER.INFO.EVT_ALPHA.beta--thingMade',
        ].map((end) => ({ kind: 'service', from: null, subject: `$JS.API.${end}`, to: `STREAMS.${end}` })),
        {
          kind: 'service',
          from: null,
          subject: '$JS.API.CONSUMER.MSG.NEXT.EVT_ALPHA.beta--thingMade',
          to: 'STREAMS.CONSUMER.MSG.NEXT.EVT_ALPHA.beta--thingMade',
          manyAnswers: true,
        },
        { kind: 'service', from: null, subject: '$O.beta-files.>' },
        { kind: 'service', from: null, subject: '$JS.ACK.EVT_ALPHA.beta--thingMade.>' },
      ]),
      subscribe: ['_INBOX_beta.>', '_EVENTS_beta.>', 'rpc.beta.> beta'],
      allowResponses: false,
    })
  })

  test('a service that stops answers every request in progress', async () => {
    const second = await startAlpha(stack)
    const asked = Array.from({ length: 40 }, () =>
      callRaw(edge, 'gateway', alpha.operations.wait, '{"ms":120}', { id: 'x', by: Date.now() + 5_000 }),
    )
    await new Promise((resolve) => setTimeout(resolve, 30))
    await second.stop()
    const replies = await Promise.all(asked)
    expect(replies.every((reply) => reply.head.s === 200)).toBe(true)
  })
})

describe('idempotency', () => {
  test('50 concurrent calls with one key have one effect, and each gets the answer or a refusal to retry later', async () => {
    const name = randomUUID()
    const replies = await Promise.all(Array.from({ length: 50 }, () => make({ name }, 'key-1')))
    expect(await count(alphaDb, name)).toBe(1)
    expect(
      replies.every((reply) => reply.s === 201 || (reply.s === 409 && reply.body['code'] === 'idempotency_in_flight')),
    ).toBe(true)
    const again = await make({ name }, 'key-1')
    expect(again).toMatchObject({ s: 201, replayed: true })
  })

  test('a repeated call returns the bytes of the first answer', async () => {
    const input = JSON.stringify({ name: randomUUID() })
    const ask = () =>
      callRaw(edge, 'gateway', alpha.operations.makeThing, input, {
        id: 'x',
        by: Date.now() + 5_000,
        caller: agent,
        key: 'key-bytes',
      })
    const first = await ask()
    const second = await ask()
    expect(second.head).toEqual({ s: 201, replayed: true })
    expect(second.body.toString()).toBe(first.body.toString())
  })

  test('the same key with another body is rejected; keys of different accounts are independent', async () => {
    const name = randomUUID()
    await make({ name }, 'key-2')
    expect(await make({ name: `${name}x` }, 'key-2')).toMatchObject({ s: 422, body: { code: 'idempotency_mismatch' } })
    expect(await make({ name }, 'key-2', { ...agent, account_id: 8 })).toMatchObject({ s: 201 })
  })

  test('a refused call changes nothing and releases its key', async () => {
    const name = randomUUID()
    expect(await make({ name, fail: 'late-refuse' }, 'key-3')).toMatchObject({ s: 409, body: { code: 'name_taken' } })
    expect(await count(alphaDb, name)).toBe(0)
    expect(await make({ name }, 'key-3')).toMatchObject({ s: 201 })
  })

  test('an unfinished claim is taken over after its time, and the earlier attempt is fenced off', async () => {
    const superuser = await openPool(stack.databaseOf('alpha').superuserUrl)
    const name = randomUUID()
    await make({ name }, 'key-4')
    const inFlightFor = (seconds: number) =>
      superuser.query(
        sql.unsafe`UPDATE alpha.idempotency SET state = 'in_flight', claimed_at = now() - ${`${seconds} seconds`}::interval WHERE key = 'key-4'`,
      )
    await inFlightFor(IDEMPOTENCY_TTL_SEC - 30)
    expect(await make({ name }, 'key-4')).toMatchObject({ s: 409, body: { code: 'idempotency_in_flight' } })
    await inFlightFor(IDEMPOTENCY_TTL_SEC + 1)
    expect(await make({ name }, 'key-4')).toMatchObject({ s: 201 })
    const row = await superuser.one(
      sql.type(
        z.object({ attempt: z.number(), state: z.string() }),
      )`SELECT attempt, state FROM alpha.idempotency WHERE key = 'key-4'`,
    )
    expect(row).toEqual({ attempt: 2, state: 'done' })
    await superuser.end()
  })

  test('an operation that stores its keys itself is called each time, with the key, and says itself what is repeated', async () => {
    const keep = async (again: boolean, key?: string) => {
      const reply = await callRaw(edge, 'gateway', alpha.operations.keepThing, JSON.stringify({ again }), {
        id: randomUUID(),
        by: Date.now() + 5_000,
        caller: agent,
        ...(key === undefined ? {} : { key }),
      })
      return { ...reply.head, ...JSON.parse(reply.body.toString()) }
    }
    expect(await keep(false, 'mine')).toEqual({ s: 202, key: 'mine' })
    expect(await keep(true, 'mine')).toEqual({ s: 202, key: 'mine', replayed: true })
    expect(await keep(false)).toEqual({ s: 202, key: null })
  })

  test('an answer with a secret is never stored or shown again', async () => {
    const ask = () =>
      callRaw(edge, 'gateway', alpha.operations.makeSecret, '{}', {
        id: 'x',
        by: Date.now() + 5_000,
        caller: agent,
        key: 'key-5',
      })
    expect((await ask()).body.toString()).toContain('hush')
    const second = await ask()
    expect(second.head.s).toBe(409)
    expect(second.body.toString()).toContain('secret_already_shown')
    const stored = await alphaDb.anyFirst(
      sql.type(z.object({ t: z.string().nullable() }))`SELECT body::text AS t FROM idempotency WHERE key = 'key-5'`,
    )
    expect(stored).not.toContain('hush')
  })
})

describe('events', () => {
  const told = contract('told', {
    title: 'Texts',
    operations: {},
    events: { textTold: event({ summary: 'A text was told', payload: z.object({ text: z.string() }) }) },
  }).events.textTold

  test('events with any text keep their bytes and order, recorded singly or in batches', async () => {
    const texts = ['a\nb\r\n\t', String.raw`typed \n and \u0000`, '"quoted", {1,2}', '\u2028 위임 שלום 🧑‍🚀', '']
    const undone = alphaDb.transaction(async (tx) => {
      await emitAll(
        tx,
        texts.map((text) => ({ event: told, payload: { text } })),
      )
      for (const text of texts) await emit(tx, told, { text })
      const kept = await tx.anyFirst(sql.type(z.object({ payload: z.object({ text: z.string() }) }))`
        SELECT payload FROM outbox WHERE subject = ${told.subject} ORDER BY id`)
      expect(kept.map(({ text }) => text)).toEqual([...texts, ...texts])
      throw new Error('all was compared')
    })
    await expect(undone).rejects.toThrow('all was compared')
  })

  test('an event with a NUL, which no consumer could store, is rejected when it is recorded', async () => {
    const payload = { text: 'a\\\0' }
    for (const record of [(tx: Tx) => emit(tx, told, payload), (tx: Tx) => emitAll(tx, [{ event: told, payload }])])
      await expect(alphaDb.transaction(record)).rejects.toThrow(`${told.subject} contains a NUL character`)
  })

  test('a message that is not a valid event delays no event and leaves nothing pending in the consumer', async () => {
    const [alphaBus, provisioner] = [await stack.nats.connect('alpha'), await stack.nats.connect('provisioner')]
    const listener = await startBeta(stack)
    for (const junk of ['x', '{}', '[]', 'null', '{"type":"io.nats.jetstream.api.v1.stream_info_response"}'])
      alphaBus.connection.publish('evt.alpha.thingMade', junk)
    const { body } = await make({ name: 'behind the junk' })
    await eventually(async () => {
      expect(await betaDb.any(sql.unsafe`SELECT FROM seen WHERE thing_id = ${Number(body['id'])}`)).toHaveLength(1)
      const { data } = await provisioner.connection.request(
        '$JS.API.CONSUMER.INFO.EVT_ALPHA.beta--thingMade',
        '',
        PATIENT,
      )
      const waits = z.object({ num_ack_pending: z.number(), num_pending: z.number() })
      expect(waits.parse(JSON.parse(String(Buffer.from(data))))).toEqual({ num_ack_pending: 0, num_pending: 0 })
    })
    await Promise.all([alphaBus.close(), provisioner.close(), listener.stop()])
  })

  test('an empty message loses no event: for the server it ends the pull, and the consumer begins another', async () => {
    const alphaBus = await stack.nats.connect('alpha')
    const listener = await startBeta(stack)
    alphaBus.connection.publish('evt.alpha.thingMade', '')
    const { body } = await make({ name: 'behind the empty one' })
    await eventually(async () =>
      expect(await betaDb.any(sql.unsafe`SELECT FROM seen WHERE thing_id = ${Number(body['id'])}`)).toHaveLength(1),
    )
    await Promise.all([alphaBus.close(), listener.stop()])
  })

  test('each event takes effect exactly once, in the order of a sequence without gaps, despite failures, repeats and a killed NATS', async () => {
    // Fewer for each event than make it a dead letter.
    const failures = new Map<number, number>()
    let listener = await startBeta(stack, (id) => {
      const before = failures.get(id) ?? 0
      if (id % 7 === 0 && before < 3) {
        failures.set(id, before + 1)
        throw new Error('provoked')
      }
    })
    const before = await alphaDb.oneFirst(
      sql.type(z.object({ n: z.number() }))`SELECT coalesce(max(id), 0) AS n FROM thing`,
    )
    const names = Array.from({ length: 150 }, () => randomUUID())
    const accepted: number[] = []
    const keep = async (name: string) => {
      for (let attempt = 0; attempt < 40; attempt += 1) {
        const reply = await make({ name }, name).catch(() => null)
        if (reply?.s === 201) {
          accepted.push(Number(reply.body['id']))
          return
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error('never accepted')
    }
    for (const [index, name] of names.entries()) {
      if (index === 50 && stack.nats.faults !== null) {
        await stack.nats.faults.kill()
        await stack.nats.faults.start()
      }
      if (index === 90) {
        await listener.stop()
        listener = await startBeta(stack)
      }
      await keep(name)
    }
    await eventually(async () => {
      const seen = await betaDb.anyFirst(
        sql.type(
          z.object({ thing_id: z.number() }),
        )`SELECT thing_id FROM seen WHERE thing_id > ${before} ORDER BY thing_id`,
      )
      expect(seen).toEqual([...accepted].sort((a, b) => a - b))
    })
    expect(new Set(accepted).size).toBe(names.length)
    await eventually(async () => {
      const { left, head } = await alphaDb.one(
        sql.type(
          z.object({ left: z.number(), head: z.number() }),
        )`SELECT (SELECT count(*) FROM outbox) AS left, seq AS head FROM outbox_head`,
      )
      const made = await alphaDb.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM thing`)
      expect(left).toBe(0)
      expect(head).toBe(made)
    })
    await listener.stop()
  })
})
