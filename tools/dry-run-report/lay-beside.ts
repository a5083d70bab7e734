import { z } from 'zod'

/** What a decision carries besides these names is compared: the amounts. */
const named = new Set(['level', 'time', 'service', 'msg', 'job', 'dry', 'do', 'public_id', 'pid', 'hostname'])

const decisionLine = z.looseObject({
  time: z.iso.datetime({ offset: true }),
  job: z.string().max(60),
  dry: z.boolean(),
  do: z.string().max(60),
  public_id: z.string().max(60),
})

/** A decision of a worker, taken or reported by a dry run. */
export interface Decision {
  /** Minute of the decision, such as 2026-11-22T12:04Z. */
  readonly minute: string
  readonly job: string
  readonly dry: boolean
  /** What was decided, for example `mark` or `fund_leg`. */
  readonly act: string
  readonly publicId: string
  readonly facts: Readonly<Record<string, string>>
}

/** Reads the decisions among lines of a log; all other lines are left out. */
export function decisionsIn(text: string): readonly Decision[] {
  return text.split('\n').flatMap((line) => {
    const parsed = decisionLine.safeParse(jsonOf(line))
    return parsed.success ? [decisionOf(parsed.data)] : []
  })
}

function decisionOf(line: z.output<typeof decisionLine>): Decision {
  const facts = Object.entries(line).filter(
    ([name, value]) => !named.has(name) && ['string', 'number', 'boolean'].includes(typeof value),
  )
  return {
    minute: `${new Date(line.time).toISOString().slice(0, 16)}Z`,
    job: line.job,
    dry: line.dry,
    act: line.do,
    publicId: line.public_id,
    facts: Object.fromEntries(facts.map(([name, value]) => [name, String(value)])),
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** A dry decision beside a live one of the same minute; null on the side that has none. */
export interface Pair {
  readonly dry: Decision | null
  readonly live: Decision | null
  /** Names of the facts that both have with different values. */
  readonly differing: readonly string[]
}

/** Names that are new in every process, so that they say nothing about a decision. */
const ids = new Set(['transfer_id', 'txHash', 'tx_hash'])
const keyOf = ({ minute, job, act, publicId }: Decision) => `${minute} ${job} ${publicId} ${act}`

/** Lays dry decisions beside live ones of the same minute, in the order of time. Repetitions within a minute count once. */
export function layBeside(decisions: readonly Decision[]): readonly Pair[] {
  const pairs = new Map<string, Pair>()
  for (const decision of decisions) {
    const key = keyOf(decision)
    const before = pairs.get(key) ?? { dry: null, live: null, differing: [] }
    const side = decision.dry ? 'dry' : 'live'
    const pair = before[side] === null ? { ...before, [side]: decision } : before
    pairs.set(key, { ...pair, differing: differingIn(pair) })
  }
  return [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
}

const differingIn = ({ dry, live }: Omit<Pair, 'differing'>): readonly string[] =>
  dry === null || live === null
    ? []
    : Object.keys(dry.facts).filter(
        (name) => !ids.has(name) && name in live.facts && dry.facts[name] !== live.facts[name],
      )

/** Whether the two sides of a pair agree. */
export const agrees = ({ dry, live, differing }: Pair): boolean =>
  dry !== null && live !== null && differing.length === 0
