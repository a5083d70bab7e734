import { opened } from '@svc/testing'
import { beforeAll, expect, test } from 'vitest'
import {
  createWalletClient,
  type Hex,
  http,
  keccak256,
  maxUint256,
  parseSignature,
  stringToHex,
  zeroAddress,
} from 'viem'
import { callAt, ContractReverted, deployContracts, prepare, read } from '../src/index.ts'
import { admin, agent, feeRecipient, keeper, operator, owner, stranger, testChain } from './harness.ts'
import { createVault, done, everyFunction, recorded, type Recorded, revertOfCall } from './story.ts'

const MARKET = keccak256(stringToHex('rain tomorrow'))
const REF = keccak256(stringToHex('transfer 1'))
const usd = (whole: number) => BigInt(whole) * 1_000_000n

let r: Recorded
const t = opened(() => testChain())
beforeAll(async () => {
  r = recorded(t)
})

/** Ownable2Step and Ownable, of any contract that has them. */
async function expectOwnershipPasses(name: 'factory' | 'factoryV2' | 'venue' | 'legGateway', at: Hex): Promise<void> {
  const calls = r.calls[name](at)
  const views = r.views[name](at)
  await done(t, admin, calls.transferOwnership({ newOwner: stranger.address }))
  expect(await views.pendingOwner()).toBe(stranger.address)
  await done(t, stranger, calls.acceptOwnership())
  expect(await views.owner()).toBe(stranger.address)
  await done(t, stranger, calls.renounceOwnership())
  expect(await views.owner()).toBe(zeroAddress)
}

async function viewsOfVault(name: 'vault' | 'vaultV2', at: Hex): Promise<void> {
  const views = r.views[name](at)
  expect([await views.PAUSED(), await views.STOP_LINE(), await views.STOP_OWNER()]).toEqual([3, 2, 1])
  expect([await views.MARK_MAX_AGE(), await views.SETTLE_GRACE()]).toEqual([3_600n, 86_400n])
  expect((await views.calls()).length).toBe(2 + 3 * 24 * 2)
  expect((await views.terms()).owner).toBe(owner.address)
  expect([await views.agent(), await views.phase()]).toEqual([agent.address, 0])
  expect([await views.markedAt(), await views.lastWorth()]).toEqual([0n, 0n])
  expect([await views.feeOwed(), await views.feeTotal(), await views.withdrawn()]).toEqual([0n, 0n, 0n])
  expect([await views.settled(), await views.stopReason(), await views.stoppedAt()]).toEqual([false, 0, 0n])
  expect((await views.withdrawLock())[0]).toBe(1)
  expect(await views.isAllowed({ target: t.at('venue'), selector: '0xfc18d034' })).toBe(true)
  expect(await views.isAllowed({ target: t.at('usdc'), selector: '0xfc18d034' })).toBe(false)
}

test('the token: every function', async () => {
  const at = t.at('usdc')
  const calls = r.calls.usdc(at)
  const views = r.views.usdc(at)
  await done(t, admin, calls.mint({ to: owner.address, amount: usd(2_000) }))
  await done(t, owner, calls.faucet())
  expect(await views.balanceOf({ account: owner.address })).toBe(usd(3_000))
  expect([await views.name(), await views.symbol(), await views.decimals()]).toEqual(['Test USDC', 'tUSDC', 6])
  expect([await views.FAUCET(), await views.totalSupply(), await views.owner()]).toEqual([
    usd(1_000),
    usd(3_000),
    admin.address,
  ])
  expect(await views.lastFaucet({ arg0: owner.address })).toBeGreaterThan(0n)
  await done(t, owner, calls.transfer({ to: stranger.address, value: usd(10) }))
  await done(t, owner, calls.approve({ spender: stranger.address, value: usd(5) }))
  expect(await views.allowance({ owner: owner.address, spender: stranger.address })).toBe(usd(5))
  await done(t, stranger, calls.transferFrom({ from: owner.address, to: agent.address, value: usd(5) }))

  const [, name, version, chainId, verifyingContract] = await views.eip712Domain()
  expect(await views.DOMAIN_SEPARATOR()).toHaveLength(66)
  const permit = {
    owner: owner.address,
    spender: agent.address,
    value: usd(7),
    nonce: await views.nonces({ owner: owner.address }),
    deadline: maxUint256,
  }
  const word = (member: string, type: string) => ({ name: member, type })
  const signature = await owner.signTypedData?.({
    domain: { name, version, chainId, verifyingContract },
    types: {
      Permit: [
        word('owner', 'address'),
        word('spender', 'address'),
        word('value', 'uint256'),
        word('nonce', 'uint256'),
        word('deadline', 'uint256'),
      ],
    },
    primaryType: 'Permit',
    message: permit,
  })
  const { r: one, s, yParity } = parseSignature(signature ?? '0x')
  await done(t, stranger, calls.permit({ ...permit, v: 27 + yParity, r: one, s }))
  expect(await views.allowance({ owner: owner.address, spender: agent.address })).toBe(usd(7))
})

test('the venue: every function that trades', async () => {
  const at = t.at('venue')
  const calls = r.calls.venue(at)
  const views = r.views.venue(at)
  await done(
    t,
    admin,
    prepare(31_337)
      .usdc(t.at('usdc'))
      .mint({ to: at, amount: usd(1_000) }),
  )
  await done(t, admin, calls.setPrice({ m: MARKET, price: 500_000n }))
  expect(await views.markets({ arg0: MARKET })).toEqual([500_000n, false])
  expect([await views.FEE_BPS(), await views.SPREAD_BPS(), await views.usdc()]).toEqual([10n, 20n, t.at('usdc')])
  await done(
    t,
    owner,
    prepare(31_337)
      .usdc(t.at('usdc'))
      .approve({ spender: at, value: usd(100) }),
  )
  const [units] = await views.quoteBuy({ m: MARKET, usdcIn: usd(10) })
  await done(t, owner, calls.buy({ m: MARKET, usdcIn: usd(10), minUnits: units }))
  expect(await views.units({ arg0: owner.address, arg1: MARKET })).toBe(units)
  expect(await views.held({ a: owner.address })).toEqual([MARKET])
  const [out] = await views.quoteSell({ m: MARKET, n: units / 2n })
  await done(t, owner, calls.sell({ m: MARKET, n: units / 2n, minOut: out }))
})

test('a vault of version 1: its whole life, every function', async () => {
  const usdc = prepare(31_337).usdc(t.at('usdc'))
  const venue = prepare(31_337).venue(t.at('venue'))
  const factory = t.at('factory')
  const { vault, terms } = await createVault(t, 'mdt_v1', {}, r.calls)
  const views = r.views.vault(vault)
  const calls = r.calls.vault(vault)
  const registry = r.views.factory(factory)
  expect(await registry.isVault({ vault })).toBe(true)
  expect(await registry.vaultOf({ owner: owner.address, mandateIdHash: terms.mandateIdHash })).toBe(vault)
  expect(await registry.termsHash({ t: terms })).toBe((await views.terms()).termsHash)
  expect(await registry.predictVault({ t: terms })).toBe(vault)
  expect([await registry.usdc(), await registry.keeper(), await registry.version()]).toEqual([
    t.at('usdc'),
    keeper.address,
    1,
  ])
  expect(await registry.implementation()).toBe(t.at('vault'))
  expect((await registry.eip712Domain())[1]).toBe('Mandate Terms')
  expect(await registry.TERMS_TYPEHASH()).not.toBe(await registry.CALL_TYPEHASH())
  expect([await registry.MAX_CALLS(), await registry.MAX_FEE_BPS(), await registry.MAX_TERM()]).toEqual([
    32n,
    5_000n,
    730n * 86_400n,
  ])
  await viewsOfVault('vault', vault)

  await done(t, owner, usdc.approve({ spender: vault, value: usd(500) }))
  await done(t, owner, calls.deposit({ amount: usd(200) }))
  expect([await views.principal(), await views.accounted()]).toEqual([usd(200), usd(200)])
  const buy = venue.buy({ m: MARKET, usdcIn: usd(40), minUnits: 1n }).data
  await done(t, agent, calls.execute({ target: t.at('venue'), data: buy, approveAmount: usd(40) }))
  const [, used, left] = await views.usage()
  expect([used, left]).toEqual([usd(40), usd(80)])
  const refused = calls.execute({ target: t.at('venue'), data: buy, approveAmount: usd(51) })
  expect((await revertOfCall(t, agent, refused)).refusalKind).toBe('OverPerTxCap')

  const asOf = BigInt(await t.anvil.now())
  await done(t, keeper, calls.markWorth({ worth: usd(190), asOf }))
  await done(t, owner, calls.revokeAgent())
  expect(await views.phase()).toBe(1)
  await done(t, owner, calls.setAgent({ agent_: agent.address }))
  await done(t, admin, prepare(31_337).venue(t.at('venue')).setPrice({ m: MARKET, price: 800_000n }))
  await done(t, owner, calls.stop())
  const units = await read(t.chain).venue(t.at('venue')).units({ arg0: vault, arg1: MARKET })
  await done(
    t,
    owner,
    calls.unwind({ target: t.at('venue'), data: venue.sell({ m: MARKET, n: units, minOut: 1n }).data }),
  )
  await done(t, keeper, calls.settle())
  expect(await views.feeOwed()).toBeGreaterThan(0n)
  await done(t, owner, calls.withdrawAll())
  await done(t, feeRecipient, calls.claimFee())
  const other = await otherToken()
  await done(t, admin, prepare(31_337).usdc(other).mint({ to: vault, amount: 3n }))
  await done(t, owner, calls.rescue({ token: other }))
  expect(await read(t.chain).usdc(t.at('usdc')).balanceOf({ account: vault })).toBe(0n)
  await done(t, admin, r.calls.factory(factory).setKeeper({ k: stranger.address }))
})

/** A second token, for rescues: the same code for another admin has another address. */
async function otherToken(): Promise<Hex> {
  const wallet = createWalletClient({ account: stranger, transport: http(t.anvil.url) })
  const roles = { keeper: keeper.address, operator: operator.address }
  const at = (await deployContracts(t.chain, wallet, roles)).contracts.usdc.address
  await done(t, stranger, r.calls.usdc(at).transferOwnership({ newOwner: admin.address }))
  return at
}

test('a vault of version 2 with a leg, and the gateway: every function', async () => {
  const usdc = prepare(31_337).usdc(t.at('usdc'))
  const venue = prepare(31_337).venue(t.at('venue'))
  const gateway = t.at('leg_gateway')
  const pool = r.calls.legGateway(gateway)
  const poolViews = r.views.legGateway(gateway)
  const { vault, terms } = await createVault(t, 'mdt_v2', { legBudget: usd(100) }, r.calls)
  const registry = r.views.factoryV2(t.at('factory_v2'))
  expect([await registry.version(), await registry.legGateway(), await registry.usdc()]).toEqual([
    2,
    gateway,
    t.at('usdc'),
  ])
  expect([await registry.keeper(), await registry.implementation()]).toEqual([keeper.address, t.at('vault_v2')])
  expect(await registry.vaultOf({ owner: owner.address, mandateIdHash: terms.mandateIdHash })).toBe(vault)
  expect(await registry.isVault({ vault })).toBe(true)
  expect(await registry.predictVault({ t: terms })).toBe(vault)
  expect(await registry.termsHash({ t: terms })).toHaveLength(66)
  expect((await registry.eip712Domain())[2]).toBe('2')
  expect(await registry.TERMS_TYPEHASH()).not.toBe(await registry.CALL_TYPEHASH())
  expect([await registry.MAX_CALLS(), await registry.MAX_FEE_BPS()]).toEqual([32n, 5_000n])
  expect(await registry.MAX_TERM()).toBe(730n * 86_400n)
  const views = r.views.vaultV2(vault)
  const calls = r.calls.vaultV2(vault)
  await viewsOfVault('vaultV2', vault)
  expect(await views.LEG_FALLBACK()).toBe(2n * 86_400n)

  await done(t, owner, usdc.approve({ spender: vault, value: usd(500) }))
  await done(t, owner, calls.deposit({ amount: usd(300) }))
  const buy = venue.buy({ m: MARKET, usdcIn: usd(20), minUnits: 1n }).data
  await done(t, agent, calls.execute({ target: t.at('venue'), data: buy, approveAmount: usd(20) }))
  await done(t, keeper, calls.fundLeg({ amount: usd(60) }))
  expect([await views.legOut(), await views.legFunded(), await views.legOpen(), await views.legSeq()]).toEqual([
    usd(60),
    usd(60),
    true,
    1n,
  ])
  expect([await poolViews.outstanding({ arg0: vault }), await poolViews.totalOutstanding()]).toEqual([usd(60), usd(60)])
  expect([await poolViews.usdc(), await poolViews.factory(), await poolViews.operator()]).toEqual([
    t.at('usdc'),
    t.at('factory_v2'),
    operator.address,
  ])
  expect((await revertOfCall(t, stranger, pool.fund({ amount: 1n }))).name).toBe('NotVault')
  await done(t, owner, usdc.transfer({ to: operator.address, value: usd(50) }))
  await done(t, operator, usdc.approve({ spender: gateway, value: usd(50) }))
  await done(t, operator, pool.topUp({ amount: usd(50) }))
  expect((await revertOfCall(t, stranger, calls.onLegReturn({ amount: 1n, last: true }))).name).toBe('NotGateway')
  expect(await callAt(t.chain, { ...calls.onLegReturn({ amount: 0n, last: true }), from: gateway })).toMatchObject({
    ok: true,
  })
  await done(t, operator, pool.giveBack({ vault, amount: usd(70), last: true, ref: REF }))
  expect(await poolViews.refUsed({ arg0: REF })).toBe(true)
  expect([await views.legReturned(), await views.legOpen()]).toEqual([usd(70), false])
  await done(t, operator, pool.sweep({ to: operator.address, amount: usd(1) }))
  const bindAgain = pool.bindFactory({ f: t.at('factory') })
  expect((await revertOfCall(t, admin, bindAgain)).selector).not.toBeNull()

  await done(t, owner, calls.revokeAgent())
  await done(t, owner, calls.setAgent({ agent_: agent.address }))
  await done(t, keeper, calls.markWorth({ worth: usd(400), asOf: BigInt(await t.anvil.now()) }))
  expect([await views.lastWorth(), (await views.markedAt()) > 0n]).toEqual([usd(400), true])
  expect([await views.principal(), (await views.usage())[1]]).toEqual([usd(300), usd(20)])
  await done(t, owner, calls.stop())
  await done(t, admin, r.calls.venue(t.at('venue')).resolve({ m: MARKET, price: 900_000n }))
  const redeem = r.calls.venue(t.at('venue')).redeem({ m: MARKET }).data
  await done(t, owner, calls.unwind({ target: t.at('venue'), data: redeem }))
  await done(t, keeper, calls.settle())
  expect(await views.accounted()).toBeGreaterThan(usd(300))
  await done(t, owner, calls.withdrawAll())
  await done(t, stranger, calls.claimFee())
  const nothing = calls.rescue({ token: t.at('usdc') })
  expect((await revertOfCall(t, owner, nothing)).name).toBe('BadToken')
  await done(t, admin, r.calls.factoryV2(t.at('factory_v2')).setKeeper({ k: stranger.address }))
})

test('the rights of an admin can be transferred and renounced', async () => {
  await expectOwnershipPasses('factory', t.at('factory'))
  await expectOwnershipPasses('factoryV2', t.at('factory_v2'))
  await expectOwnershipPasses('venue', t.at('venue'))
  await expectOwnershipPasses('legGateway', t.at('leg_gateway'))
  await done(t, admin, r.calls.usdc(t.at('usdc')).renounceOwnership())
})

test('every function of every ABI was called through a typed helper', () => {
  expect([...r.used].toSorted()).toEqual(everyFunction().toSorted())
})

test('a prepared call has the chain id and no ether, and throws with the name of a missing argument', () => {
  const call = prepare(84_532).vault(t.at('vault')).stop()
  expect(call).toEqual({ to: t.at('vault'), data: '0x07da68f5', value: 0n, chainId: 84_532 })
  const incomplete = { target: t.at('venue'), data: '0x' } as never
  expect(() => prepare(1).vault(t.at('vault')).execute(incomplete)).toThrow(
    /execute: approveAmount \(uint256\) is missing/,
  )
})

test('a view can be read at a past block, and rejects if it reverts', async () => {
  const views = read(t.chain).usdc(t.at('usdc'))
  const early = { blockNumber: BigInt(t.deployment.start_block) }
  expect(await views.balanceOf({ account: owner.address }, early)).toBe(0n)
  const inert = read(t.chain).vault(t.at('vault')).terms()
  await expect(inert).rejects.toThrow(ContractReverted)
  await expect(read(t.chain).usdc(stranger.address).decimals()).rejects.toThrow(
    /the address has another contract, or none/,
  )
})

test('callAt distinguishes success, revert and too little gas', async () => {
  const at = t.at('venue')
  const call = prepare(31_337).venue(at).sell({ m: MARKET, n: 1n, minOut: 0n })
  const from = owner.address
  const views = read(t.chain).usdc(t.at('usdc'))
  expect(await callAt(t.chain, { ...call, from, gas: 24_000n })).toEqual({ ok: false, revert: null })
  expect(await callAt(t.chain, { ...call, from })).toMatchObject({ ok: false, revert: { name: expect.any(String) } })
  const transfer = prepare(31_337).usdc(t.at('usdc')).transfer({ to: stranger.address, value: 1n })
  expect(await callAt(t.chain, { ...transfer, from })).toMatchObject({ ok: true })
  expect(await views.balanceOf({ account: from })).toBeGreaterThan(0n)
})
