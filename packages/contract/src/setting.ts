import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'

/**
 * Declaration of an environment setting. `NAME_FILE` may name a file that contains the value instead; a secret may also be
 * the file of its name in the folder `SVC_SECRETS_DIR`.
 */
export interface SettingDeclaration {
  readonly env: string
  /** Earlier name of the setting; read if `env` is not set. */
  readonly oldEnv?: string
  /** Parses the raw text; coerce inside the schema. */
  readonly schema: z.ZodType
  /**
   * Text that is parsed if the setting is not set; absent: the setting is required; `null`: the setting is optional and
   * null if not set.
   */
  readonly default?: string | null
  readonly secret?: boolean
  /**
   * Read at every use. A file of this name in the folder `SVC_SWITCHES_DIR` overrides the environment, and a change of
   * the file applies without a restart.
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

/**
 * Values of a group of settings. A live setting is a getter: read it where it is used, and never copy it at the start.
 */
export type SettingsOf<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K]['default'] extends null ? z.output<G[K]['schema']> | null : z.output<G[K]['schema']>
}

/** A setting is missing or invalid: the process must not start. The message never contains the value. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** Name of the setting for the folder with the files of live settings. */
export const SWITCHES_DIR = 'SVC_SWITCHES_DIR'

/** Name of the setting for the folder with the files of secrets. */
export const SECRETS_DIR = 'SVC_SECRETS_DIR'

/** Minimum time between two reads of a live file, so that requests share a read. */
const LOOK_AGAIN_MS = 10

/** Called once for each unusable text of a live file; the last valid value stays in force. */
export type OnBadLiveValue = (env: string, reason: string) => void

/**
 * Reads settings from an environment. A setting that is not set has its default. Throws `SettingError` for an invalid
 * setting; the message names the setting and the reason, without the value. A live setting that becomes invalid later
 * keeps its last valid value and calls `onBad`.
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

/** Returns the names of environment variables that the settings of these groups may use. */
export function settingNames(groups: readonly SettingGroup[]): ReadonlySet<string> {
  const names = groups.flatMap((group) =>
    Object.values(group).flatMap(({ env, oldEnv }) => [env, `${env}_FILE`, ...(oldEnv === undefined ? [] : [oldEnv])]),
  )
  return new Set(names)
}

/** Returns the names in an environment that look like settings of the product but are not declared, sorted. */
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
    secretText(declared, environment[SECRETS_DIR]) ??
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

/**
 * Returns the text of a secret in the folder of secrets; undefined without such a file. A store of secrets has an entry for
 * each name, so that an empty file also means that the secret is not set.
 */
function secretText({ env, secret }: SettingDeclaration, folder: string | undefined): string | undefined {
  if (secret !== true || folder === undefined) return undefined
  const text = textIn(folder, env, SECRETS_DIR)
  return text === '' ? undefined : text
}

/** Returns the text of the file of a setting in a folder; undefined without such a file. */
function textIn(folder: string, env: string, folderSetting: string): string | undefined {
  try {
    return readFileSync(join(folder, env), 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined
    throw new SettingError(`${env} cannot be read: its file in ${folderSetting} is not readable.`)
  }
}

/**
 * Returns a function that reads the current value of a live setting. Throws `SettingError` at once if the first value
 * is invalid.
 */
function liveReader(declared: SettingDeclaration, environment: Environment, onBad: OnBadLiveValue): () => unknown {
  const given = parse(declared, textOf(declared, environment))
  const folder = environment[SWITCHES_DIR]
  if (folder === undefined) return () => given
  let text = textIn(folder, declared.env, SWITCHES_DIR)
  let value = text === undefined ? given : parse(declared, text)
  let problem: string | null = null
  let lookedAt = performance.now()
  return () => {
    if (performance.now() - lookedAt < LOOK_AGAIN_MS) return value
    try {
      const found = textIn(folder, declared.env, SWITCHES_DIR)
      if (found !== text || problem !== null) {
        text = found
        value = found === undefined ? given : parse(declared, found)
        problem = null
      }
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      // Report each problem once: the file is read up to a hundred times a second.
      if (problem !== error.message) onBad(declared.env, error.message)
      problem = error.message
    }
    lookedAt = performance.now()
    return value
  }
}
