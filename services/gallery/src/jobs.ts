import type { gallery } from '@svc/contracts/gallery'
import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { pullFacts } from './facts/jobs/pull-facts.ts'
import { rebuildFacts } from './facts/jobs/rebuild-facts.ts'
import { hallSnapshot } from './hall/jobs/hall-snapshot.ts'
import { tendListings } from './listings/jobs/tend-listings.ts'
import { endFollows } from './follows/jobs/end-follows.ts'
import { followSignals } from './runner/jobs/follow-signals.ts'
import { markShadowBooks } from './runner/jobs/mark-shadow-books.ts'
import { noteReadable } from './reads/jobs/note-readable.ts'
import { followOperatorWallets } from './operators/jobs/follow-operator-wallets.ts'

export const jobs = {
  followOperatorWallets,
  hallSnapshot,
  noteReadable,
  pullFacts,
  rebuildFacts,
  tendListings,
  followSignals,
  markShadowBooks,
  endFollows,
} satisfies Record<keyof typeof gallery.jobs, (context: Context) => Job>
