import type { DelistingWorth } from '@svc/contracts/market-data/delisting-worth'
import { RISK_INPUT_KEYS, RISK_MODEL_VERSION, type RiskScore } from './delisting-risk-model.ts'
import { WORTH_AT_RISK, WORTH_BANDS, WORTH_MODEL_VERSION, WORTH_SAMPLES } from './delisting-worth-data.ts'

const keys: ReadonlySet<string> = new Set(RISK_INPUT_KEYS)

const bands: DelistingWorth['bands'] = [...Map.groupBy(WORTH_BANDS, ({ from }) => from)].map(([from_score, rates]) => ({
  from_score,
  to_score: rates[0]?.to ?? from_score,
  rates: rates.map(({ sample, days, n, delisted, low, high }) => ({ sample, days, n, delisted, low, high })),
}))

const table: DelistingWorth = {
  model_version: WORTH_MODEL_VERSION,
  rank: null,
  samples: WORTH_SAMPLES.map((sample) => ({ ...sample })),
  bands,
  at_risk: WORTH_AT_RISK.map((rate) => ({ ...rate })),
}

/** Returns what every rank was worth in the past; null if the present model was not measured. */
export const pastWorth = (): DelistingWorth | null => (WORTH_MODEL_VERSION === RISK_MODEL_VERSION ? table : null)

/** Returns the part of a score that is a rank, without floors, 0 to 99; null without one. */
export function rankOf(risk: Pick<RiskScore, 'reason' | 'factors'> | null): number | null {
  if (risk === null || risk.reason !== null) return null
  const points = risk.factors.reduce((sum, factor) => (keys.has(factor.key) ? sum + factor.points : sum), 0)
  return Math.round(points * 10) / 10
}

/**
 * Returns what the rank of a pair was worth: the band of the part of its score that is a rank, because the samples knew
 * neither flags nor crises. Null without a rank.
 */
export function worthOf(risk: Pick<RiskScore, 'reason' | 'factors'> | null): DelistingWorth | null {
  const all = pastWorth()
  const rank = rankOf(risk)
  if (all === null || rank === null) return null
  return {
    ...all,
    rank,
    bands: all.bands.filter(({ from_score, to_score }) => rank >= from_score && rank < to_score + 1),
  }
}
