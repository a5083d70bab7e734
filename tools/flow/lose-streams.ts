import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { jetstreamManager } from '@nats-io/jetstream'
import { schemaOf, streamOf } from '@svc/contract'
import { readersOf } from '@svc/contracts/generated/readers'
import { withClient, type Servers } from '@svc/servers'
import { openBus, openLog, PROVISIONER } from '@svc/service'
import { eventually } from '@svc/testing'
import { expect } from 'vitest'

const SETUP = fileURLToPath(new URL('../dev/setup.ts', import.meta.url))
const NOT_FOUND = /not found/

/**
 * The publishers whose streams and consumers each flow loses. The flow of the house has every publisher that no other has, so
 * that a new one is lost there, and the flow fails until it has traffic for it.
 */
const others = {
  money: ['identity', 'mining', 'subscriptions'],
  chain: ['chain-indexer'],
  market: ['market-data'],
} as const
const named = new Set<string>(Object.values(others).flat())
export const LOST_BY = {
  ...others,
  house: Object.keys(readersOf).filter((publisher) => !named.has(publisher)),
} as const

/**
 * Causes an event that a lost consumer should have had; `event` is null for a stream, which loses any. It is asked until there is
 * one; `before`: how often it was asked already.
 */
export type Traffic = (event: string | null, before: number) => Promise<unknown>

/**
 * Deletes the consumers of each publisher's stream one after the other, repairs, deletes the stream and repairs again, by the
 * command that an operator has. Each loss lasts until an event was emitted that it should have had, so that a consumer without
 * traffic fails the test. Servers may be killed meanwhile: each step is repeated.
 */
export async function loseStreams(servers: Servers, publishers: readonly string[], traffic: Traffic): Promise<void> {
  const { seed } = servers.secrets.nkey(PROVISIONER)
  const bus = await openBus({ url: servers.nats.url, name: PROVISIONER, seed, log: openLog(PROVISIONER, 'silent') })
  const manager = await jetstreamManager(bus.connection, { checkAPI: false, timeout: 5_000 })
  const lose = async (publisher: string, event: string | null, destroy: () => Promise<boolean>) => {
    const newest = () => newestOf(servers, publisher, event)
    // An answer may be lost with the server that gave it.
    await eventually(() =>
      destroy().catch((error: unknown) => {
        if (!(error instanceof Error && NOT_FOUND.test(error.message))) throw error
      }),
    )
    const last = await eventually(newest)
    let asked = 0
    const hasMissed = async () => asked > 0 && (await newest()) > last
    await eventually(async () => {
      if (await hasMissed()) return
      await traffic(event, asked)
      asked += 1
      expect(await hasMissed(), `an event for ${event ?? publisher}`).toBe(true)
    })
  }
  const repair = () => eventually(() => repairStreams(servers))
  try {
    for (const publisher of publishers) {
      const stream = streamOf(publisher)
      for (const consumer of readersOf[publisher] ?? [])
        await lose(publisher, eventOf(consumer), () => manager.consumers.delete(stream, consumer))
      await repair()
      await lose(publisher, null, () => manager.streams.delete(stream))
      await repair()
    }
  } finally {
    await bus.close()
  }
}

/**
 * Waits until each event of these publishers took effect at each service that reads it. An inbox has an event once, with its effect,
 * so that none took effect twice. Throws if a consumer has no event at all, or if an event was put aside.
 */
export async function allTookEffect(servers: Servers, publishers: readonly string[]): Promise<void> {
  for (const publisher of publishers)
    for (const consumer of readersOf[publisher] ?? []) {
      const event = eventOf(consumer)
      const reader = schemaOf(consumer.slice(0, -`--${event}`.length))
      await eventually(async () => {
        const [found] = await query<{ emitted: number; unread: number; dead: number }>(
          servers,
          `SELECT count(*)::int AS emitted, count(*) FILTER (WHERE event_id IS NULL)::int AS unread,
             (SELECT count(*)::int FROM ${reader}.dead_letter WHERE subject = $1) AS dead
           FROM (${emittedBy(publisher)}) AS emitted LEFT JOIN ${reader}.inbox ON event_id = $2 || '-' || emitted.id
           WHERE subject = $1`,
          [`evt.${publisher}.${event}`, publisher],
        )
        expect(found, consumer).toMatchObject({ unread: 0, dead: 0 })
        expect(found?.emitted, `events for ${consumer}`).toBeGreaterThan(0)
      })
    }
}

/** Returns the event that a consumer reads, from its name as `consumerOf` builds it. */
const eventOf = (consumer: string) => consumer.slice(consumer.indexOf('--') + 2)

/** Events of a service that its stream has not taken yet, and those of the last days. */
const emittedBy = (publisher: string) =>
  ['outbox', 'sent_event'].map((table) => `SELECT id, subject FROM ${schemaOf(publisher)}.${table}`).join(' UNION ')

async function newestOf(servers: Servers, publisher: string, event: string | null): Promise<number> {
  const text = `SELECT coalesce(max(id), 0)::float8 AS newest FROM (${emittedBy(publisher)}) AS emitted WHERE subject LIKE $1`
  const [found] = await query<{ newest: number }>(servers, text, [`evt.${publisher}.${event ?? '%'}`])
  return found?.newest ?? 0
}

/** Reads the database of the services as the superuser. */
export async function query<T extends object>(
  { postgres }: Servers,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly T[]> {
  const url = new URL(postgres.url)
  url.pathname = '/platform'
  return withClient(url.href, async (client) => (await client.query<T>(text, [...values])).rows)
}

/** Creates what is missing, as an operator does. */
export async function repairStreams({ postgres, nats, secrets }: Servers): Promise<void> {
  const { PATH } = process.env
  const { seed } = secrets.nkey(PROVISIONER)
  const env = { PATH, POSTGRES_URL: postgres.url, NATS_URL: nats.url, SETUP_NATS_SEED: seed }
  await promisify(execFile)(process.execPath, [SETUP, 'repair-streams'], { env })
}
