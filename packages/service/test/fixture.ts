import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  contract,
  event,
  ok,
  operation,
  refusal,
  refuse,
  type Caller,
  type Contract,
  type Environment,
} from '@svc/contract'
import { emit, migrate, sql, type Pool } from '@svc/postgres'
import {
  metricsText,
  openLog,
  Outage,
  startService,
  type Clock,
  type Delivered,
  type Handlers,
  type Log,
  type RunningService,
} from '@svc/service'
import { testStack, type TestStack } from '@svc/testing'
import { z } from 'zod'

export const taken = refusal('name_taken', {
  status: 409,
  title: 'Name taken',
  meaning: 'There is a thing with this name.',
  fix: 'Choose another.',
})

export const alpha = contract('alpha', {
  title: 'Things, for the tests of the kit',
  operations: {
    makeThing: operation({
      summary: 'Make a thing',
      auth: 'account',
      http: 'POST /things',
      idempotent: true,
      input: z.strictObject({
        name: z.string().min(1).max(80),
        fail: z.enum(['refuse', 'refuse-for-a-while', 'throw', 'outage', 'late-refuse', 'too-large']).optional(),
      }),
      success: { 201: z.object({ made: z.literal(true), id: z.int() }) },
      refusals: [taken],
    }),
    payThing: operation({
      summary: 'Pay for a thing',
      auth: 'account',
      http: 'POST /payments',
      effect: 'money',
      idempotent: true,
      input: z.strictObject({ name: z.string().min(1).max(80), dry_run: z.boolean().default(false) }),
      success: { 201: z.object({ id: z.int(), is_dry: z.boolean() }) },
      refusals: [taken],
    }),
    makeSecret: operation({
      summary: 'Make a secret',
      auth: 'account',
      http: 'POST /secrets',
      idempotent: true,
      secret: true,
      input: z.strictObject({}),
      success: { 201: z.object({ secret: z.string() }) },
    }),
    keepThing: operation({
      summary: 'Say which key the call has',
      auth: 'account',
      http: 'POST /kept',
      idempotent: true,
      keepsKey: true,
      input: z.strictObject({ again: z.boolean() }),
      success: { 202: z.object({ key: z.string().nullable() }) },
    }),
    countThings: operation({
      summary: 'Count things',
      auth: 'service',
      callers: ['beta'],
      input: z.strictObject({}),
      success: { 200: z.object({ count: z.int() }) },
    }),
    wait: operation({
      summary: 'Wait',
      auth: 'open',
      http: 'POST /wait',
      input: z.strictObject({ ms: z.int() }),
      success: { 200: z.object({ ok: z.literal(true) }) },
    }),
  },
  events: { thingMade: event({ summary: 'A thing was made', payload: z.object({ id: z.int() }) }) },
})

export const beta = contract('beta', {
  title: 'Listener',
  operations: {},
  buckets: ['beta-files'],
  consumes: ['alpha.thingMade'],
})
/** Calls operations in the name of the edge; has no schema. */
export const gateway = contract('gateway', { title: 'Edge', operations: {}, postgres: false })
export const contracts = [alpha, beta, gateway] as unknown as readonly Contract[]

/** Only what hangs takes this long; the limit of the client, a second, measures the machine. */
export const PATIENT = { timeout: 600_000 } as const

export const agent: Caller = {
  account_id: 7,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
}

interface Context {
  readonly pool: Pool
}

const handlers = {
  makeThing: () => async (input, call) => {
    if (input.fail === 'refuse') refuse(taken)
    if (input.fail === 'refuse-for-a-while')
      refuse(taken, undefined, { retry_at: new Date(call.now.getTime() + 90_500).toISOString() })
    if (input.fail === 'throw') throw new Error('a secret of the inside')
    if (input.fail === 'too-large') refuse(taken, 'x'.repeat(9 * 1024 * 1024))
    if (input.fail === 'outage') throw new Outage('postgres', 'gone')
    return call.effect(async (tx) => {
      const { id } = await tx.one(
        sql.type(z.object({ id: z.number() }))`INSERT INTO thing (name) VALUES (${input.name}) RETURNING id`,
      )
      await emit(tx, alpha.events.thingMade, { id })
      if (input.fail === 'late-refuse') refuse(taken)
      return ok(201, { made: true, id })
    })
  },
  payThing: () => async (input, call) =>
    call.effect(async (tx) => {
      if (input.name === 'gone') refuse(taken)
      const { id } = await tx.one(
        sql.type(z.object({ id: z.number() }))`INSERT INTO thing (name) VALUES (${input.name}) RETURNING id`,
      )
      await emit(tx, alpha.events.thingMade, { id })
      return ok(201, { id, is_dry: call.isDryRun })
    }),
  makeSecret: () => async (_input, call) => call.effect(async () => ok(201, { secret: 'hush' })),
  keepThing: () => async (input, call) => {
    if (input.again) call.markReplayed()
    return ok(202, { key: call.idempotencyKey })
  },
  countThings:
    ({ pool }) =>
    async () =>
      ok(200, await pool.one(sql.type(z.object({ count: z.number() }))`SELECT count(*) AS count FROM thing`)),
  wait:
    () =>
    async ({ ms }) => {
      await delay(ms)
      return ok(200, { ok: true })
    },
} satisfies Handlers<Context, typeof alpha>

const bound = (context: Context) =>
  Object.fromEntries(Object.entries(handlers).map(([key, make]) => [key, (make as (c: Context) => never)(context)]))

export async function prepare(): Promise<TestStack> {
  const stack = await testStack(contracts)
  for (const name of ['alpha', 'beta']) {
    await migrate({
      url: stack.databaseOf(name).migratorUrl,
      schema: name,
      directory: fileURLToPath(new URL(`./migrations/${name}`, import.meta.url)),
    })
  }
  return stack
}

/** Time after which a call of alpha may be taken over. */
export const IDEMPOTENCY_TTL_SEC = 120

type Given = Pick<TestStack, 'environmentOf'>

/** The stack with other settings, such as another NATS. */
export const withSettings = (stack: Given, settings: Environment): Given => ({
  environmentOf: (service, more = {}) => stack.environmentOf(service, { ...settings, ...more }),
})

export const startAlpha = (stack: Given, clock?: Clock, log?: Log): Promise<RunningService> =>
  startService(
    alpha,
    contracts,
    stack.environmentOf('alpha', { HUB_IDEMPOTENCY_TTL_SEC: String(IDEMPOTENCY_TTL_SEC) }),
    (kit) => ({ handlers: bound({ pool: kit.pool }) }),
    { ...(clock === undefined ? {} : { clock }), ...(log === undefined ? {} : { log }) },
  )

/** Beta records each event; `before` may throw to cause a redelivery. */
export const startBeta = (
  stack: Given,
  before: (id: number) => void = () => {},
  log?: Log,
  clock?: Clock,
): Promise<RunningService> =>
  startService(
    beta,
    contracts,
    stack.environmentOf('beta'),
    () => ({
      handlers: {},
      reactions: {
        'alpha.thingMade': {
          apply: async (tx, { payload: { id } }: Delivered<{ id: number }>) => {
            await tx.query(sql.unsafe`INSERT INTO seen (thing_id) VALUES (${id})`)
            before(id)
          },
        },
      },
    }),
    { ...(clock === undefined ? {} : { clock }), ...(log === undefined ? {} : { log }) },
  )

/** Watches one alarm for events of things: `log` is for the service that raises it. */
export async function watchAlarm(alarm: string) {
  const subject = alpha.events.thingMade.subject
  let logged = 0
  const write = (line: string) => {
    const told = JSON.parse(line) as { alarm?: string; subject?: string }
    if (told.alarm === alarm && told.subject === subject) logged += 1
  }
  const counted = async () => {
    const lines = (await metricsText()).split('\n').filter((line) => line.startsWith('hub_alarms_total{'))
    const line = lines.find((one) => one.includes(`alarm="${alarm}"`) && one.includes(`subject="${subject}"`))
    return Number(line?.split(' ')[1] ?? 0)
  }
  const before = await counted()
  return {
    log: openLog('beta', 'error', { write }),
    /** Returns how often the alarm was raised since then; throws if log and metric differ. */
    raised: async () => {
      const times = (await counted()) - before
      if (times !== logged) throw new Error(`the metric counts ${times} ${alarm}, the log has ${logged}`)
      return times
    },
  }
}
