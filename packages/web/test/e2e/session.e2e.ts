import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, openTab, world, type OpenedPage } from '../rig.ts'
import type { WalletMode } from '../wallet-provider.ts'

const MANDATES = '/ui/mandates'
const signInButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign in' })
const walletIn = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /Test wallet/ })
const shownWallet = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^0x/ })

/** Opens a page of the owner and chooses the wallet of the visitor in the dialog. */
async function choosing(mode: WalletMode): Promise<OpenedPage> {
  const tab = await openPage(MANDATES, { wallet: mode })
  await signInButton(tab.page).click()
  await walletIn(tab.page).click()
  return tab
}

async function signedIn(mode: WalletMode = {}): Promise<OpenedPage> {
  const tab = await choosing(mode)
  await shownWallet(tab.page).waitFor()
  return tab
}
const JSON_BODY = { 'content-type': 'application/json' }
/** The refresh token that the browser keeps, which no script of a page can read. */
async function keptToken(context: BrowserContext): Promise<string> {
  const cookies = await context.cookies(`${world.url}/auth/session`)
  return cookies.find(({ name }) => name === 'svc_refresh')?.value ?? ''
}
const methodsOf = ({ wallets }: OpenedPage) => wallets[0]?.calls.map(({ method }) => method) ?? []

test('a declined sign-in is a calm note in the open dialog, and the second try works', async () => {
  const tab = await choosing({ rejects: ['personal_sign'] })
  const dialog = tab.page.getByRole('dialog')
  await dialog.getByText('You declined in the wallet').waitFor()
  expect(await dialog.getByRole('alert').count()).toBe(0)
  tab.wallets[0]?.become({ rejects: [] })
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await shownWallet(tab.page).waitFor()
  await dialog.waitFor({ state: 'detached' })
})

test('a wallet on another network is switched before anything is signed', async () => {
  const tab = await signedIn({ chainId: 1 })
  const methods = methodsOf(tab)
  expect(methods.indexOf('wallet_switchEthereumChain')).toBeGreaterThan(-1)
  expect(methods.indexOf('personal_sign')).toBeGreaterThan(methods.indexOf('wallet_switchEthereumChain'))
})

test.each([
  ['says that it switched and stays where it is', { chainId: 1, stubborn: true }, 'Your wallet is on another network'],
  ['does not know the network', { chainId: 1, unknownChain: true }, 'Your wallet does not know this network'],
])('a wallet that %s signs nothing', async (_what, mode, title) => {
  const tab = await choosing(mode)
  await tab.page.getByRole('dialog').getByText(title).waitFor()
  expect(methodsOf(tab)).not.toContain('personal_sign')
})

test('a slow wallet is asked once, a dialog that is closed in the middle signs nothing in, and a lost connection is told', async () => {
  const signing = Promise.withResolvers<void>()
  const tab = await choosing({ held: { method: 'personal_sign', until: signing.promise } })
  const { page } = tab
  const dialog = page.getByRole('dialog')
  await dialog.getByText('read the message and sign it').waitFor()
  await walletIn(page).click({ force: true })
  signing.resolve()
  await shownWallet(page).waitFor()
  expect(methodsOf(tab).filter((method) => method === 'personal_sign')).toHaveLength(1)

  const showing = Promise.withResolvers<void>()
  const second = await choosing({
    held: { method: 'eth_requestAccounts', until: showing.promise },
    rejects: ['personal_sign'],
  })
  await second.page.getByRole('dialog').getByText('whether this page may see your account').waitFor()
  await second.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await second.page.getByRole('dialog').waitFor({ state: 'detached' })
  showing.resolve()
  await expect.poll(() => methodsOf(second)).toContain('personal_sign')
  expect(await shownWallet(second.page).count()).toBe(0)
  second.wallets[0]?.become({ rejects: [], lost: true })
  await signInButton(second.page).click()
  await walletIn(second.page).click()
  await second.page.getByRole('dialog').getByText('The wallet lost its connection').waitFor()
  second.wallets[0]?.become({ lost: false })
  await second.page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await shownWallet(second.page).waitFor()
})

test('no script reads a secret: none is in a storage or a readable cookie, and the cookie of the session is hidden', async () => {
  const { page, context } = await signedIn()
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, history.state, window.name]),
  )
  expect(readable).not.toMatch(/eyJ|svr_|svc_/)
  expect(readable).toContain('signed_in=1')
  const databases = await page.evaluate(async () => (await indexedDB.databases()).length)
  expect(databases).toBe(0)
  const kept = await context.cookies(new URL('/auth/session/refresh', world.url).href)
  expect(kept.find(({ name }) => name === 'svc_refresh')).toMatchObject({
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    path: '/auth/session',
  })
  // It travels to the routes of sessions alone.
  expect((await context.cookies(new URL(MANDATES, world.url).href)).map(({ name }) => name)).toEqual(['signed_in'])
})

test('a reload keeps the session, two tabs that reload at once both keep it, and signing out reaches both', async () => {
  const first = await signedIn()
  await first.page.reload()
  await shownWallet(first.page).waitFor()
  const second = await openPage(MANDATES, { beside: first })
  await shownWallet(second.page).waitFor()
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([first.page.reload(), second.page.reload()])
    await Promise.all([shownWallet(first.page).waitFor(), shownWallet(second.page).waitFor()])
  }
  await shownWallet(first.page).click()
  await first.page.getByRole('button', { name: 'Sign out' }).click()
  await Promise.all([signInButton(first.page).waitFor(), signInButton(second.page).waitFor()])
  await second.page.reload()
  await signInButton(second.page).waitFor()
  expect(await shownWallet(second.page).count()).toBe(0)
})

test('a session that was ended elsewhere signs the page out in place, and signing in again shows the same page', async () => {
  const { page, context } = await signedIn()
  // Somebody else ends the session with the cookie that only the browser has.
  const body = JSON.stringify({ refresh_token: await keptToken(context) })
  const headers = JSON_BODY
  const refreshed = await fetch(new URL('/auth/session/refresh', world.url), { method: 'POST', headers, body })
  const { token } = (await refreshed.json()) as { token: string }
  await fetch(new URL('/auth/session/logout', world.url), {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: '{}',
  })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.reload()
  await signInButton(page).waitFor()
  expect(new URL(page.url()).pathname).toBe(MANDATES)
  expect(await page.evaluate(() => document.cookie)).not.toContain('signed_in')
  await signInButton(page).click()
  await walletIn(page).click()
  await shownWallet(page).waitFor()
  expect(new URL(page.url()).pathname).toBe(MANDATES)
})

test('a lost answer to the refresh ends no session: the next load asks again and stays signed in', async () => {
  const { page, context } = await signedIn()
  // The service answers a refresh of this session, and the browser never gets the answer.
  const answered = await fetch(new URL('/auth/session/refresh', world.url), {
    method: 'POST',
    headers: JSON_BODY,
    body: JSON.stringify({ refresh_token: await keptToken(context) }),
  })
  expect(answered.status).toBe(200)
  await page.reload()
  await shownWallet(page).waitFor()
})

test('without a connection the figures stay, and the note goes when it is back', async () => {
  const tab = await openTab()
  await tab.go('/ui/markets')
  const { page, context } = tab
  const figures = page.getByRole('main')
  await page.getByRole('table').first().waitFor()
  await context.setOffline(true)
  // No newer figures come from now on.
  const before = await figures.getByRole('table').first().innerText()
  await page.getByText('You are offline').waitFor()
  expect(await figures.getByRole('table').first().innerText()).toBe(before)
  await context.setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
})
