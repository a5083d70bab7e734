import { contract, operation } from '@svc/contract'
import { z } from 'zod'

const symbol = z.string().regex(/^[A-Z0-9]{2,20}$/)
const side = z.enum(['buy', 'sell'])
const id = z.int().min(1).max(1_000_000_000)
const row = z.object({ id, text: z.string().max(2_000) })

/** A service whose handlers do next to nothing, so that the way to them and back is measured: from memory, or with one statement. */
export const bench = contract('bench', {
  title: 'Benchmark of the hop',
  postgres: false,
  operations: {
    echo: operation({
      summary: 'Answer from memory',
      auth: 'account',
      http: 'GET /bench/echo/{symbol}',
      input: z.strictObject({ symbol, side }),
      success: {
        200: z.object({ ok: z.literal(true), symbol, side, price: z.string(), size: z.int().min(0).max(1000) }),
      },
    }),
    readRow: operation({
      summary: 'Answer with one row, found by its index',
      auth: 'account',
      http: 'GET /bench/rows/{id}',
      input: z.strictObject({ id: z.coerce.number().pipe(id) }),
      success: { 200: row },
    }),
    readRows: operation({
      summary: 'Answer with the rows from one on, found by their index',
      auth: 'account',
      http: 'GET /bench/rows/{id}/following',
      input: z.strictObject({
        id: z.coerce.number().pipe(id),
        count: z.coerce.number().pipe(z.int().min(1).max(500)),
      }),
      success: { 200: z.object({ rows: z.array(row).max(500) }) },
    }),
    addRow: operation({
      summary: 'Insert one row',
      auth: 'account',
      http: 'POST /bench/rows',
      input: z.strictObject({ text: z.string().max(2_000) }),
      success: { 201: z.object({ ok: z.literal(true), id }) },
    }),
    resolveKeys: operation({
      summary: 'Say who the keys belong to, as identity does',
      auth: 'service',
      callers: ['gateway'],
      input: z.strictObject({ hashes: z.array(z.string().length(64)).max(500) }),
      success: { 200: z.object({ account_ids: z.array(z.int().min(1).nullable()) }) },
    }),
    resolveTiers: operation({
      summary: 'Say the tier of accounts, as subscriptions does',
      auth: 'service',
      callers: ['gateway'],
      input: z.strictObject({ account_ids: z.array(z.int().min(1)).max(500) }),
      success: { 200: z.object({ items: z.array(z.object({ account_id: z.int(), tier: z.literal(2) })) }) },
    }),
  },
})
