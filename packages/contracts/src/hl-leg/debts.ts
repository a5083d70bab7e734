import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { adminReason, accountId, instant, okTrue, queryInt, dryRun, ranDry } from '../common.ts'
import { address, publicId, signedUsdc, usdc } from '../mandates/fields.ts'
import { transferId } from './money.ts'

const network = z.enum(['testnet', 'mainnet'])

const debtChange = z.object({
  cause: z.enum(['fallback', 'unbacked', 'payment', 'written_off']).meta({
    description:
      'fallback: paid back to the vault in place of the owner; unbacked: sent to the account, but the vault did not pay it',
  }),
  amount_usdc: signedUsdc.meta({ description: 'Negative where the debt becomes less' }),
  fee_usdc: usdc.optional().meta({
    description: 'Part of it that is the fee, which belongs to the fee recipient of the mandate',
  }),
  public_id: publicId.nullable().meta({ description: 'Mandate that the debt came from' }),
  transfer_id: transferId.nullable(),
  admin_id: accountId.nullable().meta({ description: 'Admin who wrote it off; null for other causes' }),
  reason: z.string().max(500).nullable().meta({ description: 'Why it was written off; null for other causes' }),
  at: instant,
})

const debt = z
  .object({
    network,
    owner_address: address,
    leg_debt_usdc: usdc.meta({ description: 'What the address owes now' }),
    changes: z.array(debtChange).max(20).meta({ description: 'Newest first' }),
  })
  .meta({ title: 'LegDebt' })

export const noLegDebt = refusal('leg_debt_none', {
  status: 404,
  title: 'No debt',
  meaning: 'The address owes nothing, or its debt was paid or written off meanwhile.',
  fix: 'Use an owner_address of GET /admin/leg-debts whose leg_debt_usdc is above 0.',
})
export const legDebtChanged = refusal('leg_debt_changed', {
  status: 409,
  title: 'The debt has changed',
  meaning: 'The address owes another amount than amount_usdc.',
  fix: 'Read GET /admin/leg-debts and send the leg_debt_usdc of the address as amount_usdc.',
  details: z.object({ leg_debt_usdc: usdc }),
})

/** Operations on what owners' addresses owe the house. */
export const debtOperations = {
  listLegDebts: operation({
    summary: 'List what owners owe the house for leg money, as an admin',
    description: 'Ordered by owner_address. Addresses that owe nothing any more are among them.',
    auth: 'admin',
    http: 'GET /admin/leg-debts',
    input: z.strictObject({
      limit: queryInt(1, 100, 50),
      cursor: address.optional().meta({ description: 'next_cursor of the page before' }),
    }),
    success: { 200: z.object({ items: z.array(debt).max(100), next_cursor: address.nullable() }) },
  }),
  writeOffLegDebt: operation({
    summary: 'Write off what an owner owes the house for leg money, as an admin',
    description:
      'Writes off the whole debt of the address: its legs can be bound and funded again, and it no longer counts as lent. The admin and the reason are stored permanently.',
    auth: 'admin',
    http: 'POST /admin/leg-debts/{owner_address}/write-off',
    effect: 'money',
    idempotent: true,
    input: z.strictObject({
      owner_address: address,
      amount_usdc: usdc.meta({ description: 'leg_debt_usdc as listed; another amount writes off nothing' }),
      reason: adminReason.meta({
        description: 'Why the debt is written off',
        example: 'the account was emptied by a venue incident',
      }),
      dry_run: dryRun,
    }),
    success: {
      200: z.object({
        ok: okTrue,
        dry_run: ranDry,
        network,
        owner_address: address,
        written_off_usdc: usdc,
        at: instant,
      }),
    },
    refusals: [noLegDebt, legDebtChanged],
  }),
} as const
