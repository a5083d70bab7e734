import { z } from 'zod'
import { sql } from './pool.ts'

/** Schemas of columns by their names in the code: `block_hash` and `blockHash` both name the column `block_hash`. */
export type Columns = Readonly<Record<string, z.ZodType>>
/** A row as its schema returns it, and as `insert` and `set` accept it. */
export type Row<C extends Columns> = { readonly [Name in keyof C]: z.output<C[Name]> }
/** A row of a table, or of some of its columns. */
export type RowOf<T extends { readonly row: z.ZodType }> = z.output<T['row']>

type Fragment = ReturnType<typeof sql.fragment>
type Primitive = null | string | number | boolean
type Parameter = Fragment['values'][number]

/** Statements and schema of the rows of a table. Every fragment except the values of a statement is built once. */
export interface Table<C extends Columns> {
  readonly columns: C
  readonly row: z.ZodObject<C>
  /** The columns for SELECT and RETURNING, under their names in the code. */
  readonly list: Fragment
  /** Returns the columns for SELECT, each qualified by `alias`. */
  listOf(alias: string): Fragment
  /** Returns `INSERT INTO table (columns) VALUES (values)` with every column; `omit` those that the database fills in. */
  insert(values: Row<C>): Fragment
  /** Returns INSERT of many rows with every column in one statement; `typed` columns have their type, others are text. */
  insertAll(rows: readonly Row<C>[]): Fragment
  /** The names of every column for other forms of INSERT, in the order of `values`. */
  readonly names: Fragment
  /** Returns the value of every column for other forms of INSERT, such as INSERT … SELECT. */
  values(values: Row<C>): Fragment
  /** Returns `ON CONFLICT (key) DO UPDATE SET` every column except those of the key and `kept` ones. Build it once. */
  onConflict(key: readonly (keyof C & string)[], kept?: readonly (keyof C & string)[]): Fragment
  /** Returns `column = value, …` of the given columns for UPDATE; leaves out columns that are undefined. */
  set(values: Partial<Row<C>>): Fragment
  /** Returns the values of its columns, without what else is in `row`. */
  only(row: Row<C>): Row<C>
  /** Returns the table with these columns only. Build it once. */
  pick<Name extends keyof C & string>(...names: readonly Name[]): Table<Pick<C, Name>>
  /** Returns the table without these columns. Build it once. */
  omit<Name extends keyof C & string>(...names: readonly Name[]): Table<Omit<C, Name>>
}

/** Schema of a column of numeric, which is a bigint in the code. */
export const units = z.string().transform(BigInt)
/** Schema of a column of timestamptz, which is a Date in the code. */
export const instant = z.string().transform((text) => new Date(text))

type TypeName = 'int2' | 'int4' | 'int8' | 'float4' | 'float8' | 'numeric' | 'bool' | 'date' | 'timestamptz'

/** What a column is besides its schema. */
interface Mark {
  /** The column has another name than in the code. */
  readonly name?: string
  /** The type of a column that is not text, for `insertAll`. */
  readonly type?: TypeName
  /** The column holds a document. */
  readonly document?: 'json' | 'jsonb'
}
const marks = new WeakMap<z.ZodType, Mark>()
const markOf = (schema: z.ZodType): Mark => marks.get(schema) ?? {}

/** Returns a schema of its own, so that other columns may use the given one as it is. */
function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  const own = schema.clone()
  marks.set(own, { ...markOf(schema), ...mark })
  return own
}

/** Marks the schema of a column of jsonb; null is NULL. */
export const json = <S extends z.ZodType>(schema: S): S => marked(schema, { document: 'jsonb' })
/** Marks the schema of a column of json, which keeps the order of members; null is NULL. */
export const jsonAsWritten = <S extends z.ZodType>(schema: S): S => marked(schema, { document: 'json' })
/** Names the type of a column that is not text, for `insertAll`. */
export const typed = <S extends z.ZodType>(type: TypeName, schema: S): S => marked(schema, { type })
/** Gives a column another name than it has in the code. */
export const named = <S extends z.ZodType>(name: string, schema: S): S => marked(schema, { name })

/** Returns a value as a primitive: text for a bigint or a time; undefined for a value that has none. */
function primitive(value: unknown): Primitive | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return String(value)
  return value instanceof Date ? value.toISOString() : undefined
}

/** Returns the parameter for a value of a column: text for a bigint, a time or a document. */
function parameter(schema: z.ZodType, value: unknown): Parameter {
  if (value !== null && value !== undefined && markOf(schema).document !== undefined) return JSON.stringify(value)
  const simple = primitive(value)
  if (simple !== undefined) return simple
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return value as string[]
  throw new TypeError(`a column cannot hold a value of type ${typeof value}`)
}

const comma = sql.fragment`, `
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const identifier = (...names: readonly string[]) => sql.fragment`${sql.identifier(names)}`
const joined = (parts: readonly (null | Fragment)[]) => sql.fragment`${sql.join(parts, comma)}`
/** The text of the parameter of a column. Statements keep their text and get other values. */
function placeholder(schema: z.ZodType): Fragment {
  const { document } = markOf(schema)
  if (document === undefined) return sql.fragment`${null}`
  return document === 'json' ? sql.fragment`${null}::json` : sql.fragment`${null}::jsonb`
}

/**
 * Declares the columns of a table once: their schemas, keyed by their names in the code. Statements take them from here, so
 * that a further column is a migration and a line.
 */
export function table<C extends Columns>(name: string, columns: C): Table<C> {
  const names = Object.keys(columns)
  const columnOf = new Map(Object.entries(columns).map(([key, schema]) => [key, markOf(schema).name ?? snake(key)]))
  const inTable = (key: string) => {
    const found = columnOf.get(key)
    if (found === undefined) throw new TypeError(`${name} has no column ${key}`)
    return found
  }
  const quoted = (key: string) => identifier(inTable(key))
  const selected = (key: string, column: Fragment) =>
    inTable(key) === key ? column : sql.fragment`${column} AS ${identifier(key)}`
  const schemas = Object.entries(columns)
  const columnNames = joined(names.map(quoted))
  const head = sql.fragment`INSERT INTO ${identifier(name)} (${columnNames}) `
  const columnTypes = schemas.map(([, schema]) => markOf(schema).document ?? markOf(schema).type ?? 'text')
  const valueOf = (values: Row<C>, key: string) => values[key]
  const parametersOf = (values: Row<C>) => schemas.map(([key, schema]) => parameter(schema, valueOf(values, key)))
  const placeholders = joined(schemas.map(([, schema]) => placeholder(schema)))
  const inserted = sql.fragment`${head}VALUES (${placeholders})`
  const assigned = schemas.map(([key, schema]) => sql.fragment`${quoted(key)} = ${placeholder(schema)}`)
  const memberOf = (key: string, schema: z.ZodType, value: unknown) => {
    const isDocument = value !== null && markOf(schema).document !== undefined
    const member = isDocument ? JSON.stringify(value) : primitive(value)
    if (member === undefined) throw new TypeError(`${name}.${key} has no bulk insert`)
    return member
  }
  const some = (kept: (key: string) => boolean) =>
    table(name, Object.fromEntries(schemas.filter(([key]) => kept(key)))) as unknown

  return {
    columns,
    row: z.object(columns),
    list: joined(names.map((key) => selected(key, quoted(key)))),
    listOf: (alias) => joined(names.map((key) => selected(key, identifier(alias, inTable(key))))),
    insert: (values) => ({ ...inserted, values: parametersOf(values) }),
    insertAll: (rows) => {
      const tuples = rows.map((row) => schemas.map(([key, schema]) => memberOf(key, schema, valueOf(row, key))))
      return sql.fragment`${head}SELECT * FROM ${sql.unnest(tuples, columnTypes)}`
    },
    names: columnNames,
    values: (values) => ({ ...placeholders, values: parametersOf(values) }),
    onConflict: (key, kept = []) => {
      const replaced = names.filter((one) => !key.includes(one) && !kept.includes(one))
      const set = replaced.map((one) => sql.fragment`${quoted(one)} = excluded.${quoted(one)}`)
      return sql.fragment`ON CONFLICT (${joined(key.map(quoted))}) DO UPDATE SET ${joined(set)}`
    },
    set: (values) =>
      joined(
        schemas.flatMap(([key, schema], at) => {
          const [text, value] = [assigned[at], values[key]]
          return text === undefined || value === undefined ? [] : [{ ...text, values: [parameter(schema, value)] }]
        }),
      ),
    only: (row) => Object.fromEntries(names.map((key) => [key, valueOf(row, key)])) as Row<C>,
    pick: <Name extends keyof C & string>(...picked: readonly Name[]) =>
      some((key) => picked.some((one) => one === key)) as Table<Pick<C, Name>>,
    omit: <Name extends keyof C & string>(...omitted: readonly Name[]) =>
      some((key) => !omitted.some((one) => one === key)) as Table<Omit<C, Name>>,
  }
}
