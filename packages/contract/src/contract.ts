import type { z } from 'zod'
import type { Operation, OperationDeclaration } from './operation.ts'
import type { SettingDeclaration } from './setting.ts'

/**
 * Declaration of an event: a fact in the past tense that other services may consume. Its payload may only gain members.
 */
export interface EventDeclaration {
  readonly summary: string
  readonly payload: z.ZodObject
  /**
   * Its effect is a payout, a credit, a debit, a transfer or an entry of the record: a consumer that could not process it tries again
   * until it succeeds or a person acts, and a person is called at once.
   */
  readonly money?: true
}

/** Declared event with its subject `evt.<service>.<event>`. */
export type Event<D extends EventDeclaration = EventDeclaration> = D & {
  readonly service: string
  readonly key: string
  readonly subject: string
}

/** Declares an event. */
export function event<const D extends EventDeclaration>(declaration: D): D {
  return declaration
}

/**
 * Declaration of background work: at most `max` items and `budgetSec` seconds a tick. The next tick runs at the time
 * that the job returns, otherwise after `everyMs`, and at once when one of `wokenBy` occurs.
 */
export interface JobDeclaration {
  readonly summary: string
  readonly everyMs: number
  /**
   * Operations and jobs of this service, and events that it consumes (`<service>.<event>`), that may create work for
   * this job.
   */
  readonly wokenBy?: readonly string[]
  readonly max: number
  readonly budgetSec: number
  /** Runs in every process that holds a part of the service's shares, on that part; without it the leader alone runs it. */
  readonly shared?: true
  /** Key of the service's setting that turns on the dry run of this job. */
  readonly dryRun?: string
  /** Figures of the report that the heartbeat of the service tells. */
  readonly tells?: readonly string[]
}

/** Declares a job. */
export function job<const D extends JobDeclaration>(declaration: D): D {
  return declaration
}

export interface ContractParts {
  /** Purpose of the service in one line. */
  readonly title: string
  readonly operations: { readonly [key: string]: OperationDeclaration }
  readonly events?: { readonly [key: string]: EventDeclaration }
  readonly jobs?: { readonly [key: string]: JobDeclaration }
  readonly settings?: { readonly [key: string]: SettingDeclaration }
  /** Events of other services that this service reacts to, as `<service>.<event>`. */
  readonly consumes?: readonly string[]
  /**
   * Image that this service shares with others, as a process of its own with its own credentials, schema and settings. The
   * last word of the name is the role: its project is `services/<image>/<role>`.
   */
  readonly roleOf?: string
  /** Whether the service owns a Postgres schema; default true. */
  readonly postgres?: boolean
  /** Buckets of the object store that this service writes and the gateway reads. */
  readonly buckets?: readonly string[]
  /** Lifetime of a file in these buckets, seconds; without it a file stays until it is removed. */
  readonly filesKeptSec?: number
}

export interface Contract<P extends ContractParts = ContractParts> {
  readonly name: string
  readonly title: string
  readonly operations: { readonly [K in keyof P['operations']]: Operation<P['operations'][K]> }
  readonly events: {
    readonly [K in keyof P['events']]: P['events'][K] extends EventDeclaration ? Event<P['events'][K]> : never
  }
  readonly jobs: P['jobs'] extends object ? P['jobs'] : Record<never, JobDeclaration>
  readonly settings: P['settings'] extends object ? P['settings'] : Record<never, SettingDeclaration>
  readonly consumes: readonly string[]
  readonly roleOf: string | null
  readonly postgres: boolean
  readonly buckets: readonly string[]
  readonly filesKeptSec: number | null
}

const NAME = /^[a-z]+(-[a-z]+)*$/
const KEY = /^[a-z][A-Za-z0-9]*$/

/**
 * Declares everything that a service offers and needs. Subjects, routes, clients, permissions, documents and tests are
 * derived from the returned value. Throws if a name or a reference is wrong.
 */
export function contract<const P extends ContractParts>(name: string, parts: P): Contract<P> {
  if (!NAME.test(name)) throw new Error(`contract name "${name}" must be kebab-case`)
  const named = <D extends object>(group: { readonly [key: string]: D } | undefined, extra: (key: string) => object) =>
    Object.fromEntries(
      Object.entries(group ?? {}).map(([key, declaration]) => {
        if (!KEY.test(key)) throw new Error(`${name}.${key}: keys must be camelCase`)
        return [key, { ...declaration, service: name, key, ...extra(key) }]
      }),
    )
  const wakers = new Set([...Object.keys({ ...parts.operations, ...parts.jobs }), ...(parts.consumes ?? [])])
  for (const [key, { wokenBy = [], dryRun }] of Object.entries(parts.jobs ?? {})) {
    for (const waker of wokenBy)
      if (!wakers.has(waker))
        throw new Error(`${name}.${key} lists ${waker} in wokenBy, which ${name} neither declares nor consumes`)
    if (dryRun !== undefined && !Object.hasOwn(parts.settings ?? {}, dryRun))
      throw new Error(`${name}.${key} names the dry-run setting ${dryRun}, which ${name} does not declare`)
  }
  return {
    name,
    title: parts.title,
    operations: named(parts.operations, () => ({})),
    events: named(parts.events, (key) => ({ subject: `evt.${name}.${key}` })),
    jobs: parts.jobs ?? {},
    settings: parts.settings ?? {},
    consumes: parts.consumes ?? [],
    roleOf: parts.roleOf ?? null,
    postgres: parts.postgres ?? true,
    buckets: parts.buckets ?? [],
    filesKeptSec: parts.filesKeptSec ?? null,
  } as unknown as Contract<P>
}

/**
 * Returns the subject on which `caller` calls an operation. The subject contains the caller, so that NATS permissions
 * prove its identity.
 */
export function subjectOf(target: { readonly service: string; readonly key: string }, caller: string): string {
  return `rpc.${target.service}.${caller}.${target.key}`
}

/** Returns the name of the JetStream stream of a service's events. */
export function streamOf(service: string): string {
  return `EVT_${service.toUpperCase().replaceAll('-', '_')}`
}

/** Returns the name of the JetStream stream behind a bucket of the object store. */
export function streamOfBucket(bucket: string): string {
  return `OBJ_${bucket}`
}

/** Returns the name of the durable consumer of one event in one service. */
export function consumerOf(consumer: string, event: string): string {
  return `${consumer}--${event}`
}

/** Where a service lives in the repository; every path is relative to its root. */
export interface Place {
  readonly image: string
  /** Folder of its project. */
  readonly folder: string
  readonly sources: string
  readonly main: string
  readonly migrations: string
  /** Page that describes its Postgres schema. */
  readonly schemaPage: string
}

/** Returns where a service lives. */
export function placeOf({ name, roleOf }: Pick<Contract, 'name' | 'roleOf'>): Place {
  const image = roleOf ?? name
  const folder = roleOf === null ? `services/${image}` : `services/${image}/${name.slice(name.lastIndexOf('-') + 1)}`
  return {
    image,
    folder,
    sources: `${folder}/src`,
    main: `${folder}/src/main.ts`,
    migrations: `${folder}/migrations`,
    schemaPage: `${folder}/schema.md`,
  }
}

/** Returns the name of the Postgres schema of a service. */
export function schemaOf(service: string): string {
  return service.replaceAll('-', '_')
}
