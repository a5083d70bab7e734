import { contract, event, job } from '@svc/contract'
import { z } from 'zod'

/** A service whose one job says many times a second which process runs it. */
export const ticker = contract('ticker', {
  title: 'Ticks',
  operations: {},
  events: { ticked: event({ summary: 'The job ran', payload: z.object({ holder: z.string() }) }) },
  jobs: { tick: job({ summary: 'Tick', everyMs: 50, max: 1, budgetSec: 60 }) },
})
