import { randomBytes } from 'node:crypto'
import { refuse, streamOf, type Environment } from '@svc/contract'
import { formatApiKey } from '@svc/contracts/api-key'
import { hlRelay } from '@svc/contracts/hl-relay'
import { identity } from '@svc/contracts/identity'
import { subscriptions } from '@svc/contracts/subscriptions'
import { freePort } from '@svc/servers'
import { callRaw, type RunningService } from '@svc/service'
import { eventually, startPeer } from '@svc/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import { NO_LIMITS } from '../../dev/no-limits.ts'
import { envelope, type Around } from './rig.ts'

/** What makes an alert fire. */
export interface Occurrence {
  readonly alert: string
  /** Levels of service whose budgets it burns as well. */
  readonly burns?: readonly string[]
  /** What must be there before the event, beside a fresh process. */
  readonly given?: (around: Around) => Promise<unknown>
  /** What happens between two scrapes of a side, for rates and ages. Without it a side has one scrape. */
  readonly before?: (around: Around) => Promise<unknown>
  readonly after?: (around: Around) => Promise<unknown>
  /** The event; the process is in order before. */
  readonly happen: (around: Around) => Promise<unknown>
  /** Minutes that pass after it beside those for which the alert must hold. */
  readonly minutes?: number
  /** Puts right what a later event of the same process needs. */
  readonly mend?: (around: Around) => Promise<unknown>
}

/** The events around one process, in their order: one may leave things as the next ones do not mind. */
export interface Scene {
  readonly service: string
  readonly environment?: Environment
  readonly occurrences: readonly Occurrence[]
}

const LEDGER = 'evt.subscriptions.cherryMoved'
const PAYOUT = { submission_id: 'sub_1', account_id: 7, cherry: 5, pay_on: '2026-01-15' }
const ITEM = { feed_key: 'crisis_alerts', at: '2026-01-15T12:00:00.000Z', data: {} }
const payOut = (around: Around, text = envelope(PAYOUT)) => around.publish('mining', 'evt.mining.payoutReleased', text)
const makeItems = (around: Around, count = 1) =>
  around.publish('market-data', 'evt.market-data.feedItemMade', ...Array.from({ length: count }, () => envelope(ITEM)))

const consumerInfo = z.object({ num_pending: z.number() })
const pendingItems = async ({ askStreams }: Around) =>
  consumerInfo.parse(await askStreams('CONSUMER.INFO.EVT_MARKET_DATA.subscriptions--feedItemMade')).num_pending

const streamInfo = z.looseObject({ config: z.looseObject({}), state: z.object({ messages: z.number() }) })
const streamOfOwn = async ({ askStreams, service }: Around) =>
  streamInfo.parse(await askStreams(`STREAM.INFO.${streamOf(service)}`))
const change = async (around: Around, more: object) => {
  const { config } = await streamOfOwn(around)
  await around.askStreams(`STREAM.UPDATE.${streamOf(around.service)}`, { ...config, ...more })
}
const emit = ({ sql }: Around, subject: string, when = 'now()') =>
  sql(`INSERT INTO outbox (subject, payload, created_at) VALUES ('${subject}', '{"id": 1}', ${when})`)

const { readBalance, subscribeFeed } = subscriptions.operations
const callOf = async ({ stack }: Around, operation: typeof readBalance | typeof subscribeFeed, body = '{}') => {
  const bus = await stack.nats.connect('gateway')
  const caller = { account_id: 7, kind: 'agent', wallet: null, roles: [], scopes: ['read'], tier: 0 } as const
  const head = { id: 'x', by: Date.now() + 600_000, caller: { ...caller, key_id: null, session_id: null }, key: 'one' }
  await callRaw(bus, 'gateway', operation, body, head).catch(() => {})
  await bus.close()
}
/** Makes a job fail whenever it runs, by a table that it deletes from. */
const breakDeletes = ({ sql }: Around, table: string) =>
  sql(`CREATE OR REPLACE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'never'; END $$;
    CREATE OR REPLACE TRIGGER never BEFORE DELETE ON ${table} EXECUTE FUNCTION never()`)
/** Events of others that mandates has noted. */
const noted = async ({ scrape }: Around): Promise<number> =>
  [...(await scrape()).series]
    .filter(([name]) => name.startsWith('hub_event_delay_seconds_count'))
    .reduce((sum, [, value]) => sum + Number(value), 0)
let moves = 0
/** Publishes a movement of Cherry that happened at a time, and waits until the record has it. */
const moveCherry = async (around: Around, at: string) => {
  const before = await noted(around)
  moves += 1
  const moved = { transfer_id: moves, account_id: 7, amount: 5, kind: 'adjustment', reference: 'x' }
  await around.publish('subscriptions', LEDGER, envelope(moved, at))
  await eventually(async () => expect(await noted(around)).toBeGreaterThan(before))
}
const failures = async ({ scrape }: Around, worker: string): Promise<number> => {
  const series = [...(await scrape()).series]
  const found = series.find(([name]) => name.includes(`worker="${worker}"`) && name.includes('outcome="failed"'))
  return Number(found?.[1])
}
const succeededAt = async ({ scrape }: Around, worker: string): Promise<string | undefined> =>
  [...(await scrape()).series.keys()].find(
    (name) => name.startsWith('hub_worker_last_success') && name.includes(`worker="${worker}"`),
  )
const failAgain = async (around: Around, worker: string) => {
  const before = await failures(around, worker)
  await around.leadAgain()
  await eventually(async () => expect(await failures(around, worker)).toBeGreaterThan(before))
}

/** Where the gateway of the scene listens. */
const gatewayPort = await freePort()
const asks = async (path: string, status: number, headers: Record<string, string> = {}) => {
  const one = async () => (await fetch(`http://127.0.0.1:${gatewayPort}${path}`, { headers })).status
  expect(await Promise.all([one(), one(), one(), one(), one()])).toEqual([1, 2, 3, 4, 5].map(() => status))
}
const good = () => asks('/openapi.json', 200)
/** No other service runs: what needs one is refused. */
const bad = () => asks('/hub/hall', 503)
const [venueBudget] = hlRelay.operations.readSpotMeta.refusals
let relay: RunningService | null = null
/** Refused with 503 by the limit of the venue, which is no failure of the platform. */
const byDesign = () => asks('/hub/info/spot-meta', 503)
const LIVE = `/hub/mandates/mdt_${'0'.repeat(32)}/live`
let hung: RunningService | null = null
const answer = Promise.withResolvers<never>()
/** Who brings a key waits for identity, which does not answer. */
const slow = () => asks(LIVE, 503, { 'x-svc-user-key': formatApiKey(randomBytes(32)) })
const noKey = () => asks(LIVE, 401)
const forwarded = () => asks('/openapi.json', 200, { 'x-forwarded-for': '203.0.113.7' })
const spends = (alert: string): Occurrence => ({
  alert,
  given: good,
  before: good,
  happen: bad,
  after: bad,
  minutes: 1,
})

const WAITS_FOR_LEAD = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** A venue that nobody runs. */
export const NOWHERE: Environment = {
  HUB_HL_INFO_URL: 'http://127.0.0.1:9/info',
  HUB_HL_EXCHANGE_URL: 'http://127.0.0.1:9/exchange',
}

/** All of them. Where an alert that is not here is judged: see `alerts.test.ts`. */
export const scenes: readonly Scene[] = [
  {
    service: 'subscriptions',
    environment: { SVC_BALANCE_ROOT_DRY_RUN: '1' },
    occurrences: [
      {
        alert: 'SchemaBehind',
        burns: ['bus'],
        given: (around) => callOf(around, readBalance),
        before: (around) => callOf(around, readBalance),
        happen: async (around) => {
          await around.sql('ALTER TABLE ledger_account RENAME TO later')
          await callOf(around, readBalance)
        },
        after: (around) => callOf(around, readBalance),
        mend: ({ sql }) => sql('ALTER TABLE later RENAME TO ledger_account'),
      },
      { alert: 'ForgedMessage', happen: (around) => payOut(around, 'not an event') },
      {
        alert: 'MoneyDeadLetter',
        happen: async (around) => {
          await around.sql('ALTER TABLE ledger_transfer ADD CONSTRAINT never CHECK (false) NOT VALID')
          await payOut(around)
        },
      },
      {
        alert: 'DeadLetter',
        happen: async (around) => {
          await around.sql('ALTER TABLE feed_item ADD CONSTRAINT never CHECK (false) NOT VALID')
          await makeItems(around)
        },
      },
      { alert: 'EventsRedelivered', happen: (around) => makeItems(around, 40) },
      {
        alert: 'LedgerImbalance',
        happen: async ({ sql, leadAgain }) => {
          await sql('UPDATE ledger_account SET balance = balance - 1 WHERE id = (SELECT min(id) FROM ledger_account)')
          await leadAgain()
        },
      },
      {
        alert: 'StreamFilling',
        happen: async (around) => {
          for (let event = 0; event < 10; event += 1) await emit(around, LEDGER)
          const stored = await eventually(async () => {
            const { messages } = (await streamOfOwn(around)).state
            expect(messages).toBeGreaterThanOrEqual(10)
            return messages
          })
          await change(around, { max_msgs: stored + 1 })
          await around.leadAgain()
        },
        mend: (around) => change(around, { max_msgs: -1 }),
      },
      {
        alert: 'StreamFull',
        happen: async (around) => {
          await change(around, { max_msg_size: 1 })
          await emit(around, LEDGER)
        },
        mend: (around) => change(around, { max_msg_size: -1 }),
      },
      {
        alert: 'CallStuck',
        happen: async (around) => {
          await around.holding('LOCK TABLE feed_subscription')
          void callOf(around, subscribeFeed, '{"feed_key":"crisis_alerts"}')
        },
        after: async () => {},
        minutes: 3,
      },
      {
        alert: 'OutboxStuck',
        happen: async (around) => {
          await around.holding('SELECT FROM outbox_head FOR UPDATE')
          await emit(around, LEDGER, "now() - interval '5 minutes'")
        },
        // A leader whose relay waits beyond its time stops leading, and measures nothing any more.
        mend: async ({ release, leadAgain }) => {
          await release()
          await leadAgain()
        },
      },
      {
        alert: 'ConsumerPendingHigh',
        happen: async (around) => {
          await around.holding('LOCK TABLE feed_item')
          await makeItems(around, 1_500)
          // Nothing takes effect, so that they wait for as long as the lock is held; those that are being delivered do not count.
          await eventually(async () => expect(await pendingItems(around)).toBeGreaterThan(1_000))
          await around.leadAgain()
        },
      },
    ],
  },
  {
    service: 'mining',
    occurrences: [
      {
        alert: 'ReviewQueueOld',
        happen: async ({ row, leadAgain }) => {
          await row('submission', { status: 'pending', submitted_at: daysAgo(3) })
          await leadAgain()
        },
      },
      {
        alert: 'ConsumerMissing',
        happen: ({ askStreams }) => askStreams('CONSUMER.DELETE.EVT_SUBSCRIPTIONS.mining--cherryMoved'),
      },
      { alert: 'StreamMissing', happen: ({ askStreams }) => askStreams('STREAM.DELETE.EVT_MINING') },
      {
        alert: 'NoLeader',
        happen: async ({ holding, sql, leadAgain }) => {
          let isHeld = false
          const held = holding("SELECT pg_advisory_xact_lock(hashtextextended('lead:mining', 0))").then(
            () => (isHeld = true),
          )
          // Who waits for the lock has it before the leader tries again; who comes later may never have it.
          await eventually(async () => isHeld || (await sql(WAITS_FOR_LEAD)).rowCount === 1)
          if (!isHeld) await leadAgain()
          await held
        },
      },
    ],
  },
  {
    service: 'keeper',
    occurrences: [
      {
        alert: 'TransactionStuck',
        happen: async ({ row, leadAgain }) => {
          await row('transaction', { kind: 'mark', effect_since: daysAgo(1) })
          await leadAgain()
        },
      },
      {
        alert: 'WorkerStale',
        happen: async (around) => {
          await breakDeletes(around, 'gas_drip_call')
          await failAgain(around, 'watchFunder')
        },
        minutes: 10,
      },
      {
        alert: 'WorkerFailing',
        happen: async (around) => {
          for (let run = 0; run < 4; run += 1) await failAgain(around, 'watchFunder')
        },
      },
    ],
  },
  {
    service: 'market-data',
    occurrences: [
      {
        alert: 'BoardStale',
        burns: ['board'],
        given: ({ row }) => row('board_snapshot', { computed_at: daysAgo(0) }),
        happen: async ({ sql, leadAgain }) => {
          await sql("UPDATE board_snapshot SET computed_at = now() - interval '1 hour'")
          await leadAgain()
        },
      },
    ],
  },
  {
    service: 'gateway',
    environment: { ...NO_LIMITS, SVC_PORT: String(gatewayPort) },
    occurrences: [
      {
        ...spends('BudgetBurnsFast'),
        burns: ['api_availability'],
        given: async ({ stack }) => {
          const retry_at = new Date().toISOString()
          const readSpotMeta = async () => refuse(venueBudget, undefined, { retry_at })
          relay = await startPeer(stack, hlRelay, { answers: { readSpotMeta } })
          await byDesign()
        },
        before: byDesign,
        mend: () => relay?.stop() ?? Promise.resolve(),
      },
      spends('BudgetBurns'),
      {
        alert: 'BudgetBurnsFast',
        burns: ['reads', 'live_and_record'],
        given: noKey,
        before: noKey,
        happen: async ({ stack }) => {
          hung = await startPeer(stack, identity, { answers: { resolveCredentials: () => answer.promise } })
          await slow()
        },
        after: slow,
        mend: async () => {
          answer.reject(new Error('the event is over'))
          await hung?.stop()
        },
      },
      spends('BudgetBurnsSlowly'),
      {
        alert: 'ProxyUntrusted',
        given: good,
        before: good,
        happen: forwarded,
        after: forwarded,
        minutes: 10,
      },
    ],
  },
  {
    service: 'gallery',
    occurrences: [
      {
        alert: 'HallStale',
        burns: ['hall'],
        given: ({ row }) => row('hall_snapshot', { computed_at: daysAgo(0), agents: 0 }),
        happen: async ({ sql, leadAgain }) => {
          await sql("UPDATE hall_snapshot SET computed_at = now() - interval '1 hour'")
          await leadAgain()
        },
      },
      {
        alert: 'DryRunUnexpected',
        happen: ({ restart }) => restart({ SVC_HALL_SNAPSHOT_DRY_RUN: '1' }),
        mend: ({ restart }) => restart({ SVC_HALL_SNAPSHOT_DRY_RUN: '0' }),
      },
      {
        alert: 'FollowOrderStuck',
        happen: async ({ row, leadAgain }) => {
          await row('follow_order', { n: 1, effect_since: daysAgo(1) })
          await leadAgain()
        },
      },
    ],
  },
  {
    service: 'hl-trade',
    environment: NOWHERE,
    occurrences: [
      {
        alert: 'OwnOrderStuck',
        happen: async ({ row, leadAgain }) => {
          await row('trade_order', { state: 'prepared', expires_at: daysAgo(-1), effect_since: daysAgo(1) })
          await leadAgain()
        },
      },
    ],
  },
  {
    service: 'mandates',
    occurrences: [
      {
        alert: 'LiveUnexpected',
        happen: ({ restart }) => restart({ HUB_ALERTS_DRY_RUN: '0' }),
        mend: ({ restart }) => restart({ HUB_ALERTS_DRY_RUN: '1' }),
      },
      {
        alert: 'BudgetBurnsFast',
        burns: ['event_visible'],
        given: (around) => moveCherry(around, daysAgo(0)),
        before: (around) => moveCherry(around, daysAgo(0)),
        happen: (around) => moveCherry(around, daysAgo(1)),
        after: (around) => moveCherry(around, daysAgo(1)),
      },
      {
        alert: 'ApprovalsExpiring',
        happen: async ({ row, leadAgain }) => {
          await row('approval', { status: 'pending', expires_at: daysAgo(-0.5 / 24) })
          await leadAgain()
        },
      },
      {
        alert: 'SettleOverdue',
        happen: async ({ row, leadAgain }) => {
          await row('mandate', { state: 'stopped', state_since: daysAgo(4) })
          await row('vault', { mandate_id: 1 })
          await leadAgain()
        },
      },
    ],
  },
  {
    service: 'hl-leg',
    environment: NOWHERE,
    occurrences: [
      {
        alert: 'StopLineNoSeed',
        burns: ['stop_line'],
        given: (around) => eventually(async () => expect(await succeededAt(around, 'stopLine')).toBeDefined()),
        happen: async ({ switchTo }) => switchTo('HUB_HL_LEG_ENABLED', '1'),
        after: (around) => failAgain(around, 'stopLine'),
        mend: async ({ switchTo }) => switchTo('HUB_HL_LEG_ENABLED', '0'),
      },
      { alert: 'SwitchFileInvalid', happen: async ({ switchTo }) => switchTo('HUB_HL_LEG_ENABLED', 'perhaps') },
      {
        alert: 'CollateralMoveStuck',
        happen: async ({ row, leadAgain }) => {
          await row('collateral_move', { state: 'wanted', effect_since: daysAgo(1) })
          await leadAgain()
        },
      },
      {
        alert: 'LegOrderStuck',
        happen: async ({ row, leadAgain }) => {
          const judged = { state: 'judging', claimed_at: daysAgo(-1), readings: '[]' }
          await row('leg_order', { ...judged, effect_since: daysAgo(1) })
          await leadAgain()
        },
      },
      {
        alert: 'LegTransferStuck',
        happen: async ({ row, leadAgain }) => {
          await row('transfer', { kind: 'fund', open: true, opened_at: daysAgo(1) })
          await leadAgain()
        },
      },
      {
        alert: 'VenueTransferStuck',
        happen: async ({ row, leadAgain }) => {
          const sent = { kind: 'refund', venue: 'signed', effect_state: 'sent', effect_since: daysAgo(1) }
          await row('transfer', { transfer_id: 'sent', open: true, ...sent })
          await leadAgain()
        },
      },
      {
        alert: 'StopLineTransient',
        happen: async ({ row, leadAgain }) => {
          await row('closing', { transient_ticks: 3 })
          await leadAgain()
        },
      },
      {
        alert: 'SeedFingerprintMismatch',
        happen: async ({ row, leadAgain }) => {
          await row('leg', { state: 'orphaned' })
          await leadAgain()
        },
      },
    ],
  },
]

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}
