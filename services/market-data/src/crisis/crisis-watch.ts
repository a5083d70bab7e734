import { packLines, unpackLines } from '#compressed-lines.ts'
import type { CrisisState } from './rules/crisis.ts'

/** What one process remembers of the market between minutes. It is rebuilt from the database when the process is new. */
export interface CrisisWatch {
  /** By token instance. */
  readonly states: Map<string, CrisisState>
  /** Last minute that was judged, milliseconds; null before anything was read. */
  minute: number | null
  /** Whether the episodes of the database and those of the states were compared since the start. */
  compared: boolean
}

export const crisisWatch = (): CrisisWatch => ({ states: new Map(), minute: null, compared: false })

type Entry = readonly [instanceId: string, state: CrisisState]

/** States of some tokens, compressed, a few at a time so that nothing else is held up. */
export const packStates = (entries: readonly Entry[]): Promise<Buffer> => packLines(entries)

export const unpackStates = (bytes: Buffer): Promise<readonly Entry[]> => unpackLines(bytes, (value) => value as Entry)
