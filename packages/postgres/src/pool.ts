import { readFileSync } from 'node:fs'
import { trace, SpanKind, SpanStatusCode, context as otelContext } from '@opentelemetry/api'
import { createPgDriverFactory } from '@slonik/pg-driver'
import pg from 'pg'
import {
  createPool,
  createSqlTag,
  type CommonQueryMethods,
  type DatabasePool,
  type DatabaseTransactionConnection,
  type Interceptor,
  SchemaValidationError,
} from 'slonik'
import { assertLeading } from './lease.ts'

/** Connection of a transaction, as stores and `emit` accept it. */
export type Tx = DatabaseTransactionConnection
/** Anything that runs a query: the pool or a transaction. */
export type Db = CommonQueryMethods
export type Pool = DatabasePool

/** Query builder: `sql.type(zodSchema)` parses rows, `sql.prepared(name, zodSchema)` also plans once per connection. */
export const sql = createSqlTag()

const parseRows: Interceptor = {
  name: 'parse-rows',
  transformRow: (context, query, row) => {
    const parser = context.resultParser
    if (parser === undefined) return row
    const result = parser['~standard'].validate(row)
    if (result instanceof Promise) throw new TypeError('row schemas must be synchronous')
    if (result.issues !== undefined) throw new SchemaValidationError(query, row, result.issues)
    return result.value as typeof row
  },
}

/** Makes a span for each statement of a sampled call. */
const traceQueries: Interceptor = {
  name: 'trace-queries',
  beforeQueryExecution: (context, query) => {
    const parent = trace.getActiveSpan()
    if (parent?.isRecording() === true) {
      const name = query.sql.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'QUERY'
      const span = trace.getTracer('postgres').startSpan(
        name,
        {
          kind: SpanKind.CLIENT,
          attributes: {
            'db.system.name': 'postgresql',
            'db.operation.name': name,
            'db.query.text': query.sql.slice(0, 500),
          },
        },
        otelContext.active(),
      )
      context.sandbox['span'] = span
    }
    return null
  },
  afterQueryExecution: (context) => {
    ;(context.sandbox['span'] as { end(): void } | undefined)?.end()
    return null
  },
  queryExecutionError: (context) => {
    const span = context.sandbox['span'] as
      | { end(): void; setStatus(status: { code: SpanStatusCode }): void }
      | undefined
    span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    return null
  },
}

/** Rejects every statement of a former leader. */
const fence: Interceptor = {
  name: 'fence',
  beforeQueryExecution: () => {
    assertLeading()
    return null
  },
}

/** Takes `sslmode=verify-full` and `sslrootcert` out of an address: slonik does not know the first, and all other clients do. */
function splitTls(url: string): { address: string; tls: { ssl?: { ca?: string } } } {
  const address = new URL(url)
  if (address.searchParams.get('sslmode') !== 'verify-full') return { address: url, tls: {} }
  const file = address.searchParams.get('sslrootcert')
  for (const name of ['sslmode', 'sslrootcert']) address.searchParams.delete(name)
  return { address: address.href, tls: { ssl: file === null ? {} : { ca: readFileSync(file, 'utf8') } } }
}

/** Asks a question of Postgres. Rejects when Postgres answers nothing at all. */
export type Watch = <T>(question: () => Promise<T>) => Promise<T>

type DriverFactory = ReturnType<typeof createPgDriverFactory>

/**
 * Returns a driver whose connections and statements are watched. A connection with a statement that nobody answers is
 * destroyed without waiting for it, so that neither its caller nor the pool depends on a server that is gone.
 */
function watchedDriver(watch: Watch): DriverFactory {
  const open = createPgDriverFactory()
  return async (options) => {
    const driver = await watch(() => open(options))
    return {
      createClient: async () => {
        let given = true
        const opened = async () => {
          const client = await driver.createClient()
          if (!given) void client.destroy().catch(() => {})
          let lost = false
          const drop = () => {
            lost = true
            void client.destroy().catch(() => {})
          }
          const leave = (end: () => Promise<void>) => (lost ? Promise.resolve() : end())
          return {
            ...client,
            destroy: () => leave(client.destroy),
            release: () => leave(client.release),
            query: async (...statement: Parameters<typeof client.query>) => {
              let ended = false
              try {
                return await watch(() => client.query(...statement).finally(() => (ended = true)))
              } catch (error) {
                if (!ended) drop()
                throw error
              }
            },
          }
        }
        try {
          return await watch(opened)
        } catch (error) {
          given = false
          throw error
        }
      },
    }
  }
}

/** Time within which a server accepts a connection and answers, milliseconds; the caller may stop to wait earlier. */
const LOOK_MS = 2_000

/**
 * Resolves when the server at `url` answers a new connection, be it with a refusal; rejects if nothing answers. A connection
 * of its own shows what those of a pool cannot: theirs may wait for a lock, or for a server that is gone.
 */
export async function lookAt(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (error) {
    if (!isAnswer(error)) throw error
  } finally {
    void client.end().catch(() => {})
  }
}

/** Code of an error of SQL, with which a server answers. */
const SQL_STATE = /^[0-9A-Z]{5}$/

/** Returns true for an error with which Postgres answers, such as a violated constraint or a lack of connections. */
export function isAnswer(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, 'code')
    // Codes of the operating system may have five letters too.
    if (typeof code === 'string' && SQL_STATE.test(code) && /\d/.test(code)) return true
  }
  return false
}

/**
 * Opens the pool of a service. Rows contain bigint as numbers (the schemas keep them below 2^53), numeric as text,
 * timestamptz as RFC 3339 text with milliseconds, and date as text. `watch` ends waits for a server that is silent.
 */
export function openPool(url: string, options: { readonly size?: number; readonly watch?: Watch } = {}): Promise<Pool> {
  const { address, tls } = splitTls(url)
  const { watch } = options
  return createPool(address, {
    ...tls,
    driverFactory: watch === undefined ? createPgDriverFactory() : watchedDriver(watch),
    maximumPoolSize: options.size ?? 5,
    idleTimeout: 60_000,
    connectionTimeout: 5_000,
    captureStackTrace: false,
    // The default sends DISCARD ALL after each use; nothing here changes the state of a session.
    resetConnection: () => Promise.resolve(),
    // The settings of the role apply.
    statementTimeout: 'DISABLE_TIMEOUT',
    idleInTransactionSessionTimeout: 'DISABLE_TIMEOUT',
    queryRetryLimit: 0,
    transactionRetryLimit: 5,
    interceptors: [fence, traceQueries, parseRows],
    typeParsers: [
      { name: 'int8', parse: Number },
      { name: 'numeric', parse: (value) => value },
      { name: 'timestamptz', parse: (value) => new Date(value).toISOString() },
      { name: 'date', parse: (value) => value },
    ],
  })
}
