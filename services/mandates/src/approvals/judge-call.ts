import { assess, refusalBlock, type Assessment, type Hex, type Terms } from '@svc/limits'
import type { Db } from '@svc/postgres'
import { getAddress, type Address } from 'viem'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { termsFromSigned, secondsOf } from '#limits/engine-terms.ts'
import { readApproval, type Approval } from './store/approvals.ts'
import { judgingOf } from './store/judging.ts'
import { callHash } from './rules/call-hash.ts'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import type { Vault } from '#books/rules/vault.ts'

/** A stored worth older than this says nothing of now. */
const WORTH_MAX_AGE_MS = 3_600_000

/** A call as the agent means to send it. */
export interface MeantCall {
  readonly target: string
  readonly data: string
  readonly amount: bigint
}

/** A call with everything that was looked at to judge it. */
export interface JudgedCall {
  readonly call: MeantCall
  readonly callHash: string
  readonly vault: Vault
  readonly terms: Terms
  readonly assessment: Assessment
  /** The held item of exactly this call, pending, approved or declined. */
  readonly item: Approval | null
  readonly block: RefusalBlockView
}

/** Judges a call by the stored books, held items and worth, as the vault and the guard before it would; null without a vault. */
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
  const { vault, held, worth } = stored
  const terms = termsFromSigned(stored.terms, settings.approvalEnabled)
  if (vault === null || !vault.canonical || terms === null || mandate.agent === null) return null
  const item = stored.item_id === null ? null : await readApproval(db, mandate.id, stored.item_id)
  const open = item !== null && item.status !== 'declined'
  const assessment = assess(
    terms,
    {
      vault: vault.books,
      // What the stored books know; direct transfers that no event has told of are not counted.
      balance: vault.books.accounted + vault.books.feeOwed,
      worth,
      held,
      own: open ? item.amount : 0n,
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

/** The owner's no stands before what clause 6 says, and behind every other refusal. */
function blockOf(assessment: Assessment, item: Approval | null): RefusalBlockView {
  const block = refusalBlock(assessment, 'server') as RefusalBlockView
  if (item?.status !== 'declined' || (block.code !== null && block.code !== 'approval_required')) return block
  return {
    ...block,
    kind: 'owner_declined',
    code: 'owner_declined',
    clause: 6,
    source: 'owner',
    fix: `The owner declined this call: ask for another one, or for this one again after ${item.expires_at}.`,
  }
}
