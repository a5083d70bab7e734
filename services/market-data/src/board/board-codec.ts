import { createHash } from 'node:crypto'
import { boardRow, type BoardRow } from '@svc/contracts/market-data/board'
import { decompress, packObjects, readObjects } from '#compressed-lines.ts'
import { membersOf, type Members } from '#named-members.ts'
import { boardInputs, carried, tokenInput, type BoardInputs } from './rules/board-inputs.ts'
import type { BoardEntry } from './rules/board.ts'
import { COMPONENTS, gpaIsLowerBound } from './rules/grades.ts'

const TOKEN_MEMBERS = membersOf(tokenInput)
const ENTRY_MEMBERS: Members = [
  ['row', 'object', membersOf(boardRow)],
  'instance_id',
  'predecessor_id',
  'missing',
  'n_peers',
  ['values', 'object', COMPONENTS],
  ['percentiles', 'object', COMPONENTS],
  ['counts', 'object', COMPONENTS],
  [
    'risk',
    'object',
    ['score', 'reason', ['factors', 'list', ['key', 'value', 'percentile', 'points']], 'model_version', 'n_peers'],
  ],
  'lifecycle_cause',
  ['carried', 'object', membersOf(carried)],
]

/** Compresses the inputs of a board; `sha256` is the hash of their text, by which others name them. */
export async function packInputs({
  tokens,
  ...head
}: BoardInputs): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const hash = createHash('sha256')
  const bytes = await packObjects(head, tokens, TOKEN_MEMBERS, (text) => hash.update(text))
  return { bytes, sha256: hash.digest('hex') }
}

/** Returns the inputs that `packInputs` compressed. Throws if their text has another hash than `sha256`. */
export async function unpackInputs(bytes: Buffer, sha256: string): Promise<BoardInputs> {
  const text = await decompress(bytes)
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw new Error(`the stored inputs do not have the hash ${sha256}.`)
  const { head, objects } = await readObjects(text, (object) => object)
  const [first, ...tokens] = head === null ? objects : [head, ...objects]
  return boardInputs.parse({ ...first, tokens })
}

export const packEntries = (entries: readonly BoardEntry[]): Promise<Buffer> => packObjects({}, entries, ENTRY_MEMBERS)

/** Returns the entries that `packEntries` compressed. They come from our own table and are not validated. */
export async function unpackEntries(bytes: Buffer): Promise<readonly BoardEntry[]> {
  const { objects } = await readObjects(await decompress(bytes), (entry) => withEveryMember(entry as BoardEntry))
  return objects
}

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
