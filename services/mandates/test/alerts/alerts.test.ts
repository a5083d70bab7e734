import { sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { owner, startSeededRig, walletOf, type TestMandate } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig())

const alerts = (mandate: TestMandate) =>
  rig.pool.any(sql.type(z.object({ kind: z.string(), severity: z.string(), sent_at: z.string().nullable() }))`
    SELECT kind, severity, sent_at FROM alert WHERE mandate_id = ${mandate.id} ORDER BY id`)

test('the owner is alerted once of a foreign agent, and not of a pause and a resume', async () => {
  const mandate = await rig.newMandate()
  const zero = `0x${'00'.repeat(20)}`
  for (const [at, agent] of [zero, walletOf(21), walletOf(99)].entries())
    for (const revision of [1, 2]) await rig.tellAgentSet({ vault: mandate.vault, agent, block: 101 + at, revision })
  const found = await eventually(async () => {
    const all = await alerts(mandate)
    if (all.length === 0) throw new Error('no alert yet')
    return all
  })
  expect(found).toEqual([{ kind: 'foreign_agent', severity: 'critical', sent_at: null }])
  const detail = await rig.as(owner(11)).readMandate({ public_id: mandate.publicId })
  expect(detail.state).toBe('paused')
})
