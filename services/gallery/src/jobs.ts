import type { gallery } from '@svc/contracts/gallery'
import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { noteReadable } from './reads/jobs/note-readable.ts'
import { followOperatorWallets } from './operators/jobs/follow-operator-wallets.ts'

export const jobs = { followOperatorWallets, noteReadable } satisfies Record<
  keyof typeof gallery.jobs,
  (context: Context) => Job
>
