import type { AnswerTo, QuestionName } from '@svc/hyperliquid'
import type { Reading } from '#cache/venue-answers.ts'
import type { Context } from '#context.ts'

const MAX_AGE_MS = 10_000

/** Questions about one account whose answer is the account's alone. */
type UserQuestion = Extract<QuestionName, 'historicalOrders' | 'userFees' | 'portfolio'>

/** Asks about an account within the part of the weight that strangers have. */
export function askAboutUser<Q extends UserQuestion>(
  { answers }: Pick<Context, 'answers'>,
  question: Q,
  user: string,
  rowsMost = 0,
): Promise<Reading<AnswerTo<Q>>> {
  // In one spelling, so that an address in other cases is the same question.
  const address = `0x${user.slice(2).toLowerCase()}` as const
  return answers.ask({ by: 'visitors', maxAgeMs: MAX_AGE_MS, rows: { least: 0, most: rowsMost } }, question, {
    user: address,
  })
}
