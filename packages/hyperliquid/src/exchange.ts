import { type Outcome, readOutcome } from './exchange-answer.ts'
import { type Post, VenueUnavailable } from './transport.ts'

/**
 * Posts the stored bytes of a signed action once and says what is known afterwards. Safe to repeat with the same bytes:
 * the venue admits a nonce once.
 */
export async function sendAction(post: Post, body: string): Promise<Outcome> {
  try {
    const answer = await post('exchange', body)
    return readOutcome(answer.status, answer.body)
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error
    return { kind: error.unsent ? 'retriable' : 'unknown', reason: error.message }
  }
}
