import type { Stage } from './stage.ts'

/** One measured figure. */
export interface Figure {
  readonly what: string
  readonly goal: string
  readonly measured: string
  /** Null: there is no goal, or this machine cannot measure it. */
  readonly met: boolean | null
  readonly holdsBack: string
}

/** Figures of one benchmark, and tables for series of numbers. */
export interface Outcome {
  readonly figures: readonly Figure[]
  readonly tables?: readonly {
    readonly title: string
    readonly head: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
}

export interface BenchOptions {
  /** Whether to run fewer and shorter rounds, for a quick look. */
  readonly short: boolean
  /** A folder for disposable data; removed afterwards. */
  readonly dataDir: string
  /** Returns the stage that benchmarks share; it stops at the end of the run. */
  readonly shared: () => Promise<Stage>
  readonly note: (line: string) => void
}

export type Benchmark = (options: BenchOptions) => Promise<Outcome>

export const percent = (ratio: number) => `${Math.round(ratio * 100)} %`
export const times = (ratio: number) => `${ratio.toFixed(2)} ×`
