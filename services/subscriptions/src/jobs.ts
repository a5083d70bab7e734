import { checkLedger } from './jobs/check-ledger.ts'
import { lapse } from './jobs/lapse.ts'

export const jobs = { lapse, checkLedger }
