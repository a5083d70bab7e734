import type { gallery } from '@svc/contracts/gallery'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listDoors } from './doors/operations/list-doors.ts'
import { listOperators } from './doors/operations/list-operators.ts'
import { adoptListing } from './adoption/operations/adopt-listing.ts'
import { listListings } from './listings/operations/list-listings.ts'
import { publishListing } from './listings/operations/publish-listing.ts'
import { readListing } from './listings/operations/read-listing.ts'
import { withdrawListing } from './listings/operations/withdraw-listing.ts'
import { hireListing } from './follows/operations/hire-listing.ts'
import { readFollow } from './follows/operations/read-follow.ts'
import { replayListing } from './follows/operations/replay-listing.ts'
import { releaseListing } from './follows/operations/release-listing.ts'
import { readHallAgent } from './hall/operations/read-hall-agent.ts'
import { readHallProof } from './hall/operations/read-hall-proof.ts'
import { readHall } from './hall/operations/read-hall.ts'
import { readRanks } from './hall/operations/read-ranks.ts'
import { addOperator } from './operators/operations/add-operator.ts'
import { listOperatorEntries } from './operators/operations/list-operator-entries.ts'
import { removeOperator } from './operators/operations/remove-operator.ts'
import { listPaidReads } from './reads/operations/list-paid-reads.ts'
import { readSignals } from './reads/operations/read-signals.ts'
import { publishSignal } from './signals/operations/publish-signal.ts'
import { readWorkers } from './status/operations/read-workers.ts'

export const handlers = {
  readWorkers,
  listDoors,
  listOperators,
  adoptListing,
  addOperator,
  listOperatorEntries,
  removeOperator,
  hireListing,
  releaseListing,
  replayListing,
  readFollow,
  publishSignal,
  readHall,
  readHallAgent,
  readHallProof,
  readRanks,
  readSignals,
  listPaidReads,
  listListings,
  publishListing,
  readListing,
  withdrawListing,
} satisfies Handlers<Context, typeof gallery>
