import { readFileSync } from 'node:fs'
import { trace, SpanKind, SpanStatusCode, context as otelContext } from '@opentelemetry/api'
import { createPgDriverFactory } from '@slonik/pg-driver'
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

/**
 * Opens the pool of a service. Rows contain bigint as numbers (the schemas keep them below 2^53), numeric as text,
 * timestamptz as RFC 3339 text with milliseconds, and date as text.
 */
export function openPool(url: string, options: { readonly size?: number } = {}): Promise<Pool> {
  const { address, tls } = splitTls(url)
  return createPool(address, {
    ...tls,
    driverFactory: createPgDriverFactory(),
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
