/** A step of the record, as the polling read answers it. */
export interface RecordStep {
  readonly id: string
  readonly group: string
  readonly seq: number
  readonly at: string
  readonly kind: string
  readonly source: string
  readonly tx_hash: string | null
  readonly body: Readonly<Record<string, unknown>>
}

/** What is known of a record: its steps by id, and where to read on. */
export interface KnownRecord {
  readonly steps: ReadonlyMap<string, RecordStep>
  readonly since: string
}

/** Nothing read yet. */
export const unreadRecord: KnownRecord = { steps: new Map(), since: '0' }

/** One answer of the polling read. */
export interface RecordAnswer {
  readonly steps: readonly RecordStep[]
  readonly next_since: string
}

/** Returns what is known after an answer: its groups replace those of before as a whole, its steps those of the same id. */
export function withAnswer(known: KnownRecord, { steps, next_since }: RecordAnswer): KnownRecord {
  if (steps.length === 0) return known.since === next_since ? known : { ...known, since: next_since }
  const groups = new Set(steps.map(({ group }) => group))
  const kept = [...known.steps].filter(([, step]) => !groups.has(step.group))
  return { steps: new Map([...kept, ...steps.map((step) => [step.id, step] as const)]), since: next_since }
}

/** Returns the entries in their order. The step `proved` is no entry: it says how far the chain has confirmed the others. */
export const entriesOf = ({ steps }: KnownRecord): readonly RecordStep[] =>
  [...steps.values()].filter(({ kind }) => kind !== 'proved').toSorted((one, other) => one.seq - other.seq)

/** Returns up to which entry the chain has proved the record; null if it has proved none. */
export const provedUpTo = ({ steps }: KnownRecord): number | null => steps.get('proved')?.seq ?? null

/** Returns a text of the body of an entry; null if it is absent or no text. */
export function bodyText({ body }: Pick<RecordStep, 'body'>, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' ? value : null
}

/** Returns a whole number of the body of an entry; null if it is absent or none. */
export function bodyNumber({ body }: Pick<RecordStep, 'body'>, name: string): number | null {
  const value = body[name]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Returns an object of the body of an entry; an empty one if it is absent. */
export function bodyPart({ body }: Pick<RecordStep, 'body'>, name: string): Readonly<Record<string, unknown>> {
  const value = body[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
