import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'

/** One environment setting. `NAME_FILE` may name a file that holds the value instead. */
export interface SettingDeclaration {
  readonly env: string
  /** Earlier name, still read where `env` is not given. */
  readonly oldEnv?: string
  /** Parses the raw text; coerce inside the schema. */
  readonly schema: z.ZodType
  /** Text used when nothing is given; absent = required. `null` = optional and null when not given. */
  readonly default?: string | null
  readonly secret?: boolean
  /**
   * Read at every use: a file of this name in the folder `SVC_SWITCHES_DIR` wins over the environment, and a change of
   * it holds without a restart.
   */
  readonly live?: boolean
  readonly doc: string
}

/** Declares a setting. */
export function setting<const D extends SettingDeclaration>(declaration: D): D {
  return declaration
}

export type Environment = Readonly<Record<string, string | undefined>>

type SettingGroup = { readonly [key: string]: SettingDeclaration }

/** Values of a group. A live setting is a getter: read it where it is used, and never copy it at the start. */
export type SettingsOf<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K]['default'] extends null ? z.output<G[K]['schema']> | null : z.output<G[K]['schema']>
}

/** A setting is missing or wrong: the process must not start. The value itself is never in the message. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** Name of the setting that names the folder with the files of live settings. */
export const SWITCHES_DIR = 'SVC_SWITCHES_DIR'

/** A live file is looked at again at most this often, so that requests share one look. */
const LOOK_AGAIN_MS = 10

/** Called once for each text of a live file that cannot be used; the last good value stays. */
export type OnBadLiveValue = (env: string, reason: string) => void

/**
 * Reads settings from an environment. Absent → default; present but invalid → `SettingError` that names the setting and
 * the reason, without its value. A live setting that becomes invalid later keeps its last good value and calls `onBad`.
 */
export function loadSettings<const G extends SettingGroup>(
  group: G,
  environment: Environment,
  onBad: OnBadLiveValue = () => {},
): SettingsOf<G> {
  const settings = {}
  for (const [key, declared] of Object.entries(group)) {
    const enumerable = true
    if (declared.live === true)
      Object.defineProperty(settings, key, { enumerable, get: liveReader(declared, environment, onBad) })
    else Object.defineProperty(settings, key, { enumerable, value: parse(declared, textOf(declared, environment)) })
  }
  return settings as SettingsOf<G>
}

/** Names that an environment may carry for the settings of these groups. */
export function settingNames(groups: readonly SettingGroup[]): ReadonlySet<string> {
  const names = groups.flatMap((group) =>
    Object.values(group).flatMap(({ env, oldEnv }) => [env, `${env}_FILE`, ...(oldEnv === undefined ? [] : [oldEnv])]),
  )
  return new Set(names)
}

/** Names of an environment that look like settings of the product and are not among the declared ones, sorted. */
export function undeclaredNames(environment: Environment, declared: ReadonlySet<string>): string[] {
  return Object.keys(environment)
    .filter((name) => /^(HUB|SVC)_/.test(name) && environment[name] !== undefined && !declared.has(name))
    .sort()
}

function parse(declared: SettingDeclaration, text: string | null | undefined): unknown {
  if (text === undefined) throw new SettingError(`${declared.env} is required: ${declared.doc}`)
  if (text === null) return null
  const parsed = declared.schema.safeParse(text)
  if (!parsed.success)
    throw new SettingError(`${declared.env} is invalid: ${parsed.error.issues[0]?.message}. ${declared.doc}`)
  return parsed.data
}

function textOf(declared: SettingDeclaration, environment: Environment): string | null | undefined {
  const { env, oldEnv } = declared
  const file = environment[`${env}_FILE`]
  return (
    environment[env] ??
    (file === undefined ? undefined : fileText(env, file)?.trim()) ??
    (oldEnv === undefined ? undefined : environment[oldEnv]) ??
    declared.default
  )
}

function fileText(env: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new SettingError(`${env} cannot be read: its file is missing or not readable.`)
  }
}

/** Text of a live setting's own file; undefined where the folder has none. */
function liveText(env: string, folder: string): string | undefined {
  try {
    return readFileSync(join(folder, env), 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined
    throw new SettingError(`${env} cannot be read: its file in ${SWITCHES_DIR} is not readable.`)
  }
}

/** The value of a live setting at the time of each call. Throws `SettingError` at once when the first one is bad. */
function liveReader(declared: SettingDeclaration, environment: Environment, onBad: OnBadLiveValue): () => unknown {
  const given = parse(declared, textOf(declared, environment))
  const folder = environment[SWITCHES_DIR]
  if (folder === undefined) return () => given
  let text = liveText(declared.env, folder)
  let value = text === undefined ? given : parse(declared, text)
  let problem: string | null = null
  let lookedAt = performance.now()
  return () => {
    if (performance.now() - lookedAt < LOOK_AGAIN_MS) return value
    try {
      const found = liveText(declared.env, folder)
      if (found !== text || problem !== null) {
        text = found
        value = found === undefined ? given : parse(declared, found)
        problem = null
      }
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      // Once for each problem: the file is looked at a hundred times a second.
      if (problem !== error.message) onBad(declared.env, error.message)
      problem = error.message
    }
    lookedAt = performance.now()
    return value
  }
}
