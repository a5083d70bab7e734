import { sql } from '@svc/postgres'
import { changesNothing, eventually, opened, refusalOf } from '@svc/testing'
import { formatEther, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { AWAY, DRIP, funder, rpcOfChain, startDripRig, type Account } from './drip-rig.ts'

const drips = opened(() => startDripRig())
const DAY_MS = 86_400_000

const settled = () =>
  eventually(async () =>
    expect(
      (await drips.transactions()).filter(({ outcome }) => outcome === null),
      'open transactions',
    ).toEqual([]),
  )

test('an eligible account gets one drip to its own wallet, with its transaction; another call answers already', async () => {
  await drips.serve()
  // By themselves the workers store the books of the funder once, and tell a heartbeat from time to time.
  await eventually(() => drips.rig.pool.exists(sql.unsafe`SELECT 1 FROM gas_funder`))
  const besides = ['outbox and sent_event']
  const one = drips.account('draft')
  const { superuserUrl } = drips.rig.stack.databaseOf('keeper')
  expect(await changesNothing(superuserUrl, () => drips.drip(one, { dryRun: true, key: 'a key' }), besides)).toEqual({
    ok: true,
    dry_run: true,
    status: 'sent',
    amount_eth: '0.002',
    balance_eth: '0',
    chain_id: 31_337,
  })
  const sent = await drips.drip(one)
  const secondAt = new Date(drips.rig.clock.now().getTime() + 7 * DAY_MS).toISOString()
  expect(sent).toEqual({
    ok: true,
    status: 'sent',
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    amount_eth: '0.002',
    balance_eth: '0',
    next_eligible_at: secondAt,
    chain_id: 31_337,
  })
  await settled()
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  const { from, to, value } = await drips.chain.chain.client.getTransaction({ hash: sent.tx_hash as `0x${string}` })
  expect([from, to, value]).toEqual([funder.address.toLowerCase(), one.wallet.toLowerCase(), DRIP])
  drips.pass()
  expect(await drips.drip(one)).toEqual({
    ok: true,
    status: 'not_needed',
    balance_eth: '0.002',
    chain_id: 31_337,
  })
  await drips.setBalance(one.wallet, 5n)
  drips.pass()
  expect(await drips.drip(one)).toEqual({
    ok: true,
    status: 'already',
    tx_hash: sent.tx_hash,
    balance_eth: formatEther(5n),
    next_eligible_at: secondAt,
    chain_id: 31_337,
  })
  expect(await drips.grants()).toHaveLength(1)
})

test('an account without a mandate gets nothing and learns why; one whose balance suffices needs nothing', async () => {
  expect(await drips.drip(drips.account('none'))).toEqual({
    ok: true,
    status: 'not_eligible',
    balance_eth: '0',
    reason: 'no_mandate_yet',
    chain_id: 31_337,
  })
  const rich = drips.account()
  await drips.setBalance(rich.wallet, parseEther('0.0005'))
  expect(await drips.drip(rich)).toMatchObject({ status: 'not_needed', balance_eth: '0.0005' })
})

test('a wallet gets its second drip after seven days and below 0.0001 ETH, and never a third', async () => {
  const one = drips.account()
  const first = await drips.drip(one)
  await settled()
  await drips.setBalance(one.wallet, 0n)
  drips.pass(7 * DAY_MS - 1)
  expect(await drips.drip(one)).toMatchObject({ status: 'already', next_eligible_at: first.next_eligible_at })
  await drips.setBalance(one.wallet, parseEther('0.0001'))
  drips.pass()
  expect(await drips.drip(one)).toMatchObject({ status: 'not_needed' })
  await drips.setBalance(one.wallet, parseEther('0.0001') - 1n)
  drips.pass()
  const second = await drips.drip(one)
  expect(second.status).toBe('sent')
  expect(second.tx_hash).not.toBe(first.tx_hash)
  expect(second).not.toHaveProperty('next_eligible_at')
  await settled()
  await drips.setBalance(one.wallet, 0n)
  for (const days of [7, 400]) {
    drips.pass(days * DAY_MS)
    const third = await drips.drip(one)
    expect(third).toMatchObject({ status: 'already', tx_hash: second.tx_hash })
    expect(third).not.toHaveProperty('next_eligible_at')
  }
})

test('an account gets drips for two wallets, and a wallet gets its drip once whichever account asks', async () => {
  const one = drips.account()
  const [second, third] = [drips.account().wallet, drips.account().wallet]
  expect((await drips.drip(one)).status).toBe('sent')
  drips.pass()
  expect((await drips.drip({ ...one, wallet: second })).status).toBe('sent')
  drips.pass()
  const refused = await drips.drip({ ...one, wallet: third })
  expect(refused).toEqual({ ok: true, status: 'already', balance_eth: '0', chain_id: 31_337 })
  await settled()
  await drips.setBalance(one.wallet, 0n)
  expect((await drips.drip({ ...drips.account(), wallet: one.wallet })).status).toBe('already')
})

test('an account calls once in ten seconds', async () => {
  const one = drips.account('none')
  await drips.drip(one)
  const since = drips.rig.clock.now().getTime()
  drips.pass(9_999)
  expect(await refusalOf(drips.drip(one))).toMatchObject({
    status: 429,
    code: 'rate_limited',
    retry_at: new Date(since + 10_000).toISOString(),
  })
  drips.pass(1)
  expect((await drips.drip(one)).status).toBe('not_eligible')
})

test('the same Idempotency-Key answers the same drip, at once and after a week', async () => {
  const one = drips.account()
  const sent = await drips.drip(one, { key: 'mine' })
  expect(sent.status).toBe('sent')
  expect(await drips.drip(one, { key: 'mine' })).toEqual(sent)
  await settled()
  drips.pass(8 * DAY_MS)
  expect(await drips.drip(one, { key: 'mine' })).toEqual(sent)
  expect(await drips.drip(drips.account(), { key: 'mine' })).not.toMatchObject({ tx_hash: sent.tx_hash })
  await settled()
})

test('calls at the same moment, of one account or of many for one wallet, are paid once', async () => {
  const one = drips.account()
  const others = Array.from({ length: 6 }, () => ({ ...drips.account(), wallet: one.wallet }))
  const before = (await drips.transactions()).length
  const answers = await Promise.allSettled([one, one, one, ...others].map((account) => drips.drip(account)))
  const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 'refused'))
  expect(statuses.filter((status) => status === 'sent')).toHaveLength(1)
  expect(statuses.filter((status) => status === 'refused')).toHaveLength(2)
  await settled()
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  expect((await drips.transactions()).slice(before)).toMatchObject([{ vault: one.wallet, outcome: 'done' }])
})

test('while the RPC or mandates is unavailable a call answers 503 and nothing is granted', async () => {
  const { proxy } = drips.chain
  const before = await drips.grants()
  const heal = proxy.inject({ kind: 'dropped' })
  await expect(drips.drip(drips.account())).rejects.toThrow(AWAY)
  heal()
  drips.mandatesIsAway = true
  await expect(drips.drip(drips.account())).rejects.toThrow(AWAY)
  drips.mandatesIsAway = false
  expect(await drips.grants()).toEqual(before)
  expect((await drips.drip(drips.account())).status).toBe('sent')
  await settled()
})

test('an RPC that serves another chain by now answers 503, and one that serves a main network answers disabled; nothing is granted or sent', async () => {
  const { proxy } = drips.chain
  const [other, main] = [await rpcOfChain(11_155_111), await rpcOfChain(8_453)]
  const before = [await drips.grants(), await drips.transactions()]
  const heal = proxy.inject({ kind: 'elsewhere', url: other.url })
  await expect(drips.drip(drips.account())).rejects.toThrow(AWAY)
  heal()
  const healMain = proxy.inject({ kind: 'elsewhere', url: main.url })
  expect(await drips.drip(drips.account())).toEqual({ ok: true, status: 'disabled', chain_id: 31_337 })
  healMain()
  expect([await drips.grants(), await drips.transactions()]).toEqual(before)
  await Promise.all([other.stop(), main.stop()])
})

test('a drip whose broadcast fails was signed, answers sent, and arrives once', async () => {
  const one = drips.account()
  const heal = drips.chain.proxy.inject({ kind: 'dropped', methods: ['eth_sendRawTransaction'] })
  const sent = await drips.drip(one)
  expect(sent.status).toBe('sent')
  expect(await drips.balanceOf(one.wallet)).toBe(0n)
  heal()
  await settled()
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  expect((await drips.transactions()).at(-1)).toMatchObject({ vault: one.wallet, outcome: 'done' })
})

/** Calls until a drip is granted, and each call ends before it is signed: on a slow machine a call ends before the grant. */
const grantedUnsigned = (one: Account) =>
  eventually(async () => {
    drips.pass()
    await expect(drips.drip(one, { withinMs: 2_000 })).rejects.toThrow(AWAY)
    expect(await drips.grants()).toContainEqual(expect.objectContaining({ address: one.wallet }))
  })

test('a drip that could not be signed answers 503, is deleted once it expired, and the next call is paid', async () => {
  const one = drips.account()
  const heal = drips.chain.proxy.inject({ kind: 'dropped', methods: ['eth_estimateGas'] })
  await grantedUnsigned(one)
  drips.pass(3 * 60_000)
  await settled()
  heal()
  expect((await drips.transactions()).at(-1)).toMatchObject({ nonce: null, outcome: 'expired' })
  expect((await drips.drip(one)).status).toBe('sent')
  await settled()
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  expect((await drips.grants()).filter(({ address }) => address === one.wallet)).toHaveLength(1)
})

test('the next call of an account waits for its drip that could not be signed in time, which pays once', async () => {
  const one = drips.account()
  const heal = drips.chain.proxy.inject({ kind: 'dropped', methods: ['eth_estimateGas'] })
  await grantedUnsigned(one)
  drips.pass()
  await expect(drips.drip(one, { withinMs: 2_000 })).rejects.toThrow(AWAY)
  heal()
  await settled()
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  expect((await drips.grants()).filter(({ address }) => address === one.wallet)).toHaveLength(1)
})

test('a wallet whose code rejects ether is answered 503 and costs the funder nothing', async () => {
  const one = drips.account()
  await drips.chain.anvil.request('anvil_setCode', [one.wallet, '0x60006000fd'])
  const before = await drips.balanceOf(funder.address)
  await expect(drips.drip(one)).rejects.toThrow(AWAY)
  expect(await drips.balanceOf(funder.address)).toBe(before)
  expect((await drips.transactions()).at(-1)).toMatchObject({ nonce: null, outcome: 'refused' })
})

test('a drip that is not mined within two minutes is sent again with a higher fee and the same nonce, and pays once', async () => {
  const { anvil } = drips.chain
  const one = drips.account()
  await anvil.request('evm_setAutomine', [false])
  const sent = await drips.drip(one)
  const [before] = (await drips.transactions()).slice(-1)
  drips.pass(3 * 60_000)
  await eventually(
    async () => {
      drips.pass()
      expect((await drips.drip(one)).tx_hash).not.toBe(sent.tx_hash)
    },
    { everyMs: 200 },
  )
  await anvil.request('evm_setAutomine', [true])
  await anvil.mine(1)
  await settled()
  expect((await drips.transactions()).at(-1)).toEqual({ ...before, outcome: 'done' })
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
})
