import type { CitedClaim, CitedView, ClaimFigure } from '@svc/contracts/gallery/listings'

/** Days after which a claim is stale. */
const STALE_DAYS = 90
const DAY_MS = 86_400_000

/** The figures that the service recorded; null means unknown. */
export type Recorded = Readonly<Record<ClaimFigure, number | null>>

const NUMBER = String.raw`(?<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)`
const either = (before: string, after: string) =>
  new RegExp(`${NUMBER}\\s*${after}|${before}\\D{0,12}?${NUMBER.replace('value', 'later')}`, 'iu')

/** How a claim speaks of a figure: a number before or after its words. */
const PATTERNS: Readonly<Record<ClaimFigure, RegExp>> = {
  days_live: either('(?:live|running) (?:for|since)', String.raw`days?\s+(?:live|running|of (?:track )?record|inside)`),
  adherence_pct: either('(?:adherence|inside limits|within limits)', String.raw`%\s*(?:adherence|inside|within)`),
  signals_30d: either('signals?:', String.raw`signals?\b`),
  follow_gap_bps_median: either(
    '(?:follow[- ]?gap|slippage)',
    String.raw`(?:bps|basis points)\s+(?:of )?(?:follow[- ]?gap|slippage)`,
  ),
  followers: either('followers?:', String.raw`(?:followers?|subscribers?)\b`),
  violations_30d: either('violations?:', String.raw`violations?\b`),
  rank: either(String.raw`(?:rank(?:ed)?(?: no\.?)?|#)`, String.raw`(?:st|nd|rd|th) in the hall`),
}
/** Words that speak of a figure without a number. */
const WORDS: Readonly<Record<ClaimFigure, RegExp>> = {
  days_live: /track record|days? live/iu,
  adherence_pct: /adherence|(?:inside|within) (?:the )?limits/iu,
  signals_30d: /\bsignals?\b/iu,
  follow_gap_bps_median: /follow[- ]?gap|slippage/iu,
  followers: /\b(?:followers?|subscribers?)\b/iu,
  violations_30d: /\bviolations?\b/iu,
  rank: /\brank(?:ed)?\b/iu,
}

/** Returns the number of a claim about a figure; null if it names none, undefined if it does not speak of the figure. */
export function claimedFigure(text: string, figure: ClaimFigure): number | null | undefined {
  const groups = PATTERNS[figure].exec(text)?.groups
  const written = groups?.['value'] ?? groups?.['later']
  if (written !== undefined) return Number(written.replaceAll(',', ''))
  return WORDS[figure].test(text) ? null : undefined
}

/** Returns a claim as published, and next to it what the service recorded; the two are never blended. */
export function citedView(claim: CitedClaim, recorded: Recorded, now: Date): CitedView {
  const figures = Object.keys(PATTERNS) as ClaimFigure[]
  return {
    ...claim,
    cited_vs_recorded: figures.flatMap((figure) => {
      const cited = claimedFigure(claim.claim_text, figure)
      return cited === undefined ? [] : [{ figure, cited, recorded: recorded[figure] }]
    }),
    stale: now.getTime() - Date.parse(claim.as_of_date) > STALE_DAYS * DAY_MS,
  }
}
