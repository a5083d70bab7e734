import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from '@svc/postgres'
import { openLog, Outage, type Log } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { parseEther, toHex, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCdp } from '../cdp-rig.ts'
import { KEEPER_KEY, USDC } from '../rig.ts'
import { AWAY, BOT_TOKEN, DRIP, funder, FUNDER_KEY, startDripRig, wallets, type Account } from './drip-rig.ts'

const drips = opened(() => startDripRig())
const switches = mkdtempSync(join(tmpdir(), 'svc-switches-'))
afterAll(() => rmSync(switches, { recursive: true, force: true }))

const custodial = privateKeyToAccount(generatePrivateKey())

const wei = z.string().transform(BigInt)
const books = z.object({
  opening_wei: wei,
  received_wei: wei,
  balance_wei: wei,
  sent_wei: wei,
  fees_wei: wei,
  unexplained_wei: wei,
})
const booksOf = (address: string) =>
  drips.rig.pool.one(sql.type(books)`
    SELECT opening_wei, received_wei, balance_wei, sent_wei, fees_wei, unexplained_wei FROM gas_funder
    WHERE address = ${address}`)
const alertRow = z.object({ day: z.string(), caps: z.number(), tries: z.number(), sent: z.boolean() })
const alerts = () =>
  drips.rig.pool.any(sql.type(alertRow)`
    SELECT day, caps, tries, sent_at IS NOT NULL AS sent FROM funding_alert ORDER BY day`)
const settled = () =>
  eventually(async () => expect((await drips.transactions()).filter(({ outcome }) => outcome === null)).toEqual([]))
const today = () => drips.rig.clock.now().toISOString().slice(0, 10)
const tomorrow = () => {
  drips.rig.clock.set(new Date((Math.floor(drips.rig.clock.now().getTime() / 86_400_000) + 1) * 86_400_000))
}

/** Calls for an account, and again after the pause between two calls if the chain was read or the drip was signed too late. */
const dripped = (account: Account): ReturnType<typeof drips.drip> =>
  drips.drip(account).catch((error: unknown) => {
    if (!(error instanceof Outage)) throw error
    drips.pass()
    return dripped(account)
  })

/** Lets accounts call at the same moment and counts the answers. */
async function statusesOf(accounts: readonly Account[]): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(accounts.map(dripped))
  const counts: Record<string, number> = {}
  for (const { status, reason } of answers) {
    const word = reason === undefined ? status : `${status} ${reason}`
    counts[word] = (counts[word] ?? 0) + 1
  }
  return counts
}
const many = (count: number, standing: 'draft' | 'signed') =>
  Array.from({ length: count }, () => drips.account(standing))

/** A log whose lines a test reads. */
function kept(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const write = (...line: unknown[]) => void lines.push(inspect(line, { depth: 12, showHidden: true }))
  const silent = openLog('keeper', 'silent')
  const log: Log = Object.assign(Object.create(silent) as Log, { info: write, warn: write, error: write, debug: write })
  Object.assign(log, { child: () => log })
  return { log, lines }
}

test('marks and drips of one account go through one queue: every nonce is used once, and its books count both', async () => {
  drips.rig.clock.set(new Date((await drips.chain.anvil.now()) * 1000))
  const vault = await drips.chain.vault(400n * USDC)
  drips.rig.follow(vault)
  const first = await drips.chain.chain.client.getTransactionCount({ address: wallets.keeper.address })
  await drips.serve({ SVC_GAS_DRIP_DEV_KEY: undefined, HUB_KEEPER_MARK_SEC: '1' })
  expect(await statusesOf(many(3, 'signed'))).toEqual({ sent: 3 })
  await eventually(async () => {
    drips.pass(1_000)
    expect((await drips.transactions()).filter(({ kind }) => kind === 'mark')).toHaveLength(1)
  })
  await settled()
  const nonces = (await drips.rig.pool.anyFirst(sql.type(z.object({ nonce: z.number() }))`
    SELECT nonce FROM transaction WHERE sender = ${wallets.keeper.address} ORDER BY nonce`)) as readonly number[]
  expect(nonces).toEqual(Array.from({ length: 4 }, (_, at) => first + at))
  await eventually(async () => {
    drips.pass(60_000)
    const now = await booksOf(wallets.keeper.address)
    expect(now).toMatchObject({ received_wei: 0n, unexplained_wei: 0n })
    expect(now.balance_wei).toBe(await drips.balanceOf(wallets.keeper.address))
  })
})

test('in a dry run of marks their account pays drips, and sends no mark that waits', async () => {
  const marks = async () => (await drips.transactions()).filter(({ kind }) => kind === 'mark')
  const before = (await marks()).length
  await drips.rig.pool.query(sql.unsafe`
    INSERT INTO transaction (chain_id, sender, kind, public_id, vault, data, decided_at)
    VALUES (31337, ${wallets.keeper.address}, 'mark', 'mdt_waiting', ${funder.address}, '0x', ${drips.rig.clock.now().toISOString()})`)
  await drips.serve({ SVC_GAS_DRIP_DEV_KEY: undefined, HUB_KEEPER_MARK_DRY_RUN: '1' })
  const one = drips.account()
  expect((await drips.drip(one)).status).toBe('sent')
  await eventually(async () => expect(await drips.balanceOf(one.wallet)).toBe(DRIP))
  expect((await marks()).slice(before)).toMatchObject([{ nonce: null, outcome: null }])
  await drips.rig.pool.query(sql.unsafe`DELETE FROM transaction WHERE public_id = 'mdt_waiting'`)
})

test('in a dry run of marks a drip of a replaced account that was not signed is given up, and the next call is paid', async () => {
  await drips.serve({ HUB_KEEPER_MARK_DRY_RUN: '1' })
  const former = `0x${'f'.repeat(40)}`
  await drips.rig.pool.query(sql.unsafe`
    INSERT INTO transaction (chain_id, sender, kind, vault, data, value_wei, decided_at)
    VALUES (31337, ${former}, 'gas_drip', ${drips.account().wallet}, '0x', 1, ${drips.rig.clock.now().toISOString()}),
      (31337, ${former}, 'mark', ${wallets.keeper.address}, '0x', 0, ${drips.rig.clock.now().toISOString()})`)
  const ends = () =>
    drips.rig.pool.any(sql.type(z.object({ kind: z.string(), outcome: z.string().nullable() }))`
      SELECT kind, outcome FROM transaction WHERE sender = ${former} ORDER BY id`)
  await eventually(async () =>
    expect((await ends()).map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['gas_drip', 'expired'],
      ['mark', null],
    ]),
  )
  await drips.rig.pool.query(sql.unsafe`DELETE FROM transaction WHERE sender = ${former}`)
})

test('parallel calls stay within the number and the ETH of a day, half of each kept for signed mandates; the next day begins anew', async () => {
  await drips.serve({ HUB_GAS_DRIP_DAILY_MAX: '6' })
  tomorrow()
  expect(await statusesOf(many(5, 'draft'))).toEqual({ sent: 3, 'capped daily_cap': 2 })
  expect(await statusesOf([...many(5, 'signed'), ...many(2, 'draft')])).toEqual({ sent: 3, 'capped daily_cap': 4 })
  const [late] = many(1, 'signed')
  if (late === undefined) throw new Error('no account')
  const capped = await drips.drip(late)
  tomorrow()
  expect(capped).toEqual({
    ok: true,
    status: 'capped',
    reason: 'daily_cap',
    balance_eth: '0',
    next_eligible_at: drips.rig.clock.now().toISOString(),
    chain_id: 31_337,
  })
  expect((await drips.drip(late)).status).toBe('sent')
  await settled()

  await drips.serve({ HUB_GAS_DRIP_DAILY_ETH_MAX: '0.009' })
  tomorrow()
  expect(await statusesOf(many(4, 'draft'))).toEqual({ sent: 2, 'capped daily_cap': 2 })
  expect(await statusesOf(many(4, 'signed'))).toEqual({ sent: 2, 'capped daily_cap': 2 })
  await settled()
  const perDay = new Map<string, number>()
  for (const { day } of await drips.grants()) perDay.set(day, (perDay.get(day) ?? 0) + 1)
  expect([...perDay.values()]).toEqual([4, 6, 1, 4])
})

test('the reserve stays with the funder; that funds are low is stored, logged and sent to the operators once a UTC day, without a secret', async () => {
  const { log, lines } = kept()
  await drips.serve({}, log)
  tomorrow()
  const { chat } = drips
  chat.messages.length = 0
  await drips.setBalance(funder.address, parseEther('0.0542'))
  chat.answers.push(500)
  expect(await statusesOf(many(4, 'signed'))).toEqual({ sent: 2, 'capped funding_low': 2 })
  await settled()
  expect(await drips.balanceOf(funder.address)).toBeGreaterThan(parseEther('0.05'))
  await eventually(async () => {
    drips.pass(60_000)
    expect(await alerts()).toEqual([{ day: today(), caps: 2, tries: 2, sent: true }])
  })
  expect((await drips.drip(drips.account())).reason).toBe('funding_low')
  expect(chat.messages).toEqual([
    { chat_id: '-100777', text: expect.stringContaining(funder.address), link_preview_options: { is_disabled: true } },
  ])
  tomorrow()
  expect((await drips.drip(drips.account())).reason).toBe('funding_low')
  await eventually(async () => expect((await alerts()).map(({ sent }) => sent)).toEqual([true, true]))
  expect(chat.messages).toHaveLength(2)
  expect(lines.filter((line) => line.includes('the funds of gas drips are low'))).toHaveLength(2)
  const said = lines.join('')
  for (const secret of [FUNDER_KEY.slice(2), KEEPER_KEY.slice(2), BOT_TOKEN]) expect(said).not.toContain(secret)
  await drips.setBalance(funder.address, parseEther('100'))
})

test('an account that pays drips and is nearly empty fires an alert', async () => {
  await drips.serve()
  const shows = (eth: string) =>
    eventually(async () => {
      drips.pass(60_000)
      const scrape = await scrapeHere()
      const balance = [...scrape.series].find(([name]) => /^hub_gas_drip_funder_eth\{.*part="balance"/.test(name))
      expect(balance?.[1]).toBe(eth)
      return [scrape]
    })
  await drips.setBalance(funder.address, parseEther('100'))
  const before = await shows('100')
  await drips.setBalance(funder.address, parseEther('0.04'))
  await expectFires('GasDripFundingLow', { before, after: await shows('0.04') })
  await drips.setBalance(funder.address, parseEther('100'))
})

test('the books of the funder explain its balance to the wei: drips, gas and payments to it; what a stranger with its key spends is an alarm', async () => {
  const { log, lines } = kept()
  await drips.halt()
  await drips.rig.pool.query(sql.unsafe`DELETE FROM gas_funder`)
  await drips.serve({}, log)
  tomorrow()
  const opening = await drips.balanceOf(funder.address)
  await eventually(async () => expect((await booksOf(funder.address)).opening_wei).toBe(opening))
  expect(await statusesOf(many(3, 'signed'))).toEqual({ sent: 3 })
  await settled()
  const { client } = drips.chain.chain
  const blocks = async () => {
    drips.pass(60_000)
    const now = await booksOf(funder.address)
    expect(now.balance_wei).toBe(await client.getBalance({ address: funder.address }))
    return now
  }
  const balanced = async (received: bigint, unexplained: bigint) =>
    eventually(async () => {
      const now = await blocks()
      expect(now).toMatchObject({ opening_wei: opening, received_wei: received, sent_wei: 3n * DRIP })
      expect(now.unexplained_wei).toBe(unexplained)
      expect(now.fees_wei).toBe(opening + received - now.balance_wei - 3n * DRIP - unexplained)
      expect(now.fees_wei).toBeGreaterThan(0n)
    })
  await balanced(0n, 0n)
  const before = await drips.balanceOf(funder.address)
  await drips.setBalance(funder.address, before + 7n)
  await balanced(7n, 0n)
  expect(lines.filter((line) => line.includes('gas_drip_unexplained'))).toEqual([])
  await drips.setBalance(funder.address, before)
  await balanced(7n, 7n)
  expect(lines.filter((line) => line.includes('gas_drip_unexplained'))).toHaveLength(1)
})

test('the switch is read on every request: off answers disabled and stores nothing; drips decided before still arrive', async () => {
  const set = (word: string) => writeFileSync(join(switches, 'HUB_GAS_DRIP_ENABLED'), word)
  set('on')
  await drips.serve({ SVC_SWITCHES_DIR: switches })
  tomorrow()
  const one = drips.account()
  const heal = drips.chain.proxy.inject({ kind: 'dropped', methods: ['eth_sendRawTransaction'] })
  expect((await drips.drip(one)).status).toBe('sent')
  set('off')
  const before = await drips.grants()
  await eventually(async () => {
    drips.pass()
    expect(await drips.drip(one)).toEqual({ ok: true, status: 'disabled', chain_id: 31_337 })
  })
  heal()
  await settled()
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  expect(await drips.grants()).toEqual(before)
})

test('an account at the custodian pays drips; while the custodian is unavailable a call answers 503, and no log line has its secrets', async () => {
  const cdp = await openCdp(custodial)
  const { log, lines } = kept()
  await drips.setBalance(custodial.address, parseEther('1'))
  const wallet = { HUB_GAS_DRIP_FUNDER_WALLET: custodial.address, SVC_GAS_DRIP_DEV_KEY: undefined }
  await drips.serve({ ...cdp.environment, ...drips.rig.environment, ...wallet }, log)
  tomorrow()
  const one = drips.account()
  cdp.trouble = 500
  await expect(drips.drip(one, { withinMs: 3_000, key: 'mine' })).rejects.toThrow(AWAY)
  cdp.trouble = null
  // A call that ended before the grant counts for the pause.
  drips.pass()
  const sent = await drips.drip(one, { key: 'mine' })
  expect(sent.status).toBe('sent')
  // It is signed; the chain has it a moment later.
  await settled()
  const { from } = await drips.chain.chain.client.getTransaction({ hash: sent.tx_hash as Hex })
  expect(from).toBe(custodial.address.toLowerCase())
  expect(await drips.balanceOf(one.wallet)).toBe(DRIP)
  for (const secret of [...cdp.secrets, 'eyJ']) expect(lines.join('')).not.toContain(secret)
  await drips.serve()
  await cdp.stop()
})

test('while gas is above the highest price allowed a call answers 503 and nothing is granted', async () => {
  const before = await drips.grants()
  await drips.serve({ SVC_KEEPER_FEE_MAX_GWEI: '1' })
  await drips.chain.anvil.request('anvil_setNextBlockBaseFeePerGas', [toHex(10n ** 10n)])
  await drips.chain.anvil.mine(1)
  await expect(drips.drip(drips.account())).rejects.toThrow(AWAY)
  expect(await drips.grants()).toEqual(before)
})

test('on a chain that is no configured test chain drips are disabled', async () => {
  await drips.serve({ SVC_GAS_DRIP_TEST_CHAINS: '84532' })
  expect(await drips.drip(drips.account())).toEqual({ ok: true, status: 'disabled', chain_id: 31_337 })
})

test('a start is rejected for a key of another account, a key at a foreign node, or drips without an account that pays', async () => {
  await expect(drips.serve({ HUB_GAS_DRIP_FUNDER_WALLET: wallets.owner.address })).rejects.toThrow(
    `SVC_GAS_DRIP_DEV_KEY belongs to ${funder.address}, and HUB_GAS_DRIP_FUNDER_WALLET is ${wallets.owner.address}`,
  )
  const dry = { HUB_KEEPER_MARK_DRY_RUN: '1', HUB_KEEPER_MARK_SIGNER: 'cdp' }
  const started = drips.serve({ ...dry, HUB_RPC_URL: 'https://rpc.example/v2/secret-path' })
  await expect(started).rejects.toThrow(
    'SVC_GAS_DRIP_DEV_KEY is for an anvil of this machine with chain 31337 only: the RPC is on another machine.',
  )
  await expect(drips.serve({ ...dry, SVC_GAS_DRIP_DEV_KEY: undefined })).rejects.toThrow(
    'HUB_GAS_DRIP_ENABLED=1 needs HUB_GAS_DRIP_FUNDER_WALLET or SVC_KEEPER_CDP_ADDRESS',
  )
  const off = { ...dry, SVC_GAS_DRIP_DEV_KEY: undefined, HUB_GAS_DRIP_ENABLED: '0' }
  await drips.serve(off)
  expect((await drips.drip(drips.account())).status).toBe('disabled')
  writeFileSync(join(switches, 'HUB_GAS_DRIP_ENABLED'), 'off')
  await drips.serve({ ...off, SVC_SWITCHES_DIR: switches })
  writeFileSync(join(switches, 'HUB_GAS_DRIP_ENABLED'), 'on')
  await eventually(() => expect(drips.drip(drips.account())).rejects.toThrow(AWAY))
})
