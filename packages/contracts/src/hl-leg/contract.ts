import { contract } from '@svc/contract'
import { heartbeatEvents } from '../common/heartbeat.ts'
import { debtOperations } from './debts.ts'
import { followOperations } from './follows.ts'
import { legEvents, legJobs, legOperations } from './legs.ts'
import { moneyEvents, moneyJobs, moneyOperations } from './money.ts'
import { hlLegSettings } from './settings.ts'
import { orderEvents, orderJobs, orderOperations } from './orders.ts'
import { stopLineJobs } from './stop-line.ts'
import { venueJobs, venueOperations } from './venue.ts'

/** The leg: a mandate trades in its owner's own account at the perpetuals venue. */
export const hlLeg = contract('hl-leg', {
  title: 'Leg',
  roleOf: 'hl-leg',
  operations: {
    ...legOperations,
    ...moneyOperations,
    ...debtOperations,
    ...followOperations,
    ...orderOperations,
    ...venueOperations,
  },
  events: { ...heartbeatEvents, ...legEvents, ...moneyEvents, ...orderEvents },
  jobs: { ...stopLineJobs, ...legJobs, ...moneyJobs, ...orderJobs, ...venueJobs },
  settings: hlLegSettings,
})
