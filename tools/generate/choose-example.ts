import { storedFile, type Contract } from '@svc/contract'
import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import { z } from 'zod'

/** A recorded answer: `<service>.<operation> <status>` and its body as JSON text. */
export interface Candidate {
  readonly key: string
  readonly body: string
}

/** How much of a recorded answer is kept. */
interface Size {
  readonly entriesMax: number
  readonly charsMax: number
}
/** Readers of documents are charged for what they read. */
const EXAMPLE: Size = { entriesMax: 1, charsMax: 800 }
/** With one leg, an opportunity could not be understood. */
const SAMPLE: Size = { entriesMax: 3, charsMax: 2_000 }

/** Returns the value with at most so many items in each list. */
function shortened(value: unknown, entriesMax: number): unknown {
  if (Array.isArray(value)) return value.slice(0, entriesMax).map((one) => shortened(one, entriesMax))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, entriesMax)]))
}

/** Counts the members that say something: not null, and no empty text. An empty list says that there is nothing. */
function saying(value: unknown): number {
  if (typeof value !== 'object' || value === null) return value === null || value === '' ? 0 : 1
  if (Array.isArray(value) && value.length === 0) return 0.5
  return Object.values(value).reduce((sum: number, member) => sum + saying(member), 0)
}

/** Returns true for an answer that is sent as a file. */
const namesFile = (schema: z.ZodType) => schema instanceof z.ZodObject && schema.shape['file'] === storedFile

/** Returns the schema of every successful answer in JSON that has a route, by its key. */
function answersOf(contracts: readonly Contract[]): ReadonlyMap<string, z.ZodType> {
  const answers = contracts.flatMap(({ name, operations }) =>
    Object.values(operations)
      .filter(({ http, stream }) => http !== undefined && stream === undefined)
      .flatMap(({ key, success }) =>
        Object.entries(success).flatMap(([status, schema]): [string, z.ZodType][] =>
          namesFile(schema) ? [] : [[`${name}.${key} ${status}`, schema]],
        ),
      ),
  )
  return new Map(answers)
}

/** Schemas of the samples of the feeds, by their key among the recorded items. */
const feedItems: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(feeds).map(([key, { data }]) => [`feed.${key}`, data]),
)

interface Choice {
  readonly chosen: Record<string, unknown>
  /** Keys without an example. */
  readonly missing: string[]
}

/**
 * Keeps each known example that its schema accepts, and chooses for the others the recorded answer that says most in
 * few characters. Returns the examples sorted by their keys, and the keys that have none.
 */
export const choose = (
  contracts: readonly Contract[],
  known: Readonly<Record<string, unknown>>,
  candidates: readonly Candidate[],
): Choice => chooseAmong(answersOf(contracts), known, candidates, EXAMPLE)

/** Chooses the sample of each feed in the same way, with up to three items in each list. */
export function chooseSamples(known: Readonly<Record<string, unknown>>, candidates: readonly Candidate[]): Choice {
  const named = Object.fromEntries(Object.entries(known).map(([key, sample]) => [`feed.${key}`, sample]))
  const { chosen, missing } = chooseAmong(feedItems, named, candidates, SAMPLE)
  return {
    chosen: Object.fromEntries(Object.entries(chosen).map(([key, sample]) => [key.slice('feed.'.length), sample])),
    missing,
  }
}

function chooseAmong(
  schemas: ReadonlyMap<string, z.ZodType>,
  known: Readonly<Record<string, unknown>>,
  candidates: readonly Candidate[],
  { entriesMax, charsMax }: Size,
): Choice {
  const chosen: Record<string, unknown> = {}
  const missing: string[] = []
  for (const [key, schema] of [...schemas].toSorted(([one], [other]) => one.localeCompare(other))) {
    const recorded = candidates
      .filter((candidate) => candidate.key === key)
      .map(({ body }) => JSON.parse(body) as unknown)
    const valid = (bodies: readonly unknown[]) => bodies.filter((body) => schema.safeParse(body).success)
    const short = valid(recorded.map((body) => shortened(body, entriesMax)))
    const best = (short.length > 0 ? short : valid(recorded))
      .map((body) => ({ body, long: JSON.stringify(body).length > charsMax, says: saying(body) }))
      .toSorted((one, other) => Number(one.long) - Number(other.long) || other.says - one.says)[0]
    if (key in known && schema.safeParse(known[key]).success) chosen[key] = known[key]
    else if (best !== undefined) chosen[key] = best.body
    else missing.push(key)
  }
  return { chosen, missing }
}
