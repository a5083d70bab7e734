import type { Contract, JobDeclaration } from '@svc/contract'
import { z } from 'zod'

const line = z.looseObject({
  time: z.iso.datetime({ offset: true }),
  service: z.string().max(60),
  job: z.string().max(60),
  dry: z.literal(true),
  do: z.string().max(60).optional(),
  public_id: z.string().max(60).optional(),
})
type Line = z.output<typeof line>

/** What a worker in dry run would have done. */
export interface DryWorker {
  readonly service: string
  readonly job: string
  /** Decisions that it logged, by what would have been done. */
  readonly acts: ReadonlyMap<string, number>
  /** Mandates that the decisions are about. */
  readonly mandates: number
  /** Sums of the figures in the reports of its runs, such as `done`; runs that found nothing report nothing. */
  readonly figures: ReadonlyMap<string, number>
  readonly lastAt: string | null
}

const DAY_MS = 86_400_000

/** Reads the lines of dry runs among lines of logs of the day that ends at a time. */
export function dryLinesIn(text: string, until: Date): readonly Line[] {
  return text.split('\n').flatMap((one) => {
    if (!one.includes('"dry":true')) return []
    const parsed = line.safeParse(jsonOf(one))
    const at = parsed.success ? Date.parse(parsed.data.time) : Number.NaN
    return parsed.success && at <= until.getTime() && at > until.getTime() - DAY_MS ? [parsed.data] : []
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns every worker that can run dry, with what its lines say; those without a line too. */
export function lastDay(contracts: readonly Contract[], lines: readonly Line[]): readonly DryWorker[] {
  return contracts.flatMap(({ name: service, jobs }) =>
    Object.entries<JobDeclaration>(jobs)
      .filter(([, { dryRun }]) => dryRun !== undefined)
      .map(([job]) =>
        workerOf(
          service,
          job,
          lines.filter((one) => one.service === service && one.job === job),
        ),
      ),
  )
}

function workerOf(service: string, job: string, lines: readonly Line[]): DryWorker {
  const acts = new Map<string, number>()
  const figures = new Map<string, number>()
  const mandates = new Set<string>()
  for (const one of lines) {
    if (one.public_id !== undefined) mandates.add(one.public_id)
    if (one.do !== undefined) acts.set(one.do, (acts.get(one.do) ?? 0) + 1)
    else
      for (const [name, value] of Object.entries(one))
        if (typeof value === 'number' && !STAMPS.has(name)) figures.set(name, (figures.get(name) ?? 0) + value)
  }
  const lastAt =
    lines
      .map(({ time }) => time)
      .sort()
      .at(-1) ?? null
  return { service, job, acts, mandates: mandates.size, figures, lastAt }
}

/** Numbers of a line that are no figures of a run; a block is a place, not an amount. */
const STAMPS: ReadonlySet<string> = new Set(['level', 'pid', 'next_block'])

const listed = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, n]) => `${name} ${n}`).join(', ')

/** Returns a worker as a line of text. */
export function textOf({ service, job, acts, mandates, figures, lastAt }: DryWorker): string {
  const head = `${service.padEnd(14)} ${job.padEnd(18)}`
  if (lastAt === null) return `${head} nothing logged: it found nothing to do, runs live, or did not run`
  const would = acts.size === 0 ? '' : `would: ${listed(acts)} (${mandates} mandates)`
  const ran = figures.size === 0 ? '' : `reports: ${listed(figures)}`
  return `${head} ${[would, ran, `last ${lastAt}`].filter(Boolean).join('; ')}`
}
