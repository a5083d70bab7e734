import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { listMandates } from '#mandate/store/mandates.ts'

const PAGE = 100

const totalRow = z.object({ total: z.number() })

/** Returns the newest mandates of an owner except drafts, at most `max`, and the number of all. */
export async function nonDraftsOfOwner(
  db: Db,
  ownerId: number,
  max: number,
  now: Date,
): Promise<{ readonly items: readonly Mandate[]; readonly total: number }> {
  const { total } = await db.one(sql.type(totalRow)`
    SELECT count(*) AS total FROM mandate WHERE owner_id = ${ownerId} AND state <> 'draft'`)
  const items: Mandate[] = []
  let before: number | null = null
  while (items.length < Math.min(max, total)) {
    const page: Awaited<ReturnType<typeof listMandates>> = await listMandates(db, {
      party: { ownerId },
      before,
      limit: PAGE,
      now,
    })
    items.push(...page.items.filter(({ state }) => state !== 'draft'))
    if (page.next === null) break
    before = page.next
  }
  return { items: items.slice(0, max), total }
}
