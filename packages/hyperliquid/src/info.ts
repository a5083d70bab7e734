import type { Address } from 'viem'
import type { z } from 'zod'
import * as answers from './answers.ts'
import { jsonOf } from './json.ts'
import { type Post, VenueUnavailable } from './transport.ts'

interface Question {
  readonly answer: z.ZodType
  /** Weight that the venue counts against our address: 1,200 a minute. */
  readonly weight: number
  /** One more weight for so many rows of the answer. */
  readonly rowsPerWeight?: number
}

/** What may be asked; a name that is not here cannot be sent. */
export const QUESTIONS = {
  meta: { answer: answers.meta, weight: 20 },
  metaAndAssetCtxs: { answer: answers.metaAndContexts, weight: 20 },
  perpDexs: { answer: answers.perpDexs, weight: 20 },
  clearinghouseState: { answer: answers.clearinghouseState, weight: 2 },
  spotMeta: { answer: answers.spotMeta, weight: 20 },
  spotClearinghouseState: { answer: answers.spotState, weight: 2 },
  extraAgents: { answer: answers.extraAgents, weight: 20 },
  userRole: { answer: answers.userRole, weight: 60 },
  userAbstraction: { answer: answers.userAbstraction, weight: 20 },
  userRateLimit: { answer: answers.userRateLimit, weight: 20 },
  userFees: { answer: answers.userFees, weight: 20 },
  activeAssetData: { answer: answers.activeAssetData, weight: 20 },
  maxBuilderFee: { answer: answers.maxBuilderFee, weight: 20 },
  exchangeStatus: { answer: answers.exchangeStatus, weight: 2 },
  l2Book: { answer: answers.l2Book, weight: 2 },
  allMids: { answer: answers.allMids, weight: 2 },
  openOrders: { answer: answers.openOrders, weight: 20 },
  frontendOpenOrders: { answer: answers.openOrders, weight: 20 },
  orderStatus: { answer: answers.orderStatus, weight: 2 },
  historicalOrders: { answer: answers.historicalOrders, weight: 20, rowsPerWeight: 20 },
  userFills: { answer: answers.userFills, weight: 20, rowsPerWeight: 20 },
  userFillsByTime: { answer: answers.userFills, weight: 20, rowsPerWeight: 20 },
  fundingHistory: { answer: answers.fundingHistory, weight: 20, rowsPerWeight: 20 },
  userFunding: { answer: answers.userFunding, weight: 20, rowsPerWeight: 20 },
  userNonFundingLedgerUpdates: { answer: answers.ledgerUpdates, weight: 20, rowsPerWeight: 20 },
  portfolio: { answer: answers.portfolio, weight: 20 },
  candleSnapshot: { answer: answers.candles, weight: 20, rowsPerWeight: 60 },
} as const satisfies Record<string, Question>

export type QuestionName = keyof typeof QUESTIONS
export type AnswerTo<Q extends QuestionName> = z.output<(typeof QUESTIONS)[Q]['answer']>

/** Fields of a question; which ones belong to which is the venue's documentation. Absent fields are not sent. */
export interface Fields {
  readonly user?: Address
  readonly dex?: string
  readonly coin?: string
  readonly builder?: Address
  readonly oid?: number | `0x${string}`
  readonly startTime?: number
  readonly endTime?: number
  readonly req?: { coin: string; interval: string; startTime: number; endTime: number }
}

/** The weight that a question costs at least, and with so many rows of answer. */
export function weightOf(name: QuestionName, rows = 0): number {
  const { weight, rowsPerWeight }: Question = QUESTIONS[name]
  return weight + (rowsPerWeight === undefined ? 0 : Math.floor(rows / rowsPerWeight))
}

/**
 * Asks the venue and returns the answer in the form that is known here, without fields that are not. Rejects with
 * `VenueUnavailable` for every other answer: a reading with a hole is no reading.
 */
export async function askVenue<Q extends QuestionName>(post: Post, name: Q, fields: Fields = {}): Promise<AnswerTo<Q>> {
  const { status, body } = await post('info', JSON.stringify({ type: name, ...fields }))
  if (status !== 200) throw new VenueUnavailable(`${name}: HTTP ${status}`)
  const parsed = QUESTIONS[name].answer.safeParse(jsonOf(body))
  if (!parsed.success) throw new VenueUnavailable(`${name}: the answer has an unknown form`)
  return parsed.data as AnswerTo<Q>
}
