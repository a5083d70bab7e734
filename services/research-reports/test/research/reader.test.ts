import type { Caller } from '@svc/contract'
import { opened, refusalOf } from '@svc/testing'
import { beforeAll, expect, test } from 'vitest'
import { account, startRig } from '../rig.ts'
import { sampleHistory } from '../sample-history.ts'

const rig = opened(() => startRig())
const pair = { exchange: 'binance', symbol: 'FTT/USDT' }
const AGENT = 301
const owner = (account_id: number, tier: Caller['tier'] = 0): Caller => ({
  ...account(account_id, tier),
  kind: 'owner',
})
let report_id = ''

beforeAll(async () => {
  rig.world.owners.set(AGENT, 401).set(302, 401)
  rig.world.tiers.set(AGENT, 1)
  for (const id of [AGENT, 302, 401]) rig.world.histories.set(`${id} binance FTT/USDT`, sampleHistory())
  // The first drawing of a process takes long on a busy machine.
  report_id = (await rig.as(account(AGENT), { deadline: Date.now() + 55_000 }).makeReport(pair)).report_id
})

/** Every read that an owner may make for an agent. */
const reads = (caller: Caller, agent_id?: number) => {
  const ask = rig.as(caller)
  const named = agent_id === undefined ? {} : { agent_id }
  return [
    () => ask.listAgentTargets(named),
    () => ask.readPairResearch({ ...pair, ...named }),
    () => ask.readResearch({ exchange: 'binance', symbol: 'FTT_USDT', ...named }),
    () => ask.listReports({ ...pair, ...named }),
    () => ask.downloadReport({ report_id, ...named }),
  ]
}

test('the owner of a paired agent on Tier 1 reads its research and its reports', async () => {
  for (const read of reads(owner(401), AGENT)) await read()
  const { exchanges } = await rig.as(owner(401)).listAgentTargets({ agent_id: AGENT })
  expect(exchanges).toMatchObject([{ exchange: `of${AGENT}` }])
  const { items } = await rig.as(owner(401)).listReports({ ...pair, agent_id: AGENT })
  expect(items.map((item) => item.report_id)).toEqual([report_id])
})

test('nobody else reads them: not another owner, not another agent, and not an owner of no agent of this id', async () => {
  for (const [caller, agentId] of [
    [owner(402, 2), AGENT],
    [account(302, 2), AGENT],
    [owner(401), 999],
  ] as const)
    for (const read of reads(caller, agentId))
      expect(await refusalOf(read())).toMatchObject({ status: 404, code: 'not_your_agent' })
})

test('the tier is that of the agent, or that of the owner without one', async () => {
  for (const read of [...reads(owner(401), 302), ...reads(owner(401))])
    expect(await refusalOf(read())).toMatchObject({ status: 403, code: 'tier_required' })
  expect(await rig.as(owner(401, 1)).readPairResearch(pair)).toMatchObject({ meta: { symbol: 'FTT/USDT' } })
  expect(await refusalOf(rig.as(owner(401, 1)).downloadReport({ report_id }))).toMatchObject({ code: 'unknown_report' })
})

test('an agent may name itself', async () => {
  expect(await rig.as(account(AGENT)).readPairResearch({ ...pair, agent_id: AGENT })).toMatchObject({
    meta: { symbol: 'FTT/USDT' },
  })
})
