/** One measured figure. */
export interface Figure {
  readonly what: string
  readonly goal: string
  readonly measured: string
  /** Null = there is no goal, or it cannot be measured here. */
  readonly met: boolean | null
  readonly holdsBack: string
}

/** Figures of one benchmark, and tables that show more than one number. */
export interface Outcome {
  readonly figures: readonly Figure[]
  readonly tables?: readonly {
    readonly title: string
    readonly head: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
}

export interface BenchOptions {
  /** Fewer and shorter rounds, for a look. */
  readonly short: boolean
  /** A folder for disposable data; removed afterwards. */
  readonly dataDir: string
  readonly note: (line: string) => void
}

export type Benchmark = (options: BenchOptions) => Promise<Outcome>

export const percent = (ratio: number) => `${Math.round(ratio * 100)} %`
export const times = (ratio: number) => `${ratio.toFixed(2)} ×`
