import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { migrationOf } from '@svc/outbound/template'
import { sql } from '@svc/postgres'
import { inherited, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readLeg } from '#legs/store/legs.ts'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { moveNow } from '#orders/move-collateral.ts'
import { collateralMoveKind } from '#orders/store/collateral-moves.ts'
import { startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const migration = new URL('../../migrations/0035-outbound-moves.sql', import.meta.url)

const stateRow = z.object({
  public_id: z.string(),
  state: z.string(),
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  informed: z.boolean(),
})
const rows = () =>
  rig.pool.any(sql.type(stateRow)`
    SELECT public_id, state, effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed
    FROM collateral_move ORDER BY id`)
const moved = (leg: TestLeg) => Number(rig.accountOf(leg).dexes['xyz']?.raw ?? '0')
const fault = (kind: string, more: object = {}) =>
  rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'agentSendAsset', count: 1, ...more })
async function send(leg: TestLeg) {
  const found = await readLeg(rig.pool, leg.publicId)
  if (found !== null) await moveNow(rig.context, found, { from: '', to: 'xyz', amountUsdc: '10' })
}
async function goOn(ms: number) {
  rig.advance(ms)
  await resolveOrders(rig.context)(AbortSignal.timeout(600_000))
}

/** Makes all rows those of a release that knew none of the shared columns, and ends its claims. */
const forgetEffects = () =>
  rig.pool.query(sql.unsafe`
    UPDATE collateral_move SET effect_state = DEFAULT, effect_since = DEFAULT, effect_outcome = NULL, effect_evidence = NULL,
      effect_copies = DEFAULT, effect_over_after = NULL, effect_claim = NULL, effect_claim_until = NULL,
      effect_next_at = DEFAULT, effect_informed_at = NULL`)

test('a move of the last release goes on exactly once from each state: wanted, sent and lost, sent and done, refused, done', async () => {
  expect(await readFile(migration, 'utf8')).toBe(migrationOf('collateral_move', collateralMoveKind.former))
  const [wanted, lost, arrived, refused, done] = [
    await rig.newLeg(),
    await rig.newLeg(),
    await rig.newLeg(),
    await rig.newLeg(),
    await rig.newLeg(),
  ]
  await rig.pool.query(sql.unsafe`
    INSERT INTO collateral_move (public_id, source_dex, destination_dex, state, created_at, next_at)
    VALUES (${wanted.publicId}, 'xyz', '', 'wanted', now(), now())`)
  fault('status500')
  await send(lost)
  fault('drop')
  await send(arrived)
  fault('refuse', { text: 'Insufficient balance for token transfer' })
  await send(refused)
  await send(done)
  expect((await rows()).map(({ state }) => state)).toEqual(['wanted', 'signed', 'signed', 'failed', 'done'])
  await forgetEffects()
  await goOn(3_000)
  await goOn(3_000)
  expect((await rows()).map(({ state, effect_outcome }) => [state, effect_outcome])).toEqual([
    ['failed', 'abandoned'],
    ['done', 'done'],
    ['done', 'done'],
    ['failed', 'refused'],
    ['done', 'done'],
  ])
  expect(await rows()).toEqual((await rows()).map((row) => ({ ...row, effect_state: 'ended', informed: true })))
  expect([wanted, lost, arrived, refused, done].map(moved)).toEqual([0, 10, 10, 0, 10])
})

test('an operator lists open moves and reads one, without its signed bytes, in a process of its own', async () => {
  const leg = await rig.newLeg()
  fault('status500')
  await send(leg)
  const env = { ...inherited(), ...rig.environment() } as NodeJS.ProcessEnv
  const printed = async (args: readonly string[], start: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env })
    return stdout.split('\n').flatMap((line) => (line.startsWith(start) ? [JSON.parse(line) as unknown] : []))
  }
  const listed = await printed(['--outbound', 'list'], '{"id"')
  expect(listed).toMatchObject([
    { id: expect.stringMatching(/^collateral_move-\d+$/) as string, effect_state: 'sent', effect_copies: 1 },
  ])
  const { id } = z.object({ id: z.string() }).parse(listed[0])
  const [shown] = await printed(['--outbound', 'show', id], '{"id"')
  expect(shown).toMatchObject({ public_id: leg.publicId, amount_usdc: expect.anything() as unknown })
  expect(shown).not.toHaveProperty('body')
})
