import { expect, test } from 'vitest'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { intercept, openPage, world } from '../rig.ts'
import { acceptBy, createVault, giveEther, mandateOf, pairOnPage, signIn, signPaper, toPaper } from '../start-walk.ts'

test('from a note to a working mandate with a wallet of the browser', async () => {
  const { page, wallets } = await openPage('/ui/start', { wallet: {} })
  await page
    .getByRole('textbox', { name: 'Say it in your own words' })
    .fill('300 USDC for 2 weeks, at most 40 per trade and 90 a day')
  await expect.poll(() => page.getByRole('textbox', { name: 'Budget' }).inputValue()).toBe('300')
  await page.getByText('Over the cap per trade: 40 at most.').waitFor()
  await signIn(page)
  const agent = await pairOnPage(page)
  await toPaper(page)
  expect(await page.locator('article li p').allTextContents()).toHaveLength(8)
  await signPaper(page)
  const publicId = mandateOf(page)
  await createVault(page)
  await page.getByRole('button', { name: 'Get test USDC' }).click()
  await page.getByRole('button', { name: 'Allow the amount' }).click()
  await page.getByRole('button', { name: /^Pay in 300/ }).click()
  await page.getByText('The vault is funded').waitFor()
  await acceptBy(agent, publicId)
  await page.getByText('It works now').waitFor()
  await page.getByRole('link', { name: 'Open the mandate' }).click()
  await page.getByText('Working').first().waitFor()
  const sent = wallets[0]?.calls.filter(({ method }) => method === 'eth_sendTransaction')
  expect(sent).toHaveLength(4)
})

test('from the first page to a demo agent that trades, is refused and asks, with a demo wallet that shows what it signs', async () => {
  const { page } = await openPage('/ui')
  await page.getByRole('main').getByRole('link', { name: 'Set your limits' }).first().click()
  const prompt = page.getByRole('dialog', { name: 'Demo wallet' })
  const answer = async (shows: string | RegExp, name: 'Sign' | 'Send') => {
    await prompt.getByText(shows).first().waitFor()
    await prompt.getByRole('button', { name, exact: true }).click()
    await prompt.waitFor({ state: 'detached' })
  }
  await page.locator('mark').first().waitFor()
  await page.getByRole('button', { name: 'Next: the agent' }).click()
  await page.getByRole('button', { name: /^Demo wallet/ }).click()
  await answer(/wants you to sign in with your Ethereum account/, 'Sign')
  await page.getByRole('radio', { name: /Demo agent/ }).check()
  await toPaper(page)
  await page.getByRole('button', { name: 'Sign with the wallet' }).click()
  await answer(/Per-transaction cap: one call of the agent may spend at most 60 USDC/, 'Sign')
  await page.getByText('Signed and stored.').waitFor()
  await page.getByRole('button', { name: 'Next: the vault' }).click()
  await page.getByRole('button', { name: 'Create the vault' }).click()
  await answer(/createVault/, 'Send')
  const faucet = page.getByRole('button', { name: 'Get test USDC' })
  const allow = page.getByRole('button', { name: 'Allow the amount' })
  // Before the page has read the balance, it shows the step that a wallet with enough takes.
  await page
    .getByText(/Your wallet has .* USDC/)
    .first()
    .waitFor()
  if (await faucet.isVisible()) {
    await faucet.click()
    await answer(/faucet/, 'Send')
  }
  await allow.click()
  await answer(/approve[\s\S]*Who may take it\s*0x[0-9a-fA-F]{40}[\s\S]*Amount\s*500 USDC/, 'Send')
  await page.getByRole('button', { name: /^Pay in 500/ }).click()
  await answer(/deposit[\s\S]*Amount\s*500 USDC/, 'Send')
  await page.getByText('The vault is funded').waitFor()
  expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].toSorted())).toEqual(
    [],
  )
  await page.getByRole('link', { name: 'Open the mandate' }).click()
  await page.getByRole('button', { name: 'Let the demo agent work' }).click()
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Approve', exact: true }).click()
  await main.getByText('It has done its part.').waitFor()
  const happened = main.getByRole('listitem')
  // The demo agent accepts 1 % less than what the venue quotes.
  await happened
    .filter({ hasText: 'Bought BTC' })
    .filter({ hasText: /at most \d\d.\d{3}(?:\.\d\d)? USDC for 1 BTC/ })
    .first()
    .waitFor()
  await happened.filter({ hasText: 'Over the cap per trade' }).first().waitFor()
  await main.getByText('You approved 50 USDC, and the agent has used it.').waitFor()
  // It can be watched again: it asks once more, or says what the limits leave.
  await main.getByRole('button', { name: 'Let it work again' }).click()
  const asks = main.getByRole('button', { name: 'Decline', exact: true })
  await asks.or(main.getByText('The limits leave nothing to trade today.')).first().waitFor()
})

test('a declined sign-in is calm and the dialog stays; the second try works and the limits are kept', async () => {
  const { page, wallets } = await openPage('/ui/start', { wallet: { rejects: ['personal_sign'] } })
  await page.locator('mark').first().waitFor()
  await page.getByRole('textbox', { name: 'Per trade' }).fill('55')
  await page.getByRole('button', { name: 'Next: the agent' }).click()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('You declined in the wallet').waitFor()
  expect(await page.getByRole('dialog').isVisible()).toBe(true)
  wallets[0]?.become({ rejects: [] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Who may do it?' }).waitFor()
  await page.getByRole('button', { name: 'Change the limits' }).click()
  expect(await page.getByRole('textbox', { name: 'Per trade' }).inputValue()).toBe('55')
})

// The short run sees the same faults of the same dialog on the page of mandates, in `session.e2e.ts`.
test.runIf(process.env['TEST_LONG'] === '1')(
  'a wallet on another network is asked to switch; one that stays there signs nothing, and an unknown network is told',
  async () => {
    const stubborn = await openPage('/ui/start', { wallet: { chainId: 1, stubborn: true } })
    await stubborn.page.getByRole('button', { name: 'Sign in' }).click()
    await stubborn.page.getByRole('button', { name: 'Test wallet' }).click()
    await stubborn.page.getByText('Your wallet is on another network').waitFor()
    stubborn.wallets[0]?.become({ stubborn: false, unknownChain: true })
    expect(stubborn.wallets[0]?.calls.map(({ method }) => method)).not.toContain('personal_sign')
    await stubborn.page.getByRole('button', { name: 'Try again' }).click()
    await stubborn.page.getByText('Sign in with your wallet').waitFor({ state: 'detached' })
    const unknown = await openPage('/ui/start', { wallet: { chainId: 1, unknownChain: true } })
    await unknown.page.getByRole('button', { name: 'Sign in' }).click()
    await unknown.page.getByRole('button', { name: 'Test wallet' }).click()
    await unknown.page.getByText('Your wallet does not know this network').waitFor()
    expect(unknown.wallets[0]?.calls.map(({ method }) => method)).not.toContain('personal_sign')
  },
)

test('other faults of wallets are told apart: none, locked, another account, another signature, and a wallet that moves away', async () => {
  const none = await openPage('/ui/start')
  await none.page.getByRole('button', { name: 'Sign in' }).click()
  await none.page
    .getByRole('button', { name: /^Demo wallet/ })
    .or(none.page.getByText('No wallet was found in this browser'))
    .waitFor()
  const { page, wallets } = await openPage('/ui/start', {
    wallet: { locked: true },
    otherWallet: { name: 'Other wallet', wrongSignature: true },
  })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('The wallet still waits for you').waitFor()
  wallets[0]?.become({ locked: false, turnsTo: generatePrivateKey() })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The wallet shows another account').waitFor()
  await page.getByRole('button', { name: 'Other wallet' }).click()
  await page.getByText('Signature invalid').waitFor()
  expect(wallets[0]?.calls.map(({ method }) => method)).toContain('personal_sign')
  wallets[1]?.become({ wrongSignature: false })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Sign in with your wallet').waitFor({ state: 'detached' })
  // A wallet that moves away in the middle.
  await page.getByRole('button', { name: 'Next: the agent' }).click()
  await page.getByRole('heading', { name: 'Who may do it?' }).waitFor()
  const emit = (event: string, value: unknown) =>
    page.evaluate(([name, told]) => Reflect.get(globalThis, 'walletBridge1Emit')(name, told), [event, value] as const)
  await emit('accountsChanged', [privateKeyToAccount(generatePrivateKey()).address])
  await page.getByText('Your wallet shows another account').waitFor()
  await emit('accountsChanged', [wallets[1]?.account.address])
  await page.getByText('Your wallet shows another account').waitFor({ state: 'detached' })
  await emit('chainChanged', '0x1')
  await page.getByText('Your wallet moved to another network').waitFor()
  await emit('disconnect', { code: 4900 })
  await page.getByText('Your wallet lost its connection').waitFor()
})

/** Changes the terms on their way to the page. */
type Tamper = (answer: { terms_hash: string; typed_data: Typed; clauses: { text: string }[] }) => void
interface Typed {
  domain: Record<string, unknown>
  message: Record<string, unknown> & { clauses: { text: string }[] }
}
const FOREIGN = '0x00000000000000000000000000000000DeaDBeef'
const tampered: readonly (readonly [string, RegExp, Tamper])[] = [
  [
    'a figure',
    /per trade: here 60000000, to be signed 600000000/,
    ({ typed_data: { message } }) => (message['perTxCap'] = '600000000'),
  ],
  [
    'a clause',
    /clause 2: here/,
    ({ typed_data: { message } }) => Object.assign(message.clauses[1] ?? {}, { text: 'Anything.' }),
  ],
  ['the factory', /factory: here/, ({ typed_data: { domain } }) => (domain['verifyingContract'] = FOREIGN)],
  ['the USDC', /USDC contract: here/, ({ typed_data: { message } }) => (message['usdc'] = FOREIGN)],
  ['the agent', /agent: here/, ({ typed_data: { message } }) => (message['agent'] = FOREIGN)],
  ['the digest alone', /digest: here/, (answer) => (answer.terms_hash = `0x${'ab'.repeat(32)}`)],
]

test('terms with a changed figure, clause, factory, USDC, agent or digest never reach the wallet, and neither does a foreign call', async () => {
  const owner = generatePrivateKey()
  await giveEther(privateKeyToAccount(owner).address)
  const first = await openPage('/ui/start', { wallet: { key: owner } })
  await signIn(first.page)
  await pairOnPage(first.page)
  await toPaper(first.page)
  const publicId = mandateOf(first.page)
  const wallet = first.wallets[0]
  const methods = () => wallet?.calls.map(({ method }) => method) ?? []

  let change: Tamper | null = null
  await first.page.route('**/terms', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as Parameters<Tamper>[0]
    change?.(body)
    await route.fulfill({ response: answer, json: body })
  })
  await first.page.getByRole('button', { name: 'Change the limits' }).click()
  for (const [what, told, tamper] of tampered) {
    change = tamper
    if (what === 'a figure') {
      await first.page.getByRole('button', { name: 'Next: the agent' }).click()
      await first.page.getByRole('button', { name: 'Next: read the terms' }).click()
    } else await first.page.getByRole('button', { name: 'Read the terms again' }).click()
    await first.page.getByText(told).waitFor()
    await first.page.getByText('Do not sign.', { exact: true }).waitFor()
    expect(await first.page.getByRole('button', { name: 'Sign with the wallet' }).isDisabled(), what).toBe(true)
  }
  change = null
  await first.page.getByRole('button', { name: 'Read the terms again' }).click()
  await first.page.getByText('got the same digest').waitFor()
  expect(methods()).not.toContain('eth_signTypedData_v4')

  await signPaper(first.page)
  const calls: readonly (readonly [string, RegExp, (call: { to: string; data: string }) => void])[] = [
    ['to', /Address that is called/, (call) => (call.to = FOREIGN)],
    ['selector', /Function/, (call) => (call.data = `0xa9059cbb${call.data.slice(10)}`)],
    ['length', /Length in bytes/, (call) => (call.data = `${call.data}00`)],
  ]
  let changeCall: ((call: { to: string; data: string }) => void) | null = null
  await first.page.route('**/create-call', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { call: { to: string; data: string } }
    changeCall?.(body.call)
    await route.fulfill({ response: answer, json: body })
  })
  for (const [, told, tamper] of calls) {
    changeCall = tamper
    await first.go(`/ui/start?mandate=${publicId}`)
    await first.page.getByRole('button', { name: 'Create the vault' }).click()
    await first.page.getByText('Do not send').waitFor()
    await first.page.getByText(told).first().waitFor()
  }
  changeCall = null
  await first.go(`/ui/start?mandate=${publicId}`)
  await first.page.getByRole('button', { name: 'Create the vault' }).click()
  await first.page.getByRole('button', { name: 'Get test USDC' }).click()
  await first.page.getByRole('button', { name: 'Allow the amount' }).waitFor()
  const before = methods().filter((method) => method === 'eth_sendTransaction').length
  await first.page.route('**/fund?amount_usdc=*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { calls: { approve: { data: string } } }
    body.calls.approve.data = body.calls.approve.data.slice(0, -64) + 'f'.repeat(64)
    await route.fulfill({ response: answer, json: body })
  })
  await first.page.getByRole('button', { name: 'Allow the amount' }).click()
  await first.page.getByText('Do not send').waitFor()
  await first.page.getByText('Argument').first().waitFor()
  expect(methods().filter((method) => method === 'eth_sendTransaction')).toHaveLength(before)
  expect(before).toBe(2)
})

/** Of a small phone, in pixels. */
const HEIGHT = 700

test('Back, Forward and a reload keep the step, and the check after a reload still takes the agent from its pairing', async () => {
  const { page } = await openPage('/ui/start', { wallet: {}, viewport: { width: 390, height: HEIGHT } })
  const heading = page.getByRole('heading', { level: 1 })
  const shows = async (title: string) => {
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const top = () => heading.evaluate((it) => it.getBoundingClientRect().top)
    await expect.poll(async () => (await top()) >= 0 && (await top()) < HEIGHT).toBe(true)
  }
  await signIn(page)
  // What was not stored is gone after a reload, and the page does not go on with the figures of its example.
  await page.reload()
  await shows('What may it do?')
  await page.locator('mark').first().waitFor()
  await shows('What may it do?')
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('button', { name: 'Next: the agent' }).click()
  await shows('Who may do it?')
  await pairOnPage(page)
  await toPaper(page)
  await shows('Read it, then seal it')
  await page.goBack()
  await shows('Who may do it?')
  await page.goBack()
  await shows('What may it do?')
  await page.goForward()
  await page.goForward()
  await shows('Read it, then seal it')
  await page.getByText('as you set them here').waitFor()
  await page.reload()
  await shows('Read it, then seal it')
  await page.getByText('from the figures of your stored draft and got the same digest').waitFor()
  await page.getByText('wallet of the agent, its pairing with you').waitFor()
  // A service that names another wallet in the draft and in the terms alike is found out by the pairing.
  await page.route(/\/hub\/mandates\/mdt_\w+(\/terms)?$/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { agent?: { wallet: string }; typed_data?: Typed }
    if (body.agent !== undefined) body.agent.wallet = FOREIGN
    if (body.typed_data !== undefined) body.typed_data.message['agent'] = FOREIGN
    await route.fulfill({ response: answer, json: body })
  })
  await page.reload()
  await page.getByText(/agent: here/).waitFor()
  expect(await page.getByRole('button', { name: 'Sign with the wallet' }).isDisabled()).toBe(true)
  // The wallet is heard again after the reload.
  const stranger = privateKeyToAccount(generatePrivateKey()).address
  const moved = page.getByText('Your wallet shows another account')
  const tell = async () => {
    await page.evaluate((to) => Reflect.get(globalThis, 'walletBridge0Emit')('accountsChanged', [to]), stranger)
    return moved.count()
  }
  await expect.poll(tell).toBe(1)
  await page.getByRole('button', { name: 'Read the figures' }).click()
  await shows('What may it do?')
})

test('a declined transaction can be sent later, one that was sent before a reload is not sent again, and a wallet that takes several calls pays in by one prompt', async () => {
  const owner = generatePrivateKey()
  await giveEther(privateKeyToAccount(owner).address)
  const { page, wallets } = await openPage('/ui/start', { wallet: { key: owner, rejects: ['eth_sendTransaction'] } })
  const sends = () => wallets[0]?.calls.filter(({ method }) => method === 'eth_sendTransaction').length
  await signIn(page)
  await pairOnPage(page)
  await toPaper(page)
  await signPaper(page)
  await page.getByRole('button', { name: 'Create the vault' }).click()
  await page.getByText('You declined in the wallet').waitFor()
  wallets[0]?.become({ rejects: [] })
  // The service does not hear of the transaction before the reload.
  const restore = await intercept(page, '**/hub/mandates/*/vault', (route) => route.abort())
  await page.getByRole('button', { name: 'Create the vault' }).click()
  await expect.poll(sends).toBe(2)
  await page.getByText('Transaction', { exact: false }).first().waitFor()
  restore()
  await page.reload()
  await page.getByText('Let the vault take the USDC').waitFor()
  expect(sends()).toBe(2)
  await page.getByRole('button', { name: 'Get test USDC' }).click()
  await page.getByRole('button', { name: 'Allow the amount' }).waitFor()
  wallets[0]?.become({ batches: true })
  await page.getByRole('button', { name: 'Allow and pay in' }).click()
  await page.getByText('The vault is funded').waitFor()
  const batches = wallets[0]?.calls.filter(({ method }) => method === 'wallet_sendCalls')
  expect(batches?.length).toBe(1)
  expect(sends()).toBe(3)
})

test('from the first page of limits to the signature by keyboard alone, and the focus follows', async () => {
  const { page } = await openPage('/ui/start', { wallet: {} })
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
  const press = async (name: string | RegExp) => {
    const target = page.getByRole('button', { name })
    await target.waitFor()
    for (let tabs = 0; tabs < 80; tabs += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    throw new Error(`no way by keyboard to ${String(name)}`)
  }
  await page.locator('mark').first().waitFor()
  await press('Next: the agent')
  await press('Test wallet')
  await expect.poll(focused).toBe('Who may do it?')
  await press('Make a code')
  const code = await page.getByLabel('Pair code').textContent()
  const { newAgent, pairWith } = await import('../start-walk.ts')
  await pairWith(await newAgent(), code ?? '')
  await expect.poll(() => page.getByRole('radio', { name: 'Night watch' }).isChecked()).toBe(true)
  await press('Next: read the terms')
  await expect.poll(focused).toBe('Read it, then seal it')
  await page.getByText('got the same digest').waitFor()
  await press('Sign with the wallet')
  await page.getByText('Signed and stored.').waitFor()
  expect(world.url).toBe(new URL(page.url()).origin)
})
