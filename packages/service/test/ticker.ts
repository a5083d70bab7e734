import { contract, event, job } from '@svc/contract'
import { z } from 'zod'

/** A service whose only job records the process that runs it many times a second. */
export const ticker = contract('ticker', {
  title: 'Ticks',
  operations: {},
  events: { ticked: event({ summary: 'The job ran', payload: z.object({ holder: z.string() }) }) },
  jobs: { tick: job({ summary: 'Tick', everyMs: 50, max: 1, budgetSec: 60 }) },
})
