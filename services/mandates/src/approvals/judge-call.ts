import { assess, refusalBlock, type Assessment, type Hex, type Terms } from '@svc/limits'
import type { Db } from '@svc/postgres'
import { getAddress, type Address } from 'viem'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { termsFromSigned, secondsOf } from '#limits/engine-terms.ts'
import { declinedBlock } from './declined-block.ts'
import { readApproval, type Approval } from './store/approvals.ts'
import { judgingOf } from './store/judging.ts'
import { callHash } from './rules/call-hash.ts'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import type { Vault } from '#books/rules/vault.ts'

/** An older worth is not used as the present worth. */
const WORTH_MAX_AGE_MS = 3_600_000

/** A call that an agent intends to send. */
export interface MeantCall {
  readonly target: string
  readonly data: string
  readonly amount: bigint
}

/** A call with its judgement and the inputs of the judgement. */
export interface JudgedCall {
  readonly call: MeantCall
  readonly callHash: string
  readonly vault: Vault
  readonly terms: Terms
  readonly assessment: Assessment
  /** The item held for this exact call, pending, approved or declined; null without one. */
  readonly item: Approval | null
  readonly block: RefusalBlockView
}

/** Judges a call by stored books, held items and worth, as vault and service would; returns null without a vault. */
export async function judgeCall(
  db: Db,
  { settings }: Pick<Context, 'settings'>,
  mandate: Mandate,
  call: MeantCall,
  now: Date,
): Promise<JudgedCall | null> {
  const hash = callHash({ mandate: mandate.publicId, ...call })
  const worthSince = new Date(now.getTime() - WORTH_MAX_AGE_MS)
  const stored = await judgingOf(db, mandate.id, hash, { now, worthSince })
  const { vault, held, leg_held, leg_used, worth } = stored
  const terms = termsFromSigned(stored.terms, settings.approvalEnabled)
  if (vault === null || !vault.canonical || terms === null || mandate.agent === null) return null
  const item = stored.item_id === null ? null : await readApproval(db, mandate.id, stored.item_id)
  const open = item !== null && item.status !== 'declined'
  const assessment = assess(
    terms,
    {
      vault: vault.books,
      // From the books: direct transfers without an event are not counted.
      balance: vault.books.accounted + vault.books.feeOwed,
      worth,
      held,
      own: open ? item.amount : 0n,
      legUsed: leg_used,
      legHeld: leg_held,
      approved: item?.status === 'approved',
      stoppedInRecord: mandate.stoppedInRecordAt !== null,
    },
    {
      caller: getAddress(mandate.agent.wallet),
      target: getAddress(call.target.toLowerCase()) as Address,
      data: call.data as Hex,
      amount: call.amount,
      at: secondsOf(now),
    },
  )
  const block = blockOf(assessment, item)
  return { call, callHash: hash, vault, terms, assessment, item, block }
}

/** Builds the refusal block. A decline by the owner replaces the refusal of clause 6, and no other. */
function blockOf(assessment: Assessment, item: Approval | null): RefusalBlockView {
  const block = refusalBlock(assessment, 'server') as RefusalBlockView
  if (item?.status !== 'declined' || (block.code !== null && block.code !== 'approval_required')) return block
  return declinedBlock(block, 'call', item.expires_at)
}
