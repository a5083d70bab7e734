import { openPool, sql, type Pool, type Tx } from '@svc/postgres'
import { disposableDatabase, opened, plansOf } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { relatedAccounts } from '#accounts/store/accounts.ts'
import { findAgents, noteSeen, pairedAgents } from '#agents/store/agents.ts'
import { agentIdsAfter, hallAgentsOf, ownersOf } from '#hall-agents/store/hall-agents.ts'
import { accessEnds, countKeys, setScopes } from '#keys/store/keys.ts'
import { codesSince, forgetPairCodes, isLive, takePairCode, wrongCodesSince } from '#pairing/store/pair-codes.ts'
import { lastChanges, readPolicy } from '#policy/store/policies.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const quarterAgo = new Date(now.getTime() - 900_000)
let pool: Pool

const database = opened(() => disposableDatabase('identity'))
beforeAll(async () => {
  const owner = await openPool(database.superuserUrl, { size: 1 })
  await owner.query(sql.unsafe`SET search_path TO identity`)
  // Agents 1 to 20000, then owners 20001 to 22000 with ten agents each.
  await owner.query(sql.unsafe`
    INSERT INTO accounts (kind, wallet, name, created_at)
    SELECT CASE WHEN n <= 20000 THEN 'agent' ELSE 'owner' END, '0x' || lpad(to_hex(n), 40, '0'), 'name', now() FROM generate_series(1, 22000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO pairings SELECT n, 20001 + n / 10 % 2000, now() FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO api_keys (key_id, account_id, hash, name, scopes, created_at)
    SELECT 'key_' || n, n, lpad(to_hex(n), 64, '0'), 'key', '{read}', now() FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO pair_codes SELECT lpad(to_hex(n), 64, '0'), 20001 + n % 2000, ${now.toISOString()}::timestamptz - n * interval '100 milliseconds', ${now.toISOString()}
    FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO wrong_pair_codes SELECT 1 + n % 5000, ${now.toISOString()}::timestamptz - n * interval '100 milliseconds' FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`INSERT INTO policies SELECT n, '{}', now() FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`
    INSERT INTO policy_changes (agent_id, changed_by, cause, direction, before, after, changed_at)
    SELECT 1 + n % 1000, 20001, 'replaced', 'mixed', '{}', '{}', now() FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`INSERT INTO agent_activity SELECT n, now(), 'http' FROM generate_series(1, 20000) AS n`)
  await owner.query(sql.unsafe`ANALYZE`)
  await owner.end()
  pool = await openPool(database.url, { size: 1 })
})
afterAll(async () => {
  await pool?.end()
})

test.each<[string, (db: Tx) => Promise<unknown>, RegExp]>([
  [
    'agents by id',
    (db) => findAgents(db, [1, 2, 3]),
    /accounts_pkey[\s\S]*pairings_pkey|pairings_pkey[\s\S]*accounts_pkey/,
  ],
  ['agents of the Hall', (db) => hallAgentsOf(db, [1, 2, 3], 10), /policy_changes_agent/],
  ['owners', (db) => ownersOf(db, [20_500]), /accounts_pkey/],
  ['all agents', (db) => agentIdsAfter(db, 15_000, 100), /accounts_pkey/],
  ['agents of an owner', (db) => pairedAgents(db, 20_500, 100), /Index Only Scan using pairings_owner/],
  ['keys of agents', (db) => countKeys(db, [1, 2, 3], now), /api_keys_live/],
  ['ends of the keys of agents', (db) => accessEnds(db, [1, 2, 3], now), /api_keys_live/],
  ['a party', (db) => relatedAccounts(db, 20_500), /accounts_wallet_kind_key[\s\S]*pairings_pkey[\s\S]*pairings_owner/],
  ['activity', (db) => noteSeen(db, [{ account_id: 1, channel: 'http', at: now.toISOString() }], now), /accounts_pkey/],
  ['codes of an owner', (db) => codesSince(db, 20_500, quarterAgo), /pair_codes_owner/],
  ['a code', (db) => isLive(db, 'f'.repeat(64), now), /pair_codes_pkey/],
  ['taking a code', (db) => takePairCode(db, 'f'.repeat(64), 1, now), /pair_codes_pkey/],
  ['wrong codes of an agent', (db) => wrongCodesSince(db, 1, quarterAgo), /wrong_pair_codes_agent/],
  [
    'old codes',
    (db) => forgetPairCodes(db, new Date(now.getTime() - 1_990_000), 100),
    /pair_codes_created[\s\S]*wrong_pair_codes_shown/,
  ],
  ['a policy', (db) => readPolicy(db, 1), /policies_pkey/],
  ['changes of a policy', (db) => lastChanges(db, 1, 10), /Index Scan Backward using policy_changes_agent/],
  ['scopes of a key', (db) => setScopes(db, 1, 'key_1', ['read'], now), /api_keys_(pkey|live)/],
])('%s: found by index in tables of 20,000 rows', async (_what, work, index) => {
  const plan = await plansOf(pool, work)
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(
    /Seq Scan on (accounts|pairings|api_keys|pair_codes|wrong_pair_codes|policies|policy_changes|agent_activity)/,
  )
})
