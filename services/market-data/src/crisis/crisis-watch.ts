import { packLines, unpackLines } from '#compressed-lines.ts'
import type { Closes } from './rules/crisis-inputs.ts'
import type { CrisisState, NotJudged } from './rules/crisis.ts'

/** State of the crisis rules of one process between minutes. A new process rebuilds it from the database. */
export interface CrisisWatch {
  /** States by token instance. */
  readonly states: Map<string, CrisisState>
  /** Last judged minute, milliseconds; null before the state was restored. */
  minute: number | null
  /** When the open episodes of the database were last merged into the states, milliseconds; null before the first time. */
  comparedAt: number | null
  /** Closes of candles by instance, and when the newest of them were read, milliseconds. */
  readonly closes: Map<number, Closes>
  closesReadAt: number
  /** Rules that cannot be judged by instance, as they are stored; null if they have to be read. */
  notJudged: Map<number, readonly NotJudged[]> | null
}

export const crisisWatch = (): CrisisWatch => ({
  states: new Map(),
  minute: null,
  comparedAt: null,
  closes: new Map(),
  closesReadAt: 0,
  notJudged: null,
})

type Entry = readonly [instanceId: string, state: CrisisState]

/** Compresses states of tokens in small steps, so that the event loop is not blocked. */
export const packStates = (entries: readonly Entry[]): Promise<Buffer> => packLines(entries)

export const unpackStates = (bytes: Buffer): Promise<readonly Entry[]> => unpackLines(bytes, (value) => value as Entry)
