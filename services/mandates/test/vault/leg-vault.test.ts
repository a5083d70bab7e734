import { prepare } from '@svc/chain'
import { mandates } from '@svc/contracts/mandates'
import { clientOf, type Bus } from '@svc/service'
import { eventually, refusalOf } from '@svc/testing'
import { keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, keeper, operator, type TestChain } from '../chain-peer.ts'
import { legBody, legSwitches, listLegMarkets } from '../leg-switches.ts'
import { AGENT, bot, me, ownerActs, OWNER, startOnChain, usd, wallet } from '../owner-acts.ts'
import { bodyAt, type Hex, keeperCaller, owner, type LifeRig } from '../rigs/life-rig.ts'

let chain: TestChain
let rig: LifeRig
let bus: Bus
const { drafted, signed, createVault, attached, sent, deposited, report, vaultOf } = ownerActs(() => ({ chain, rig }))

beforeAll(async () => {
  ;({ chain, rig } = await startOnChain(legSwitches))
  bus = await rig.stack.nats.connect('keeper')
  await listLegMarkets(rig)
})
afterAll(async () => {
  await bus?.close()
  await rig?.stop()
  await chain?.stop()
})

const contracts = () => chain.deployment.contracts
const legs = async () => (await clientOf(bus, 'keeper', mandates).listLegsToMove({})).legs
const legOf = async (public_id: string) => (await legs()).find((leg) => leg.public_id === public_id)
const calls = () => prepare(chain.chain.id)
/** Sends money of a vault to the leg, as the keeper does. */
const fundLeg = async (public_id: string, amount: number): Promise<Hex> =>
  sent(
    keeper,
    calls()
      .vaultV2(await vaultOf(public_id))
      .fundLeg({ amount: usd(amount) }),
  )
/** Gives money of the leg back to a vault, as the operator of the gateway does. */
async function giveBack(public_id: string, amount: number, last: boolean): Promise<Hex> {
  const gateway = calls().legGateway(contracts().leg_gateway.address)
  const ref = keccak256(stringToHex(`${public_id}:${amount}`))
  const vault = await vaultOf(public_id)
  return sent(operator, gateway.giveBack({ vault, amount: usd(amount), last, ref }))
}
const tell = (tx: Hex) => rig.peer?.tell(tx, 1)

test('a mandate with a leg is signed for the v2 factory, with its budget of the leg and the configured gateway', async () => {
  const public_id = await drafted(legBody)
  const { limits } = await rig.as(me).readMandate({ public_id })
  expect(limits).toMatchObject({ hl_leg: true, leg_budget_usdc: '500', close_if_silent_minutes: null })
  const terms = await rig.as(me).readTerms({ public_id })
  expect(terms).toMatchObject({
    factory_configured: true,
    typed_data: {
      domain: { verifyingContract: contracts().factory_v2.address },
      message: { legBudget: '500000000', legGateway: contracts().leg_gateway.address, calls: [] },
    },
  })
  expect(terms.clauses.map(({ leg_enforced_by }) => leg_enforced_by)).toEqual([
    null,
    'guard',
    'guard',
    'guard',
    'guard',
    'guard',
    'guard',
    null,
  ])
  const plain = await rig.as(me).readTerms({ public_id: await drafted() })
  expect(plain).toMatchObject({
    typed_data: {
      domain: { verifyingContract: contracts().factory.address },
      message: { legBudget: '0', legGateway: `0x${'0'.repeat(40)}` },
    },
  })
  expect(plain.clauses.every(({ leg_enforced_by }) => leg_enforced_by === null)).toBe(true)
})

test('its vault is created, attached by receipt or by the sweep, and only paid into from the minimum on', async () => {
  const public_id = await signed(legBody)
  const created = await rig.as(me).prepareCreation({ public_id })
  expect(created).toMatchObject({ configured: true, factory: contracts().factory_v2.address })
  await tell(await createVault(public_id))
  await eventually(async () => (await rig.as(me).readMandate({ public_id })).chain_state?.version === 2)

  const fund = (amount_usdc: string) => rig.as(me).planFunding({ public_id, amount_usdc })
  expect(await refusalOf(fund('5.999999'))).toMatchObject({
    status: 409,
    code: 'hub_leg_min_deposit',
    min_usdc: '6',
  })
  expect((await fund('6')).calls).not.toBeNull()
  await report(public_id, 'deposit', await deposited(public_id, '150'))
  expect((await fund('1')).calls).not.toBeNull()
})

test('money that goes to the leg and comes back is in books, record, activity, statement and the list of the keeper, until the vault is closed', async () => {
  const public_id = await attached(legBody)
  expect(await legOf(public_id)).toMatchObject({ state: 'signed', phase: 'working', leg_open: false, leg_seq: 0 })
  await report(public_id, 'deposit', await deposited(public_id, '400'))
  const funded = await fundLeg(public_id, 250)
  await tell(funded)
  await eventually(async () => (await legOf(public_id))?.leg_open === true)
  expect(await legOf(public_id)).toEqual({
    public_id,
    owner_id: OWNER,
    owner_wallet: wallet.address,
    state: 'working',
    phase: 'working',
    stopped_at: null,
    ends_at: (await rig.as(me).readMandate({ public_id })).limits.ends_at,
    chain_id: 31_337,
    vault: await vaultOf(public_id),
    accounted_usdc: '150',
    held_usdc: '0',
    leg_budget_usdc: '500',
    leg_out_usdc: '250',
    leg_open: true,
    leg_seq: 1,
    marked_leg_usdc: null,
  })
  const row = { vault_usdc: '150', unbooked_usdc: '0', positions_usdc: '0', source: 'keeper', block_number: 7 } as const
  const mark = (at: string, worth_usdc: string | null, withheld_reason: string | null) => ({
    public_id,
    row: { ...row, at, worth_usdc, leg_usdc: worth_usdc === null ? null : '249.5', withheld_reason },
  })
  const rows = [
    mark('2026-11-18T09:00:00.000Z', '399.5', null),
    mark('2026-11-18T09:30:00.000Z', null, 'leg_unexplained'),
  ]
  await clientOf(bus, 'keeper', mandates).storeWorth({ rows })
  expect(await legOf(public_id)).toMatchObject({ marked_leg_usdc: '249.5' })
  const plan = await rig.as(me).planClosing({ public_id })
  expect(plan).toMatchObject({ leg_out_usdc: '250', idle_usdc: '150' })
  const path = `/hub/mandates/${public_id}`
  expect(plan.steps.map(({ action, route }) => [action, route])).toEqual([
    ['stop_record', `POST ${path}/stop`],
    ['close_leg', `POST ${path}/hl-leg/return-call`],
    ['return_leg', `POST ${path}/hl-leg/return`],
    ['wait', null],
    ['stop', null],
    ['withdraw', null],
  ])

  await rig.as(me).stopMandate({ public_id })
  expect(await legOf(public_id)).toMatchObject({ state: 'stopped', phase: 'working', stopped_at: expect.any(String) })
  expect((await rig.as(me).planClosing({ public_id })).steps[0]?.action).toBe('close_leg')
  const { usdc, leg_gateway } = contracts()
  await sent(
    admin,
    calls()
      .usdc(usdc.address)
      .mint({ to: leg_gateway.address, amount: usd(30) }),
  )
  const returned = await giveBack(public_id, 240, true)
  await tell(returned)
  await eventually(async () => (await legOf(public_id))?.leg_open === false)
  const detail = await rig.as(me).readMandate({ public_id })
  expect(detail.chain_state).toMatchObject({
    balance_usdc: '390',
    leg: { open: false, out_usdc: '0', funded_usdc: '250', returned_usdc: '240' },
  })
  expect((await rig.as(me).planClosing({ public_id })).steps.map(({ action }) => action)).toEqual(['stop', 'withdraw'])

  const facts = detail.events
    .filter(({ kind }) => kind === 'chain_fact')
    .map(({ body, tx_hash }) => [body['name'], tx_hash])
  expect(facts.slice(0, 2)).toEqual([
    ['LegReturned', returned],
    ['LegFunded', funded],
  ])
  const { items } = await rig.as(bot).listActivity({ agent_id: AGENT, limit: 20 })
  const moved = items
    .filter((item) => item.public_id === public_id && item.what === 'balance')
    .map(({ body }) => body['name'])
  expect(moved.slice(0, 2)).toEqual(['LegReturned', 'LegFunded'])
  const statement = await rig.as(me).readStatement({ public_id })
  expect(statement).toMatchObject({ leg_funded_usdc: '250', leg_returned_usdc: '240', deposits_usdc: '400' })

  const [stop, withdraw] = (await rig.as(me).planClosing({ public_id })).steps
  await report(public_id, 'stop', await sent(wallet, stop?.call ?? null))
  const tx_hash = await sent(
    keeper,
    calls()
      .vaultV2(await vaultOf(public_id))
      .settle(),
  )
  const left = await sent(wallet, withdraw?.call ?? null)
  await rig.as(keeperCaller).settleMandate({ public_id, tx_hash })
  expect((await report(public_id, 'withdraw', left)).state).toBe('closed')
  expect(await legOf(public_id)).toBeUndefined()
})

test('an export says that orders at the leg are outside of it, and a leg alone has no document', async () => {
  const alone = await rig.as(me).exportMandate({ public_id: await signed(legBody), standard: 'zodiac-role' })
  expect(alone).toMatchObject({ document: null, detail: expect.stringContaining('no call of a contract') })
  expect(alone.coverage.every(({ coverage }) => coverage === 'not_enforced')).toBe(true)
  const both = { markets: ['testvenue', 'hl:BTC'], hl_leg: true, leg_budget_usdc: '100' }
  const { document, coverage } = await rig
    .as(me)
    .exportMandate({ public_id: await signed(both), standard: 'zodiac-role' })
  expect(document).not.toBeNull()
  expect(coverage[1]).toMatchObject({ coverage: 'lossy', detail: expect.stringContaining('at the leg') })
  expect(coverage[0]?.detail).not.toContain('leg')
})

test('a contract wallet cannot sign for a leg, and is told why', async () => {
  const runtime = '631626ba7e60e01b60005260206000f3'
  const hash = await chain.deploy(`0x6f${runtime}60005260106010f3`)
  const { contractAddress } = await chain.chain.client.getTransactionReceipt({ hash })
  const who = { ...owner(OWNER), account_id: 2_000, wallet: contractAddress ?? null }
  const body = bodyAt(rig, { ...legBody, agent_id: AGENT })
  const { public_id } = (await rig.as(who).createMandate(body as never)).mandate
  const { terms_hash } = await rig.as(who).readTerms({ public_id })
  const sign = rig.as(who).signTerms({ public_id, terms_hash, signature: `0x${'12'.repeat(64)}` })
  expect(await refusalOf(sign)).toMatchObject({ status: 409, code: 'owner_wallet_unsupported' })
})

test('a leg that the switches no longer allow is neither shown for a signature nor signed nor created', async () => {
  const [draft, ready] = [await drafted(legBody), await signed(legBody)]
  const terms_hash = `0x${'0'.repeat(64)}`
  await rig.restart({ HUB_HL_LEG_ENABLED: '1' })
  const refused = {
    status: 400,
    code: 'invalid_mandate',
    errors: [{ pointer: '/markets', code: 'needs_contract_market' }],
  }
  expect(await refusalOf(rig.as(me).readTerms({ public_id: draft }))).toMatchObject(refused)
  expect(await refusalOf(rig.as(me).signTerms({ public_id: draft, terms_hash, signature: '0x1234' }))).toMatchObject(
    refused,
  )
  expect(await refusalOf(rig.as(me).prepareCreation({ public_id: ready }))).toMatchObject({ code: 'hub_sign_again' })

  await rig.restart({ ...legSwitches, HUB_MANDATE_FACTORY_V2_ADDRESS: '0x12' })
  const unconfigured = await rig.as(me).prepareCreation({ public_id: ready })
  expect(unconfigured).toMatchObject({ configured: false, call: null, factory: null })
  expect(unconfigured.detail).toContain('v2 factory')
})
