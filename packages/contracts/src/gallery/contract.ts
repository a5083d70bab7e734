import { contract } from '@svc/contract'
import { heartbeatEvents } from '../common/heartbeat.ts'
import { factEvents, factJobs } from './facts.ts'
import { hallJobs, hallOperations } from './hall.ts'
import { adoptionOperations } from './adoption.ts'
import { doorOperations } from './doors.ts'
import { listingJobs, listingOperations } from './listings.ts'
import { followEvents, followJobs, followOperations } from './follows.ts'
import { operatorJobs, operatorOperations } from './operators.ts'
import { readJobs, readOperations } from './reads.ts'
import { runnerJobs } from './runner.ts'
import { gallerySettings } from './settings.ts'
import { signalOperations } from './signals.ts'
import { statusEvents, statusOperations } from './status.ts'

/** The public side: the Hall of agent records, doors, operators, listings, signals and the house runner. */
export const gallery = contract('gallery', {
  title: 'Gallery',
  settings: gallerySettings,
  consumes: [...factEvents, ...statusEvents],
  operations: {
    ...statusOperations,
    ...doorOperations,
    ...followOperations,
    ...adoptionOperations,
    ...readOperations,
    ...listingOperations,
    ...signalOperations,
    ...hallOperations,
    ...operatorOperations,
  },
  events: { ...heartbeatEvents, ...followEvents },
  jobs: { ...runnerJobs, ...followJobs, ...readJobs, ...listingJobs, ...operatorJobs, ...factJobs, ...hallJobs },
})
