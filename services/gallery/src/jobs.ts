import type { gallery } from '@svc/contracts/gallery'
import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { tendListings } from './listings/jobs/tend-listings.ts'
import { followOperatorWallets } from './operators/jobs/follow-operator-wallets.ts'
import { noteReadable } from './reads/jobs/note-readable.ts'

export const jobs = {
  followOperatorWallets,
  noteReadable,
  tendListings,
} satisfies Record<keyof typeof gallery.jobs, (context: Context) => Job>
