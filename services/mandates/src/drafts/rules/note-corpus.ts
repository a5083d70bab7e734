/**
 * A note with its expected reading: the fields that the note sets (`b` budget, `t` per transaction, `d` daily, `s` stop
 * line, `a` approval above or `anone`, `f` fee in bps, `e` length in days, `u` last day, `m` markets, `n` name), then after
 * `!` the codes of all problems. The preset sets the other fields.
 */
export type CorpusNote = readonly [note: string, reading: string]

/** Notes of one origin. */
export interface CorpusGroup {
  readonly idea: string
  /** Written to be misread. */
  readonly adversarial?: true
  readonly notes: readonly CorpusNote[]
}
