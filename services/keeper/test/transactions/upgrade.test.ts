import { read } from '@svc/chain'
import { migrate, openPool, sql } from '@svc/postgres'
import { migrationOf } from '@svc/outbound/template'
import { disposableDatabase, opened } from '@svc/testing'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { transactionKind } from '#transactions/store/transactions.ts'
import { chainRig, startRig, USDC, wallets } from '../rig.ts'

const chain = opened(() => chainRig())
const rig = opened(() => startRig(chain))
const migrations = new URL('../../migrations/', import.meta.url).pathname

const stateRow = z.object({
  effect_state: z.string(),
  effect_outcome: z.string().nullable(),
  effect_copies: z.number(),
  informed: z.boolean(),
})

/** Makes all rows those of a release that knew none of the shared columns. */
const forgetEffects = () =>
  rig.pool.query(sql.unsafe`
    UPDATE transaction SET effect_state = DEFAULT, effect_since = DEFAULT, effect_outcome = NULL, effect_evidence = NULL,
      effect_copies = DEFAULT, effect_over_after = NULL, effect_claim = NULL, effect_claim_until = NULL,
      effect_next_at = DEFAULT, effect_informed_at = NULL`)

test('a transaction of the last release goes on exactly once from each state: waiting, signed and not sent, in a block, ended', async () => {
  const outcomes = () =>
    rig.pool.any(sql.type(z.object({ nonce: z.number().nullable(), outcome: z.string().nullable() }))`
      SELECT nonce, outcome FROM transaction ORDER BY id`)
  const decide = async () => {
    const vault = await chain.vault(400n * USDC)
    rig.follow(vault)
    await rig.run('mark')
    return vault
  }
  const vaults = [await decide()]
  await rig.run('send')
  await rig.run('send')
  vaults.push(await decide())
  await rig.run('send')
  vaults.push(await decide())
  const heal = chain.proxy.inject({ kind: 'dropped', methods: ['eth_sendRawTransaction'] })
  await expect(rig.run('send')).rejects.toThrow('eth_sendRawTransaction')
  heal()
  vaults.push(await decide())
  await rig.pool.query(sql.unsafe`UPDATE transaction SET ended_at = NULL, outcome = NULL WHERE nonce = 1`)
  expect(await outcomes()).toEqual([
    { nonce: 0, outcome: 'done' },
    { nonce: 1, outcome: null },
    { nonce: 2, outcome: null },
    { nonce: null, outcome: null },
  ])
  await forgetEffects()
  for (let run = 0; run < 3; run++) await rig.run('send')
  expect(await outcomes()).toEqual([0, 1, 2, 3].map((nonce) => ({ nonce, outcome: 'done' })))
  expect(await chain.chain.client.getTransactionCount({ address: wallets.keeper.address })).toBe(4)
  for (const { address } of vaults) expect(await read(chain.chain).vault(address).lastWorth()).toBe(400n * USDC)
  const states = await rig.pool.any(sql.type(stateRow)`
    SELECT effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed FROM transaction`)
  for (const state of states)
    expect(state).toMatchObject({ effect_state: 'ended', effect_outcome: 'done', informed: true })
})

test('the migration fills the shared columns of rows in each state, and is the one of the package', async () => {
  expect(await readFile(join(migrations, '0005-outbound.sql'), 'utf8')).toBe(
    migrationOf('transaction', transactionKind.former),
  )
  const database = await disposableDatabase('formerkeeper')
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  const apply = async (...files: readonly string[]) => {
    for (const file of files) await copyFile(join(migrations, file), join(directory, file))
    await migrate({ url: database.migratorUrl, schema: 'formerkeeper', directory })
  }
  await apply('0001-transactions.sql', '0002-leg-calls.sql', '0003-value-transfers.sql')
  const pool = await openPool(database.url, { size: 1 })
  const insert = (nonce: number | null, outcome: string | null) =>
    pool.query(sql.unsafe`
      INSERT INTO transaction (chain_id, sender, kind, vault, data, decided_at, nonce, ended_at, outcome)
      VALUES (1, 'a', 'mark', ${`${nonce} ${outcome}`}, '0x', now(), ${nonce}, ${outcome === null ? null : '2026-11-01'}, ${outcome})`)
  await insert(null, null)
  await insert(7, null)
  for (const outcome of ['done', 'reverted', 'cancelled', 'nonce_taken']) await insert(6, outcome)
  for (const outcome of ['refused', 'expired', 'lost']) await insert(null, outcome)
  await apply('0005-outbound.sql')
  const rows = await pool.any(sql.type(stateRow)`
    SELECT effect_state, effect_outcome, effect_copies, effect_informed_at IS NOT NULL AS informed
    FROM transaction ORDER BY id`)
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['planned', null, 0, false],
    ['sent', null, 1, false],
    ['ended', 'done', 1, true],
    ['ended', 'refused', 1, true],
    ['ended', 'replaced', 1, true],
    ['ended', 'replaced', 1, true],
    ['ended', 'refused', 0, true],
    ['ended', 'expired', 0, true],
    ['ended', 'expired', 0, true],
  ])
  await pool.end()
  await rm(directory, { recursive: true })
  await database.drop()
})
