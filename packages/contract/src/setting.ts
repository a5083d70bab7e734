import { readFileSync } from 'node:fs'
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
  readonly doc: string
}

/** Declares a setting. */
export function setting<const D extends SettingDeclaration>(declaration: D): D {
  return declaration
}

export type Environment = Readonly<Record<string, string | undefined>>

export type SettingsOf<G extends { readonly [key: string]: SettingDeclaration }> = {
  readonly [K in keyof G]: G[K]['default'] extends null ? z.output<G[K]['schema']> | null : z.output<G[K]['schema']>
}

/** A setting is missing or wrong: the process must not start. The value itself is never in the message. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/**
 * Reads settings from an environment. Absent → default; present but invalid → `SettingError`
 * that names the setting and the reason, without its value.
 */
export function loadSettings<const G extends { readonly [key: string]: SettingDeclaration }>(
  group: G,
  environment: Environment,
): SettingsOf<G> {
  const read = ([key, declared]: [string, SettingDeclaration]) => {
    const file = environment[`${declared.env}_FILE`]
    const raw =
      environment[declared.env] ??
      (file === undefined ? undefined : readFileSync(file, 'utf8').trim()) ??
      (declared.oldEnv === undefined ? undefined : environment[declared.oldEnv]) ??
      declared.default
    if (raw === undefined) throw new SettingError(`${declared.env} is required: ${declared.doc}`)
    if (raw === null) return [key, null]
    const parsed = declared.schema.safeParse(raw)
    if (!parsed.success)
      throw new SettingError(`${declared.env} is invalid: ${parsed.error.issues[0]?.message}. ${declared.doc}`)
    return [key, parsed.data]
  }
  return Object.fromEntries(Object.entries(group).map(read)) as SettingsOf<G>
}
