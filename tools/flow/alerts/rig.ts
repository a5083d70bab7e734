import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { schemaOf, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { testProcesses, testStack, type TestStack } from '@svc/testing'
import { scrapeOf, type Scrape } from '@svc/testing/alerts'
import pg from 'pg'
import { z } from 'zod'
import { mainOf } from '../../dev/services.ts'

/** Only what hangs takes this long. */
const HANG_MS = 600_000

const readyMessage = z.object({ internalPort: z.number() })

/** One service as a fresh process, and what may happen around it. */
export interface Around {
  readonly service: string
  readonly stack: TestStack
  /** Runs a statement as superuser in the schema of the service. */
  sql(text: string): Promise<pg.QueryResult>
  /** Adds a row as it would be after its members; other required columns get any value. */
  row(table: string, members: Readonly<Record<string, unknown>>): Promise<void>
  /** Begins a transaction that nobody ends but `release` while the process runs, such as one that keeps a lock. */
  holding(text: string): Promise<void>
  /** Ends the transactions that `holding` began. */
  release(): Promise<void>
  /** Ends the session of the leader: the process leads again at once and runs each of its jobs. */
  leadAgain(): Promise<void>
  /** Publishes messages in the name of another service. */
  publish(from: string, subject: string, ...texts: readonly string[]): Promise<void>
  /** Asks JetStream as the provisioner, who alone may change streams. Throws for an error. */
  askStreams(what: string, body?: object): Promise<unknown>
  /** Writes the file of a live setting. */
  switchTo(setting: string, text: string): void
  /** Reads what the process exposes now. */
  scrape(): Promise<Scrape>
  /** Ends the process and starts it with other settings. */
  restart(more: Environment): Promise<void>
}

let events = 0
/** Returns the envelope of an event with an id of its own, which happened at a time: default now. */
export const envelope = (payload: object, at = new Date().toISOString()): string => {
  events += 1
  return JSON.stringify({ id: `made-${events}`, seq: events, at, payload })
}

const VALUES: Readonly<Record<string, string>> = {
  text: "'x'",
  bigint: '1',
  integer: '1',
  numeric: '1',
  boolean: 'false',
  'timestamp with time zone': 'now()',
  ARRAY: "'{}'",
  bytea: "''",
  jsonb: "'{}'",
  json: "'{}'",
  date: 'now()',
}

/** Starts a service as a process over a database of its own, and returns what may happen around it. */
export async function startAround(stack: TestStack, service: string, given: Environment) {
  const schema = schemaOf(service)
  await stack.addDatabases(service)
  const switches = mkdtempSync(join(tmpdir(), 'svc-switches-'))
  const clients: pg.Client[] = []
  const connect = async () => {
    const client = new pg.Client(stack.databaseOf(service).superuserUrl)
    client.on('error', () => {})
    await client.connect()
    await client.query(`SET search_path TO ${schema}`)
    clients.push(client)
    return client
  }
  const held: pg.Client[] = []
  const admin = await connect()
  const sql = (text: string) => admin.query(text)
  const around: Around = {
    service,
    stack,
    sql,
    row: async (table, members) => {
      // Checks and references of a row are not what an alert looks at.
      await sql("SET session_replication_role = 'replica'")
      const { rows: checks } = await admin.query<{ name: string }>(
        "SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'",
        [table],
      )
      for (const { name } of checks) await sql(`ALTER TABLE ${table} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`)
      const { rows: columns } = await admin.query<{ name: string; type: string }>(
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
         WHERE table_schema = $1 AND table_name = $2 AND is_nullable = 'NO' AND column_default IS NULL AND identity_generation IS NULL`,
        [schema, table],
      )
      const filled = columns.filter(({ name }) => !(name in members)).map(({ name, type }) => [name, VALUES[type]])
      const given = Object.entries(members).map(([name, value]) => [name, pg.escapeLiteral(String(value))])
      const all = [...filled, ...given]
      await sql(
        `INSERT INTO ${table} (${all.map(([name]) => name).join(', ')}) VALUES (${all.map(([, value]) => value).join(', ')})`,
      )
    },
    holding: async (text) => {
      const client = await connect()
      held.push(client)
      await client.query('BEGIN')
      await client.query(text)
    },
    release: async () => {
      for (const client of held.splice(0)) await client.query('ROLLBACK')
    },
    leadAgain: async () => {
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    },
    publish: async (from, subject, ...texts) => {
      const bus = await stack.nats.connect(from)
      for (const text of texts) bus.connection.publish(subject, text)
      await bus.connection.flush()
      await bus.close()
    },
    askStreams: async (what, body) => {
      const bus = await stack.nats.connect('provisioner')
      const text = body === undefined ? '' : JSON.stringify(body)
      const { data } = await bus.connection.request(`$JS.API.${what}`, text, { timeout: HANG_MS })
      await bus.close()
      const answer = z.looseObject({ error: z.unknown().optional() }).parse(JSON.parse(Buffer.from(data).toString()))
      if (answer.error !== undefined) throw new Error(`${what}: ${JSON.stringify(answer.error)}`)
      return answer
    },
    switchTo: (setting, text) => writeFileSync(join(switches, setting), text),
    scrape: () => scrapeAt(port),
    restart: async (changed) => {
      await processes.killAll()
      more = { ...more, ...changed }
      await begin()
    },
  }
  let [more, port] = [given, 0]
  const processes = testProcesses(pathToFileURL(mainOf(service)), () => ({
    ...stack.environmentOf(service),
    SVC_SWITCHES_DIR: switches,
    ...more,
  }))
  const begin = async () => {
    const child = await processes.start()
    port = readyMessage.parse(processes.firstMessage(child)).internalPort
  }
  await begin()
  return {
    around,
    stop: async () => {
      await processes.killAll()
      for (const client of clients) await client.end().catch(() => {})
      rmSync(switches, { recursive: true })
    },
  }
}

/** Reads what a process exposes at its internal port. */
const scrapeAt = async (port: number): Promise<Scrape> =>
  scrapeOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())

/** Starts a service as a process, reads what it exposes first, and ends it. */
export async function firstScrape(stack: TestStack, service: string, more: Environment): Promise<Scrape> {
  if (contracts.some(({ name, postgres }) => name === service && postgres)) await stack.addDatabases(service)
  const environment = () => ({ ...stack.environmentOf(service), ...more })
  const processes = testProcesses(pathToFileURL(mainOf(service)), environment)
  try {
    const child = await processes.start()
    return await scrapeAt(readyMessage.parse(processes.firstMessage(child)).internalPort)
  } finally {
    await processes.killAll()
  }
}

/** The servers of all processes; each service gets its database when it starts. */
export const alertStack = (): Promise<TestStack> => testStack(contracts, [])
