import { counterOf, eachOf, secondsOf } from '@svc/service'
import type { VaultReading } from '#vaults/read-vault.ts'

const recordAge = secondsOf(
  'hub_mark_age_seconds',
  'Age of the newest mark of each vault that may trade, at each run of the job mark',
  [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 86_400],
)
const countWithheld = counterOf(
  'hub_marks_withheld_total',
  'Worth that was not stored at a run of the job mark, by reason',
  eachOf('reason', ['readings_disagree', 'position_without_adapter', 'leg_unreadable']),
)

/** Phases of a vault in which marks are sent. */
const MARKED = 1

/** Records how old the marks of vaults are, and why a worth is withheld. */
export function recordMarks(readings: readonly VaultReading[], now: bigint): void {
  for (const { phase, markedAt, withheld } of readings) {
    if (phase <= MARKED && markedAt > 0n) recordAge(Math.max(0, Number(now - markedAt)))
    if (withheld !== null) countWithheld({ reason: withheld })
  }
}
