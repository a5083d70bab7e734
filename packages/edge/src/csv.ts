import { common } from '@svc/contracts'
import type { Operation } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Papa from 'papaparse'
import { z } from 'zod'
import { prefers } from './accept.ts'
import { EdgeRefusal } from './problem.ts'
import { queryOf } from './query.ts'
import type { Route } from './routes.ts'

type Json = Record<string, unknown>

export const CSV_TYPE = 'text/csv'

/** Query member by which a caller chooses the form of an answer that is a table too; the service does not see it. */
const FORMAT = 'format'

/** Returns whether a request asks for CSV; an unknown form does too, so that it is not answered before it is refused. */
export function wantsCsv({ operation }: Route, request: FastifyRequest): boolean {
  if (operation.csv === undefined) return false
  const format = request.url.includes('?') ? queryOf(request)[FORMAT] : undefined
  if (format !== undefined) return format !== 'json'
  const { accept } = request.headers
  return accept !== undefined && accept.includes('csv') && prefers(accept, CSV_TYPE)
}

/** Takes the form of the answer out of a query. Throws `EdgeRefusal` for an unknown one. */
export function takeFormat({ operation }: Route, query: Json): void {
  if (operation.csv === undefined || query[FORMAT] === undefined) return
  if (query[FORMAT] !== 'json' && query[FORMAT] !== 'csv')
    throw new EdgeRefusal(common.invalidRequest, {
      errors: [{ pointer: `/query/${FORMAT}`, code: 'invalid_value', detail: 'Send json or csv, or omit format.' }],
    })
  delete query[FORMAT]
}

const CRLF = '\r\n'
/**
 * Texts that spreadsheets run as formulas (OWASP, CSV injection). A number that is text, such as an exact decimal, is not one
 * of them.
 */
const FORMULA = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/

/** A column: its name, which joins the names of members by a dot, and the members that lead to its value. */
interface Column {
  readonly name: string
  readonly path: readonly string[]
}

const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : schema

/** Returns a column for each member of a row; the members of an object have columns of their own. */
function columnsOf(schema: unknown, path: readonly string[] = []): Column[] {
  const shape = bare(schema)
  return shape instanceof z.ZodObject
    ? Object.entries(shape.shape).flatMap(([name, member]) => columnsOf(member, [...path, name]))
    : [{ name: path.join('.'), path }]
}

const valueAt = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Json)[name] : undefined),
    row,
  )

/** Writes a list, and an object without declared members, as JSON. */
const cellOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/**
 * Returns the list of an answer as CSV (RFC 4180: a header, CRLF, UTF-8). Members of the answer that a table needs come first
 * in each row. A column that no row has, because the caller did not choose it, is left out. An unknown value is an empty cell.
 */
export function csvOf({ csv, success }: Operation, answer: Json): string {
  const schema = success[200]
  if (csv === undefined || !(schema instanceof z.ZodObject)) throw new Error('the operation declares no table')
  const rows = answer[csv.list] as readonly Json[]
  const list = bare(schema.shape[csv.list])
  const declared = list instanceof z.ZodArray ? columnsOf(list.element) : []
  const columns = declared.filter(({ path: [first = ''] }) => rows.length === 0 || rows.some((row) => first in row))
  const text = Papa.unparse(
    {
      fields: [...csv.head, ...columns.map(({ name }) => name)],
      data: rows.map((row) => [
        ...csv.head.map((name) => cellOf(answer[name])),
        ...columns.map(({ path }) => cellOf(valueAt(row, path))),
      ]),
    },
    { newline: CRLF, escapeFormulae: FORMULA },
  )
  return rows.length === 0 ? text : text + CRLF
}

/** Tables of answers that many callers read. */
const tables = new WeakMap<Buffer, Buffer>()

/** Returns an answer as CSV, as a file for browsers, if the request asks for it; otherwise null. */
export function tableOf(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): { readonly type: string; readonly body: Buffer } | null {
  if (route.operation.csv === undefined) return null
  void reply.header('vary', 'Origin, Accept')
  if (!wantsCsv(route, request)) return null
  const known = tables.get(body)
  const table = known ?? Buffer.from(csvOf(route.operation, JSON.parse(body.toString('utf8')) as Json))
  if (known === undefined) tables.set(body, table)
  const name = route.path.replaceAll(/[{}]/g, '').slice(1).replaceAll('/', '-')
  void reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  return { type: `${CSV_TYPE}; charset=utf-8; header=present`, body: table }
}
