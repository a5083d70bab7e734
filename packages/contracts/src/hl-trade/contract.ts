import { contract } from '@svc/contract'
import { accountJobs, accountOperations } from './account.ts'
import { bookJobs, bookOperations } from './books.ts'
import { orderJobs, orderOperations } from './orders.ts'
import { pageOperations } from './pages.ts'
import { hlTradeSettings } from './settings.ts'

/** The trading side: an owner's own account at the venue, its orders, and paper books. */
export const hlTrade = contract('hl-trade', {
  title: 'Trade',
  roleOf: 'hl-leg',
  operations: { ...accountOperations, ...bookOperations, ...orderOperations, ...pageOperations },
  jobs: { ...accountJobs, ...bookJobs, ...orderJobs },
  settings: hlTradeSettings,
})
