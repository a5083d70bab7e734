import { z } from 'zod'

const answer = z.object({ challenge: z.string() })

/**
 * Whether a receiver's answer is JSON with the challenge as its member `challenge`. The event has it below `data`, so that a
 * server that only returns what it is sent does not pass.
 */
export function answersChallenge(body: string | null, challenge: string): boolean {
  try {
    return answer.parse(JSON.parse(body ?? '')).challenge === challenge
  } catch {
    // No JSON, or other members.
    return false
  }
}
