import { packLines, unpackLines } from '#compressed-lines.ts'
import type { CrisisState } from './rules/crisis.ts'

/** State of the crisis rules of one process between minutes. A new process rebuilds it from the database. */
export interface CrisisWatch {
  /** States by token instance. */
  readonly states: Map<string, CrisisState>
  /** Last judged minute, milliseconds; null before the state was restored. */
  minute: number | null
  /** When the open episodes of the database were last merged into the states, milliseconds; null before the first time. */
  comparedAt: number | null
}

export const crisisWatch = (): CrisisWatch => ({ states: new Map(), minute: null, comparedAt: null })

type Entry = readonly [instanceId: string, state: CrisisState]

/** Compresses states of tokens in small steps, so that the event loop is not blocked. */
export const packStates = (entries: readonly Entry[]): Promise<Buffer> => packLines(entries)

export const unpackStates = (bytes: Buffer): Promise<readonly Entry[]> => unpackLines(bytes, (value) => value as Entry)
