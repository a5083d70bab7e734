import { createHash } from 'node:crypto'
import { boardRow, type BoardRow } from '@svc/contracts/market-data/board'
import { decompress, packLines, readLines, unpackLines } from '#compressed-lines.ts'
import { boardInputs, type BoardInputs } from './rules/board-inputs.ts'
import type { BoardEntry } from './rules/board.ts'
import { gpaIsLowerBound } from './rules/grades.ts'

/** Compresses the inputs of a board; `sha256` is the hash of their text, by which others name them. */
export async function packInputs({
  tokens,
  ...head
}: BoardInputs): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const hash = createHash('sha256')
  const bytes = await packLines([head, ...tokens], (text) => hash.update(text))
  return { bytes, sha256: hash.digest('hex') }
}

/** Returns the inputs that `packInputs` compressed. Throws if their text has another hash than `sha256`. */
export async function unpackInputs(bytes: Buffer, sha256: string): Promise<BoardInputs> {
  const text = await decompress(bytes)
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw new Error(`the stored inputs do not have the hash ${sha256}.`)
  const [head, ...tokens] = await readLines(text, (value) => value)
  return boardInputs.parse({ ...(head as object), tokens })
}

export const packEntries = (entries: readonly BoardEntry[]): Promise<Buffer> => packLines(entries)

/** Returns the entries that `packEntries` compressed. They come from our own table and are not validated. */
export const unpackEntries = (bytes: Buffer): Promise<readonly BoardEntry[]> =>
  unpackLines(bytes, (value) => withEveryMember(value as BoardEntry))

const MEMBERS = Object.keys(boardRow.shape) as (keyof BoardRow)[]

/** Adds the members that rows of an older board do not have, in the order in which a board of today has them. */
function withEveryMember(entry: BoardEntry): BoardEntry {
  const { row } = entry
  const sourced = row.flags.every((flag) => Object.hasOwn(flag, 'source'))
  if (sourced && MEMBERS.every((member) => Object.hasOwn(row, member))) return entry
  const added: Partial<BoardRow> = {
    name_from: row.name === null ? null : row.exchange,
    risk_score: entry.risk?.score ?? null,
    gpa_is_lower_bound: gpaIsLowerBound(row.gpa, row.grades.depth, row.depth_is_lower_bound),
  }
  const flags = row.flags.map((flag) => ({
    ...flag,
    source: flag.source ?? null,
    published_at: flag.published_at ?? null,
    lateness_seconds: flag.lateness_seconds ?? null,
  }))
  const known = { ...row, flags }
  const members = MEMBERS.map((member) => [
    member,
    Object.hasOwn(known, member) ? known[member] : (added[member] ?? null),
  ])
  return { ...entry, row: Object.fromEntries(members) as unknown as BoardRow }
}
