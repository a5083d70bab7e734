import type { Page, Route } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { call, comeBack, comeBackFor, registerAgent, signIn, switchLive, venue } from '../owner.ts'
import { cut, inTheme } from '../accessible.ts'
import { intercept, openPage, world, type OpenedPage } from '../rig.ts'

const PUBLIC_ID = 'mdt_0123456789abcdef0123456789abcdef'
const json = (route: Route, body: object, status = 200) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
const problem = (route: Route, status: number, body: object) =>
  route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, ...body }) })

/** Opens a page as a new owner. */
async function asOwner(path: string, more: object = {}): Promise<OpenedPage> {
  const tab = await openPage(path, { wallet: {}, ...more })
  await signIn(tab)
  return tab
}

const summary = (over: object) => ({
  public_id: PUBLIC_ID,
  name: 'Weekend basis',
  state: 'working',
  owner_id: 1,
  owner_wallet: `0x${'1'.repeat(40)}`,
  created_at: '2026-11-01T10:00:00.000Z',
  changed_at: '2026-11-01T10:00:00.000Z',
  expires_at: null,
  agent: { agent_id: 4, wallet: `0x${'2'.repeat(40)}`, accepted_at: null },
  limits: { stop_line_usdc: '400', daily_cap_usdc: '150', ends_at: '2099-12-18T02:47:11.000Z' },
  vault: `0x${'3'.repeat(40)}`,
  chain_id: 31337,
  ...over,
})
const live = (over: object) => ({
  public_id: PUBLIC_ID,
  state: 'working',
  usage: {
    day: '2026-11-22',
    used_usdc: '95',
    leg_used_usdc: '0',
    reserved_usdc: '0',
    held_usdc: '52',
    left_usdc: '3',
    resets_at: '2099-11-23T00:00:00.000Z',
  },
  leg: null,
  refusals_7d: { total: 2, by_kind: { OverDailyCap: 2 } },
  worth: { at: '2026-11-22T10:00:00.000Z', worth_usdc: '531.189', block_number: 110 },
  approvals_waiting: [],
  agent: { last_seen_at: null, channel: null },
  record_seq: 19,
  as_of: '2026-11-22T10:00:00.000Z',
  ...over,
})

/** Answers the list of mandates and their figures. */
async function withMandates(page: Page, items: readonly object[], figures: (id: string) => object | null) {
  await page.route('**/hub/mandates?*', (route) => json(route, { items, next_cursor: null }))
  await page.route('**/hub/mandates/*/live', (route) => {
    const [, id = ''] = /mandates\/(\w+)\/live/.exec(route.request().url()) ?? []
    const body = figures(id)
    return body === null ? problem(route, 503, { code: 'unavailable', title: 'Not available' }) : json(route, body)
  })
}

test('a wallet that moves to another network is told on each page that asks it', async () => {
  const { page, wallets } = await asOwner('/ui/trade?tab=manual')
  // What is asked about the network later than its event says the same.
  wallets[0]?.become({ chainId: 1 })
  await page.evaluate(() => Reflect.get(globalThis, 'walletBridge0Emit')('chainChanged', '0x1'))
  const told = page.getByText('Your wallet moved to another network')
  await told.waitFor()
  for (const path of ['/ui/deposit', '/ui/start']) {
    await page.evaluate((to) => history.pushState(null, '', to), path)
    if (path === '/ui/start') await page.getByRole('button', { name: 'Next: the agent' }).click()
    await told.waitFor()
  }
  wallets[0]?.become({ chainId: 31_337 })
  await page.evaluate(() => Reflect.get(globalThis, 'walletBridge0Emit')('chainChanged', '0x7a69'))
  await told.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('heading', { name: 'Who may do it?' }).count()).toBe(1)
})

test('an address has the name that the reader gives it in this browser, beside its digits, until it is taken away', async () => {
  const [mandate] = world.history.mandates
  const opening = { owner: mandate?.owner ?? 0, viewport: { width: 320, height: 700 }, reducedMotion: true }
  const tab = await openPage('/ui/agent', opening)
  const { page } = tab
  const main = page.getByRole('main')
  const give = main.getByRole('button', { name: /^Name 0x/ }).first()
  const digits = ((await give.getAttribute('aria-label')) ?? '').slice('Name '.length)
  await give.click()
  const dialog = page.getByRole('dialog')
  // The whole address stands in the dialog, and the field has the focus.
  await dialog.getByText(/^0x[0-9a-fA-F]{40}$/).waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  expect([...(await inTheme(page, 'light', 'all')), ...(await inTheme(page, 'dark', 'colours'))]).toEqual([])
  await page.keyboard.type(' Savings\u202E ')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await main.getByText('your name: Savings').waitFor()
  await main.getByText('Savings', { exact: true }).waitFor()
  await main
    .getByRole('button', { name: `${digits}, copy` })
    .first()
    .waitFor()
  expect(await cut(page)).toEqual([])
  await page.reload()
  await main.getByText('Savings', { exact: true }).waitFor()
  // Another tab of the visit follows.
  const other = await openPage('/ui/agent', { ...opening, beside: tab })
  await other.page
    .getByRole('main')
    .getByRole('button', { name: `Change the name of ${digits}` })
    .click()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await main.getByText('Savings', { exact: true }).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => localStorage.getItem('address_names'))).toBeNull()
})

describe('the mandates of an owner', () => {
  test('are asked for by sign-in, and an owner without one is led to the start', async () => {
    const tab = await openPage('/ui/mandates', { wallet: {} })
    await tab.page.getByText('shown to the wallet that owns them').waitFor()
    await signIn(tab)
    const start = tab.page.getByRole('link', { name: 'Set your limits' })
    await start.waitFor()
    expect(await start.getAttribute('href')).toBe('/ui/start')
  })

  test('stand in the order in which they need the owner, with cut figures and dashes for what is unknown', async () => {
    const ids = ['a', 'b', 'c'].map((digit) => `mdt_${digit.repeat(32)}`)
    const [asks, unmarked, unread] = ids as [string, string, string]
    const tab = await openPage('/ui/mandates', { wallet: {} })
    const { page } = tab
    await withMandates(
      page,
      [
        summary({ public_id: unread, name: 'Unread', state: 'paused' }),
        summary({ public_id: unmarked, name: 'Unmarked' }),
        summary({ public_id: asks, name: '<b>Asks</b> \u202Etfel' }),
      ],
      (id) =>
        id === unread
          ? null
          : live({
              public_id: id,
              worth:
                id === unmarked ? null : { at: '2026-11-22T10:00:00.000Z', worth_usdc: '531.189', block_number: 1 },
              approvals_waiting: id === asks ? [{ expires_at: '2099-11-23T00:00:00.000Z' }] : [],
            }),
    )
    await signIn(tab)
    const rows = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.locator('[data-row]') })
    await page.getByText('1 waits for you').waitFor()
    await expect.poll(() => rows.count()).toBe(3)
    // All figures have come, or failed.
    await expect.poll(() => rows.nth(1).innerText()).toContain('—')
    await expect.poll(() => rows.nth(2).getByRole('button', { name: /Why/ }).count()).toBe(2)
    expect(await rows.locator('[data-row]').allInnerTexts()).toEqual(['<b>Asks</b> \u202Etfel', 'Unmarked', 'Unread'])
    expect(await rows.nth(0).innerText()).toContain('531.18')
    expect(await rows.nth(0).innerText()).toContain('131.18 above the stop line')
    expect(await rows.nth(0).innerText()).toContain('95 of 150')
    expect(await rows.nth(1).innerText()).not.toContain('531.18')

    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Unmarked')
    await page.keyboard.press('/')
    await page.keyboard.type('unr')
    await expect.poll(() => rows.count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('set new limits').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/ui/start')
  })

  test('that cannot be read say when to come back', async () => {
    const tab = await openPage('/ui/mandates', { wallet: {} })
    await tab.page.route('**/hub/mandates?*', (route) =>
      problem(route, 429, { code: 'rate_limited', title: 'Too many requests', retry_at: '2099-11-23T10:20:30.000Z' }),
    )
    await signIn(tab)
    await tab.page.getByText('10:20').waitFor()
    expect(await tab.page.locator('[data-row]').count()).toBe(0)
  })
})

describe('the agents of an owner', () => {
  test('appear once they sent the pair code, and no page ever has a key', async () => {
    const agent = await registerAgent('Night watch')
    const { page } = await asOwner('/ui/agent')
    await page.getByRole('button', { name: 'Pair an agent' }).first().click()
    const dialog = page.getByRole('dialog')
    const shown = await dialog.getByRole('img', { name: /Pair code/ }).innerText()
    expect(shown).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    await dialog.getByText(/^1[45]:\d\d/).waitFor()
    expect(await dialog.innerText()).toContain('X-SVC-User-Key: $SVC_KEY')
    await call('POST', '/hub/agents/pair', { body: { code: shown }, key: agent.key })
    await dialog.getByText('Night watch is paired with you.').waitFor()
    await dialog.getByRole('button', { name: 'Show the agent' }).click()
    await page.getByText('What it may take on').waitFor()
    expect(await page.content()).not.toMatch(/svc_[0-9A-Za-z]{20}/)
    expect(await page.locator('input[type=password]').count()).toBe(0)

    // A tighter policy is saved at once, a wider one asks again.
    await page.getByLabel('Per day', { exact: true }).fill('150')
    await page.getByText('1 change, not saved').waitFor()
    expect(await page.getByRole('main').innerText()).toContain('tightens')
    await page.getByRole('button', { name: 'Save the tighter policy' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Per day', { exact: true }).fill('1,5')
    await page.getByText('Write an amount such as').waitFor()
    await page.getByLabel('Per day', { exact: true }).fill('200')
    await page.getByRole('button', { name: 'Save, and let it do more…' }).click()
    await dialog.getByText('Let the agent do more?').waitFor()
    await dialog.getByRole('button', { name: 'Keep the tighter policy' }).click()
    await page.getByRole('button', { name: 'Save, and let it do more…' }).click()
    await dialog.getByRole('button', { name: 'Let it do more' }).click()
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => page.getByText('by you').count()).toBe(2)

    // So does a key that may trade.
    await page.getByRole('checkbox', { name: /trade/ }).click()
    await dialog.getByRole('button', { name: 'Let it trade' }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: /trade/ }).isChecked()).toBe(true)
  })

  test('show their Cherry, and let their owner buy a tier once they allowed it, at the price that is shown', async () => {
    const agent = await registerAgent('Spender')
    const tab = await asOwner('/ui/agent')
    const { page } = tab
    const card = page.getByRole('region', { name: 'Cherry', exact: true })
    const dialog = page.getByRole('dialog')
    const pair = async (more: object) => {
      await page.getByRole('button', { name: 'Pair an agent' }).first().click()
      const code = await dialog.getByRole('img', { name: /Pair code/ }).innerText()
      await call('POST', '/hub/agents/pair', { body: { code, ...more }, key: agent.key })
    }
    await pair({})
    await dialog.getByText('Spender is paired with you.').waitFor()
    await dialog.getByRole('button', { name: 'Show the agent' }).click()
    await card.getByText('The agent has not allowed you').waitFor()
    await card.getByText('Welcome credit').waitFor()
    expect(await card.innerText()).toMatch(/Balance\s+10\s[\s\S]*\+10/)
    await card.getByRole('row', { name: /Tier 2 25,000 50,000 50 150/ }).waitFor()
    expect(await card.getByRole('button', { name: 'Buy a tier…' }).count()).toBe(0)

    // A further code allows it; the price is more than the agent has.
    await pair({ owner_may_spend: true })
    await dialog.getByRole('button', { name: 'Close' }).click()
    const buy = card.getByRole('button', { name: 'Buy a tier…' })
    await comeBackFor(tab, buy)
    await buy.click()
    await dialog.getByText('does not have enough Cherry').waitFor()
    const pay = dialog.getByRole('button', { name: /^Pay 10,000 of/ })
    expect(await pay.isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    // With enough of it, two presses send one purchase, by the quote that is shown; so does a repetition after a lost answer.
    const sent: unknown[] = []
    let quotes = 0
    await page.route('**/upgrade-preview?*', async (route) => {
      quotes += 1
      const quoted = (await (await route.fetch()).json()) as object
      await json(route, { ...quoted, balance: 12_345, affordable: true })
    })
    const keys = new Set<string | undefined>()
    await page.route('**/cherries/subscribe', async (route) => {
      sent.push(route.request().postDataJSON())
      keys.add(route.request().headers()['idempotency-key'])
      // The first answer is lost.
      await (sent.length === 1 ? route.abort() : json(route, { ok: true }, 201))
    })
    await buy.click()
    await dialog.getByText('2,345 Cherry', { exact: true }).waitFor()
    expect(await inTheme(page, 'light', 'all')).toEqual([])
    await pay.click()
    await dialog.getByText('It is not known whether this was paid.').waitFor()
    const read = quotes
    const purchase = { agent_id: agent.id, tier: 1, months: 1, quote_id: expect.stringMatching(/^quo_[a-z0-9]{20}$/) }
    expect(sent).toEqual([purchase])
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await dialog.getByRole('button', { name: 'Repeat', exact: true }).dblclick()
    await dialog.getByText('Tier bought. It applies now.').waitFor()
    expect(sent).toEqual([sent[0], sent[0]])
    expect([keys.size, quotes]).toEqual([1, read])
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    // What the agent takes back is gone from the page.
    await call('DELETE', '/hub/agents/me/owner-spending', { body: {}, key: agent.key })
    await comeBackFor(tab, card.getByText('The agent has not allowed you'))
  })

  test('have balances in four states, and what nobody could read is a dash', async () => {
    const agent = await registerAgent('Reader')
    const tab = await openPage('/ui/agent', { wallet: {} })
    const { page } = tab
    await page.route('**/hub/agents/*/balances', (route) =>
      json(route, {
        agent_id: agent.id,
        items: [
          {
            chain_id: 31337,
            asset: 'USDC',
            idle: null,
            idle_in_wallet: null,
            idle_in_vaults: '0',
            reserved: '0',
            in_transit: '1234.5678901',
            delivered: '3',
          },
        ],
        computed_at: new Date().toISOString(),
      }),
    )
    await signIn(tab)
    await page.getByRole('button', { name: 'Pair an agent' }).first().click()
    const code = await page.getByRole('img', { name: /Pair code/ }).innerText()
    await call('POST', '/hub/agents/pair', { body: { code }, key: agent.key })
    await page.getByRole('button', { name: 'Show the agent' }).click()
    const list = page.locator('dl').filter({ hasText: 'In transit' })
    await list.waitFor()
    await expect.poll(() => list.locator('dd').allInnerTexts()).toEqual(['—', '0', '1,234.56', '3'])
  })

  test('cannot be paired more often than allowed, and the page says until when', async () => {
    const tab = await asOwner('/ui/agent')
    await tab.page.route('**/hub/agents/pair-code', (route) =>
      problem(route, 429, { code: 'rate_limited', title: 'Too many codes', retry_at: '2099-11-23T10:20:30.000Z' }),
    )
    await tab.page.getByRole('button', { name: 'Pair an agent' }).first().click()
    await tab.page.getByRole('dialog').getByText('2099-11-23 10:20:30 UTC').waitFor()
    expect(await tab.page.getByRole('img', { name: /Pair code/ }).count()).toBe(0)
  })
})

const MARKET = 'hl:ETH'
const desk = `/ui/trade?tab=manual&market=${encodeURIComponent(MARKET)}`
afterAll(() => switchLive(false))

/** Has the wallet of a tab funded at the venue and linked. */
async function linkAccount({ page, wallets }: OpenedPage): Promise<void> {
  const [wallet] = wallets
  await venue('fund', { address: wallet?.account.address, amount: '250' })
  await venue('mark', { coin: 'ETH', price: '3000' })
  await page.getByRole('link', { name: 'Delegation link' }).click()
  await page.getByRole('button', { name: 'Link this wallet' }).click()
  await step(page, 'linked')
}

/** Remembers the newest good answer of a path. */
function lastOf(page: Page, path: string): () => object {
  let last: object = {}
  page.on('response', async (answer) => {
    if (answer.ok() && new URL(answer.url()).pathname === path) last = (await answer.json()) as object
  })
  return () => last
}

const step = (page: Page, id: string) => page.locator(`[data-step="${id}"][data-ok="true"]`).waitFor()
const frame = (page: Page, mode: string) => page.locator(`[data-mode="${mode}"]`).waitFor()
const amount = (page: Page) => page.getByLabel('Amount at most')

/** Waits until the page says that an order was filled; otherwise fails with what it says instead. */
async function filled(page: Page): Promise<void> {
  await page
    .getByText('Filled', { exact: true })
    .waitFor()
    .catch(async (cause: unknown) => {
      throw new Error(`not filled: ${await page.getByRole('main').innerText()}`, { cause })
    })
}

describe('the trade page', () => {
  test('shows prices to everybody, and those of a rig never as real', async () => {
    const tab = await openPage('/ui/trade')
    await tab.page.getByText('Made-up prices').waitFor()
    await tab.page.getByText('its money is play money').waitFor()
    let said: object = { made_up: undefined }
    await tab.page.route('**/ui/trade/products', async (route) => {
      const answer = await route.fetch()
      await json(route, { ...((await answer.json()) as object), ...said })
    })
    await tab.page.reload()
    await tab.page.getByText('Prices not known to be real').waitFor()
    expect(await tab.page.getByText('Made-up prices').count()).toBe(0)
    said = { made_up: false }
    await tab.page.reload()
    await tab.page.getByRole('button', { name: /^ETH/ }).waitFor()
    expect(await tab.page.getByText(/Made-up prices|not known to be real/).count()).toBe(0)
    await tab.page.getByRole('button', { name: /^ETH/ }).click()
    await tab.page.getByText('shown to the wallet that owns them').waitFor()
  })

  test('fills a paper order after its checklist, and closes the position', async () => {
    const { page } = await asOwner(desk)
    await frame(page, 'paper')
    await page.locator('[data-mode="paper"]').getByText('Made-up prices').waitFor()
    await page.getByLabel('Name').fill('First')
    await page.getByRole('button', { name: 'Make a paper book' }).click()
    await amount(page).fill('5')
    await page.getByText('The venue takes at least 10 USDC.').waitFor()
    await amount(page).fill('30')
    await page.getByText('Nothing refuses this order.').waitFor()
    await page.getByRole('button', { name: 'Buy ETH for 30 on paper' }).click()
    await filled(page)
    await page.getByRole('button', { name: 'Close ETH' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Close ETH' }).count()).toBe(0)
    // Limits go down and never up.
    await page.getByText('Choose lower limits').click()
    await page.getByLabel('Per order, Lower to').fill('101')
    await page.getByText('At most 100: limits only go down here.').waitFor()
    await page.getByLabel('Per order, Lower to').fill('40')
    await page.getByRole('button', { name: 'Lower the limits' }).click()
    await page.getByText('40 USDC').waitFor()
  })

  test('links an account step by step, trades live in a black frame, and closes while live trading is off', async () => {
    switchLive(false)
    const tab = await asOwner('/ui/trade')
    const { page, wallets } = tab
    wallets[0]?.become({ rejects: ['personal_sign'] })
    await page.getByRole('link', { name: 'Delegation link' }).click()
    await page.getByRole('button', { name: 'Link this wallet' }).click()
    await page.getByText(/You declined/).waitFor()
    wallets[0]?.become({ rejects: [] })
    await linkAccount(tab)
    await page.getByRole('button', { name: 'Approve the order key' }).click()
    await step(page, 'key_approved')
    await page.getByRole('button', { name: 'Approve the fee' }).click()
    await step(page, 'builder_fee_approved')
    switchLive(true)
    await page.getByRole('link', { name: 'Watch' }).click()
    await page.getByRole('button', { name: /^ETH/ }).click()
    await frame(page, 'live')
    const former = lastOf(page, '/ui/trade/me')
    await amount(page).fill('101')
    await page.getByText(/^It would be refused/).waitFor()
    await amount(page).fill('30')
    await page.getByText('Nothing refuses this order.').waitFor()
    await page.getByRole('button', { name: 'Buy ETH for 30 USDC of your money' }).click()
    await filled(page)

    // The mode changes under the hand: nothing is executed, and the screen says what changed.
    const restore = await intercept(page, '**/ui/trade/me', (route) => json(route, former()))
    switchLive(false)
    await page.getByRole('button', { name: 'Buy ETH for 30 USDC of your money' }).click()
    await page.getByText('The mode is paper now. Nothing was executed.').waitFor()
    restore()
    await comeBackFor(tab, page.getByText('Live trading was on, it is off.'))
    await page.getByRole('button', { name: 'Show it' }).click()
    await frame(page, 'paper')
    expect(await page.getByText('Filled', { exact: true }).count()).toBe(0)
    // The list can lose the position before the close is answered: what became of it stays on the page.
    await page.route('**/ui/trade/close', async (route) => {
      const answer = await route.fetch()
      await expect
        .poll(async () => {
          await comeBack(tab)
          return page.getByRole('button', { name: 'Close ETH' }).count()
        })
        .toBe(0)
      await route.fulfill({ response: answer })
    })
    await page.getByRole('button', { name: 'Close ETH' }).click()
    await filled(page)
  })

  test('signs with a key of its own that lives in memory alone', async () => {
    switchLive(true)
    const tab = await asOwner('/ui/trade')
    const { page } = tab
    await linkAccount(tab)
    await page.getByRole('button', { name: 'Approve the fee' }).click()
    await step(page, 'builder_fee_approved')
    await page.getByRole('button', { name: 'Make and approve a key' }).click()
    await step(page, 'page_key')
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toMatch(/0x[0-9a-f]{64}|eyJ|svr_|svc_/i)
    await page.getByRole('link', { name: 'Watch' }).click()
    await page.getByRole('button', { name: /^ETH/ }).click()
    await frame(page, 'live')
    await amount(page).fill('30')
    await page.getByText('Nothing refuses this order.').waitFor()
    await page.getByRole('button', { name: 'Buy ETH for 30 USDC of your money' }).click()
    await filled(page)
  })

  test('does not sign an approval that the service changed', async () => {
    const tab = await asOwner('/ui/trade')
    const { page, wallets } = tab
    await linkAccount(tab)
    await page.route('**/hub/own/status*', async (route) => {
      const answer = await route.fetch()
      const text = await answer.text()
      await route.fulfill({ response: answer, body: text.replaceAll('"maxFeeRate":"0.1%"', '"maxFeeRate":"1%"') })
    })
    await page.getByRole('button', { name: 'Approve the fee' }).click()
    await page.getByText('Do not sign').waitFor()
    expect(wallets[0]?.calls.filter(({ method }) => method === 'eth_signTypedData_v4')).toEqual([])
  })

  test('asks for a sign-in in place when the session has ended', async () => {
    const tab = await asOwner(desk)
    const { page } = tab
    await frame(page, 'paper')
    await page.route('**/ui/trade/**', (route) => problem(route, 401, { code: 'unauthenticated', title: 'Sign in' }))
    await page.route('**/auth/session/**', (route) =>
      problem(route, 401, { code: 'unauthenticated', title: 'Sign in' }),
    )
    const ask = page.getByText('shown to the wallet that owns them')
    await expect
      .poll(async () => {
        await comeBack(tab)
        return ask.count()
      })
      .toBe(1)
    expect(new URL(page.url()).search).toContain('tab=manual')
  })
})
