import { z } from 'zod'

const currency = z.string().regex(/^[A-Z]{3}$/)
const id = z.string().min(1)

const constraint = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('payment.reference'), conditional_transaction_id: z.string() }),
  z.strictObject({
    type: z.literal('payment.agent_recurrence'),
    frequency: z.enum(['ON_DEMAND', 'DAILY', 'WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY']),
    max_occurrences: z.int().optional(),
  }),
  // The major unit of the currency, with decimals.
  z.strictObject({ type: z.literal('payment.budget'), max: z.number().multipleOf(0.01), currency }),
  // The minor unit of the currency, an integer.
  z.strictObject({ type: z.literal('payment.amount_range'), max: z.int(), min: z.int().optional(), currency }),
  z.strictObject({
    type: z.literal('payment.allowed_payees'),
    // Without an id no payee matches.
    allowed: z.array(z.object({ id, name: z.string(), website: z.string().optional() })).min(1),
  }),
  z.strictObject({
    type: z.literal('payment.execution_date'),
    not_before: z.string().optional(),
    not_after: z.string().optional(),
  }),
])

/**
 * The part of the schema of an open payment mandate (AP2, `open_payment_mandate.json`, vct mandate.payment.open.1) that is
 * written here, members and units as published. Stricter where the schema leaves a member open that checkers read.
 */
export const openPaymentMandate = z.object({
  vct: z.literal('mandate.payment.open.1'),
  constraints: z
    .array(constraint)
    .refine((all) => all.some(({ type }) => type === 'payment.reference'), 'needs a payment.reference'),
  cnf: z.record(z.string(), z.unknown()),
  iat: z.int().optional(),
  exp: z.int().optional(),
})
