import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { limitFields, limitNames } from '@svc/limits'
import { openPool } from '@svc/postgres'
import { z } from 'zod'
import { mandateColumns } from '#mandate/rules/mandate-columns.ts'

/**
 * Runs the stores with a further column of a mandate and prints what they return. A process of its own, because the stores
 * build their statements once.
 */
// The line that a column needs.
Object.assign(mandateColumns, { deskLabel: z.string().nullable() })
const { correctDraft, insertMandate } = await import('#drafts/store/drafts.ts')
const { findMandate, listMandates } = await import('#mandate/store/mandates.ts')

const pool = await openPool(process.env['TEST_DATABASE_URL'] ?? '', { size: 1 })
const now = new Date('2026-11-21T09:00:00.000Z')
const party = { ownerId: 7 }
const draft = {
  publicId: 'mdt_1',
  idHash: '1',
  owner: { id: party.ownerId, wallet: '0x7' },
  claimHash: null,
  name: 'm',
  limits: limitsCodec.parse(
    Object.fromEntries(limitNames.map((name) => [limitFields[name].wire, limitFields[name].example])),
  ),
  agent: null,
  expiresAt: new Date('2026-12-21T09:00:00.000Z'),
  deskLabel: 'basis',
}
const inserted = await pool.transaction((tx) => insertMandate(tx, draft, now))
const { name, limits, agent, expiresAt } = draft
const change = { name, limits, agent, expiresAt, acceptedAt: null, deskLabel: 'carry' }
await pool.transaction((tx) => correctDraft(tx, inserted.id, change, now))
const found = await findMandate(pool, draft.publicId, party, now)
const { items } = await listMandates(pool, { party, before: null, limit: 1, now })
await pool.end()
const returned = [inserted, found, ...items].map((mandate) => ({ deskLabel: undefined, ...mandate }))
process.stdout.write(JSON.stringify(returned.map(({ publicId, deskLabel }) => ({ publicId, deskLabel }))))
