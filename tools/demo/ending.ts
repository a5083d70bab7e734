import { isLate } from '@svc/service'
import { Surprise } from './request.ts'

/**
 * Returns the sentence with which a demo ends after an error; null for a bug of the demo. `at` names the last step that
 * began.
 */
export function endingOf(error: unknown, at: string): string | null {
  if (error instanceof Surprise) return `NOT as documented: ${error.message}`
  return isLate(error)
    ? `Stopped after ${at}: the next step took too long (${error.message}). Run the demo again.`
    : null
}
