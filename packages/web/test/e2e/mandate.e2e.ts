import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { comeBackFor, signIn } from '../owner.ts'
import { intercept, openTab, type OpenedPage } from '../rig.ts'
import { differentFigures } from '../different-figures.ts'
import { workingMandate, type WorkingMandate } from '../working-mandate.ts'

const made = workingMandate()
// A set-up that failed fails the tests that need it, once each.
made.catch(() => undefined)

/** Opens the page of a mandate as its owner. */
async function openMandate({ publicId, ownerKey }: WorkingMandate, more = ''): Promise<OpenedPage> {
  const tab = await openTab({ wallet: { key: ownerKey } })
  await tab.go(`/ui/mandates/${publicId}${more}`)
  await signIn(tab)
  return tab
}
/** Opens the page of a mandate whose worth is marked at 400. */
async function openWithWorth({ publicId, ownerKey }: WorkingMandate, lang: 'en' | 'ko'): Promise<OpenedPage> {
  const tab = await openTab({ wallet: { key: ownerKey }, lang })
  await tab.page.route('**/live', async (route) => {
    const answer = await route.fetch()
    const worth = { at: new Date().toISOString(), worth_usdc: '400', block_number: 1 }
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), worth } })
  })
  await tab.go(`/ui/mandates/${publicId}`)
  await signIn(tab, lang)
  return tab
}
const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const sends = ({ wallets }: OpenedPage) =>
  wallets[0]?.calls.filter(({ method }) => method === 'eth_sendTransaction').length ?? 0

test('a stranger is told to sign in, and another wallet that the address or the wallet is wrong', async () => {
  const { publicId } = await made
  const tab = await openTab({ wallet: {} })
  await tab.go(`/ui/mandates/${publicId}`)
  await main(tab.page).getByText('Sign in with the wallet that owns it').waitFor()
  await signIn(tab)
  const missing = main(tab.page).getByText(/Either the address is wrong, or it belongs to another wallet than 0x/)
  await missing.waitFor()
  expect(await main(tab.page).getByText('Weekend basis').count()).toBe(0)
})

test('a refusal of the chain is told with its rails, and the facts of the record lead to the same refusal', async () => {
  const mandate = await made
  await mandate.buy(30n)
  await mandate.send(90n)
  const { page } = await openMandate(mandate)
  const refusal = page.locator('li').filter({ hasText: 'Over the cap per trade' }).first()
  await refusal.getByText('90 of 80, 10 too much').waitFor()
  expect(await refusal.getByText('above 50: would have asked').count()).toBe(1)
  await refusal.getByText('Computed here from the record: the same refusal.').waitFor()
  const bought = page.locator('li').filter({ hasText: `Bought ${mandate.asset}` })
  await bought.getByText('basis entry').waitFor()
  await bought.getByText(`Buy ${mandate.asset} for 30 USDC, at any price`).waitFor()
  await refusal.getByText(`Buy ${mandate.asset} for 90 USDC, at any price`).waitFor()
})

test('a recorded kind that the facts contradict is told in red', async () => {
  await (await made).send(91n)
  const tab = await openTab({ wallet: { key: (await made).ownerKey } })
  await tab.page.route('**/record?**', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replaceAll('"kind":"OverPerTxCap"', '"kind":"TargetNotAllowed"')
    await route.fulfill({ response: answer, body: text })
  })
  await tab.go(`/ui/mandates/${(await made).publicId}`)
  await signIn(tab)
  const told = 'The record says “Not a market of the mandate”, and its own facts lead to “Over the cap per trade”'
  await main(tab.page).getByText(told).first().waitFor()
  expect(await main(tab.page).getByRole('alert').count()).toBeGreaterThan(0)
})

test('a forged record is refused: changed, missing, reordered, cut or doubled entries, and another key; the true one holds', async () => {
  const edits: readonly (readonly [string, (lines: string[]) => string[], RegExp])[] = [
    [
      'a changed entry',
      (l) => l.map((x, n) => (n === 3 ? x.replace('"kind":"', '"kind":"x') : x)),
      /Entry 3 was changed/,
    ],
    ['a missing entry', (l) => l.toSpliced(4, 1), /Entry 4 is missing: 5 stands in its place/],
    ['reordered entries', (l) => [l[0] ?? '', l[2] ?? '', l[1] ?? '', ...l.slice(3)], /Entry 1 is missing: 2 stands/],
    [
      'a doubled member',
      (l) => l.map((x, n) => (n === 2 ? x.replace('"hash"', '"type":"entry","hash"') : x)),
      /has a member twice/,
    ],
    ['a cut tail', (l) => l.slice(0, -1), /The head names entry \d+, and the record ends with \d+/],
  ]
  const tab = await openMandate(await made)
  const { page } = tab
  await main(page).getByText('You wrote the draft').waitFor()
  await button(page, 'Check the record').click()
  await main(page).getByText('each follows from the one before').waitFor()
  await main(page).getByText('Signed with the published key').waitFor()
  await main(page).getByText('The clauses on this page are those you signed, in edition 2 of their wording').waitFor()
  for (const [name, edit, said] of edits) {
    const restore = await intercept(page, '**/record/export*', async (route) => {
      const answer = await route.fetch()
      const lines = (await answer.text()).trimEnd().split('\n')
      await route.fulfill({ response: answer, body: `${edit(lines).join('\n')}\n` })
    })
    await button(page, 'Check again').click()
    await main(page).getByText(said).waitFor()
    expect(await main(page).getByText('The record does not hold').count(), name).toBe(1)
    restore()
  }
  await page.route('**/.well-known/jwks.json', async (route) => {
    const { keys } = (await (await route.fetch()).json()) as { keys: { x: string }[] }
    const other = keys.map((key) => ({ ...key, x: `${key.x.startsWith('A') ? 'B' : 'A'}${key.x.slice(1)}` }))
    await route.fulfill({ json: { keys: other } })
  })
  await button(page, 'Check again').click()
  await main(page).getByText('The signature is not by the published key.').waitFor()
})

test('the check of a record tells clauses of the page that were not signed so, and another edition of their wording, in both languages', async () => {
  const { publicId, ownerKey } = await made
  const words = {
    en: {
      check: 'Check the record',
      again: 'Check again',
      good: 'The clauses on this page are those you signed, in edition 2 of their wording',
      edition: /^The service names another edition of the clauses than entry \d+ signed\.$/,
      other: /^The service shows other terms than those that entry \d+ signed\.$/,
      unsigned: 'The service says that other terms must be signed now',
      clause: 'Clause 3 stands on this page with another text than you signed.',
    },
    ko: {
      check: '기록 검증하기',
      again: '다시 검증하기',
      good: '이 화면의 조항은 서명하신 조항(제2판)과 같습니다',
      edition: /^서비스가 말하는 조항의 판이 \d+번 항목에서 서명된 판과 다릅니다\.$/,
      other: /^서비스가 보낸 조건이 \d+번 항목에서 서명된 조건과 다릅니다\.$/,
      unsigned: '서비스에 따르면 이제 다른 조건에 서명해야 합니다.',
      clause: '이 화면의 제3조가 서명하신 내용과 다릅니다.',
    },
  } as const
  for (const lang of ['en', 'ko'] as const) {
    const said = words[lang]
    const tab = await openTab({ wallet: { key: ownerKey }, lang })
    const { page } = tab
    await tab.go(`/ui/mandates/${publicId}`)
    await signIn(tab, lang)
    await button(page, said.check).click()
    await main(page).getByText(said.good).waitFor()
    type Terms = { clauses_edition: number; signed: boolean; typed_data: { message: { perTxCap: string } } }
    const edits: readonly (readonly [(terms: Terms) => unknown, string | RegExp])[] = [
      [(terms) => (terms.clauses_edition = 1), said.edition],
      [(terms) => (terms.typed_data.message.perTxCap = '1'), said.other],
      [(terms) => (terms.signed = false), said.unsigned],
    ]
    for (const [edit, text] of edits) {
      const restore = await intercept(page, '**/terms', async (route) => {
        const answer = await route.fetch()
        const terms = (await answer.json()) as Terms
        edit(terms)
        await route.fulfill({ response: answer, json: terms })
      })
      await button(page, said.again).click()
      await main(page).getByText(text).waitFor()
      expect(await main(page).getByText(said.good).count()).toBe(0)
      restore()
    }
    await page.route(`**/hub/mandates/${publicId}`, async (route) => {
      const answer = await route.fetch()
      const detail = (await answer.json()) as { clauses: { n: number; text: string }[] }
      const clauses = detail.clauses.map((one) => (one.n === 3 ? { ...one, text: `${one.text} Or more.` } : one))
      await route.fulfill({ response: answer, json: { ...detail, clauses } })
    })
    await page.reload()
    await button(page, said.check).click()
    await main(page).getByText(said.clause).waitFor()
  }
})

test('an approval is given, one is declined, one lapses under the eyes, and one decided elsewhere is told', async () => {
  const mandate = await made
  const tab = await openMandate(mandate)
  const { page } = tab
  const asks = async (amount: bigint) => {
    const { approval } = await mandate.askFor(amount)
    await comeBackFor(tab, main(page).getByText(`The agent wants to buy ${mandate.asset} for ${amount} USDC`))
    return approval.approval_id as string
  }
  const statusOf = async (id: string) =>
    (await mandate.asOwner(`${mandate.path}/approvals?approval_id=${id}`)).items[0].status as string
  const yes = await asks(51n)
  await button(page, 'Approve').click()
  await main(page).getByText('You approved 51 USDC').waitFor()
  expect(await statusOf(yes)).toBe('approved')
  await button(page, 'Dismiss').click()
  const no = await asks(52n)
  await button(page, 'Decline').click()
  await main(page).getByText('You declined 52 USDC. Nothing was spent.').waitFor()
  expect(await statusOf(no)).toBe('declined')
  await button(page, 'Dismiss').click()
  // Another tab decides while this one still shows the question.
  const other = await asks(53n)
  const showLive = await intercept(page, '**/live', (route) => route.abort())
  await mandate.asOwner(`${mandate.path}/approvals/${other}`, { body: { decision: 'decline' } })
  await button(page, 'Approve').click()
  await main(page).getByText('It was declined elsewhere.').waitFor()
  showLive()
  // The time of the item ends while it is on the page.
  let soon: string | null = null
  await page.route('**/live', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { approvals_waiting: { expires_at: string }[] }
    if (body.approvals_waiting.length > 0) soon ??= new Date(Date.now() + 1_500).toISOString()
    await route.fulfill({
      json: { ...body, approvals_waiting: body.approvals_waiting.map((item) => ({ ...item, expires_at: soon })) },
    })
  })
  await mandate.askFor(54n)
  await comeBackFor(tab, main(page).getByText('It lapsed without an answer'))
  expect(await button(page, 'Approve').count()).toBe(0)
})

test('a question says asset, side, size, worst price, the price now and the worth, in both languages; one without a price limit says so', async () => {
  const mandate = await workingMandate()
  const { asset } = mandate
  const limited = (await mandate.askFor(51n, 500_000n)).approval.approval_id as string
  for (const [lang, said] of [
    [
      'en',
      [
        `The agent wants to buy ${asset} for 51 USDC`,
        'At Test venue. More than 50 USDC',
        /Side\s*Buy/,
        /Pays\s*51 USDC/,
        new RegExp(`Gets at least\\s*0\\.5 ${asset}`),
        new RegExp(`Worst price\\s*102 USDC for 1.${asset}`),
        // 100 with half a spread of 0.1 % and a fee of 0.1 %.
        new RegExp(`Price now\\s*100\\.21 USDC for 1.${asset}`),
        /Worth now\s*400 USDC/,
        /Worth after, at the price now\s*399\.79 USDC/,
        /Worth after, at the worst price\s*398\.90 USDC/,
      ],
    ],
    [
      'ko',
      [
        `에이전트가 ${asset} 51 USDC 매수를 요청합니다`,
        /구분\s*매수/,
        /지불 금액\s*51 USDC/,
        new RegExp(`최소 수령\\s*0\\.5 ${asset}`),
        new RegExp(`가장 불리한 가격\\s*1.${asset}당 102.USDC`),
        new RegExp(`현재 가격\\s*1.${asset}당 100\\.21.USDC`),
        /현재 평가액\s*400 USDC/,
      ],
    ],
  ] as const) {
    const { page } = await openWithWorth(mandate, lang)
    const card = main(page).getByRole('region', { name: lang === 'en' ? 'Waits for you' : '승인 대기' })
    for (const text of said) await expect.poll(() => card.innerText()).toMatch(text)
    expect(await card.innerText()).not.toMatch(/any price|가격 제한이 없습니다/)
  }
  await mandate.asOwner(`${mandate.path}/approvals/${limited}`, { body: { decision: 'decline' } })
  await mandate.askFor(52n)
  const { page } = await openWithWorth(mandate, 'en')
  const card = main(page).getByRole('region', { name: 'Waits for you' })
  await card.getByText('At worst the vault gets almost nothing for 52 USDC').waitFor()
  for (const text of [/Worst price\s*None/, /Worth after, at the worst price\s*348 USDC/])
    await expect.poll(() => card.innerText()).toMatch(text)
})

test('a call whose bytes cannot be read says so, shows them, and nothing of it is described', async () => {
  const mandate = await workingMandate()
  const { approval } = await mandate.askFor(51n)
  const tab = await openTab({ wallet: { key: mandate.ownerKey } })
  await tab.page.route('**/live', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { approvals_waiting: { data: string }[] }
    const trailing = body.approvals_waiting.map((item) => ({ ...item, data: `${item.data}00` }))
    await route.fulfill({ response: answer, json: { ...body, approvals_waiting: trailing } })
  })
  await tab.go(`/ui/mandates/${mandate.publicId}`)
  await signIn(tab)
  const card = main(tab.page).getByRole('region', { name: 'Waits for you' })
  await card.getByText('This call cannot be read: its bytes are not those of a listed call.').waitFor()
  await card.getByRole('heading', { name: 'The agent wants to spend 51 USDC' }).waitFor()
  await card.getByText(`${approval.data}00`).waitFor()
  expect(await card.innerText()).not.toContain(mandate.asset)
})

test('a dropped transaction is told and sent again by a word of the person, and so is a cancelled one', async () => {
  const mandate = await made
  const tab = await openMandate(mandate)
  const { page, wallets } = tab
  const dialog = page.getByRole('dialog')
  const stateOf = async () => (await mandate.asOwner(mandate.path)).state as string
  wallets[0]?.become({ drops: true })
  await button(page, 'Pause').click()
  await dialog.getByRole('button', { name: 'Pause the agent' }).click()
  await dialog.getByText('The network dropped the transaction').waitFor()
  expect(await stateOf()).toBe('working')
  wallets[0]?.become({ drops: false })
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('The agent is paused.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  wallets[0]?.become({ cancels: true })
  await button(page, 'Resume').click()
  await dialog.getByRole('button', { name: 'Let it work' }).click()
  await dialog.getByText('Another transaction took its place').waitFor()
  expect(await stateOf()).toBe('paused')
  wallets[0]?.become({ cancels: false })
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('The agent may work again.').waitFor()
  expect(sends(tab)).toBe(4)
  expect(await stateOf()).toBe('working')
})

test('pause, resume and stop go to the record; a reload after sending sends no second transaction; then it closes and pays out', async () => {
  const mandate = await workingMandate(200n)
  await mandate.buy(40n)
  const tab = await openMandate(mandate)
  const { page } = tab
  const dialog = page.getByRole('dialog')
  await button(page, 'Pause').click()
  await dialog.getByRole('button', { name: 'Pause the agent' }).click()
  await dialog.getByText('The agent is paused.').waitFor()
  expect((await mandate.asOwner(mandate.path)).state).toBe('paused')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await button(page, 'Resume').click()
  await dialog.getByRole('button', { name: 'Let it work' }).click()
  await dialog.getByText('The agent may work again.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const before = sends(tab)
  // The page does not learn of the transaction before it is loaded again.
  const restore = await intercept(page, '**/vault-tx', (route) => route.abort())
  const told = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/vault-tx'))
  await button(page, 'Stop').click()
  await dialog.getByText(/Stays in the vault\s*160 USDC/).waitFor()
  await dialog.getByRole('button', { name: 'Stop the agent' }).click()
  // The wallet has answered once the page tells the service of it, and that call has failed.
  await told
  expect(sends(tab)).toBe(before + 1)
  restore()
  await page.reload()
  await expect.poll(async () => (await mandate.asOwner(mandate.path)).state).toBe('stopped')
  await dialog.getByText('The agent is stopped.').waitFor()
  expect(sends(tab)).toBe(before + 1)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  // Limits that no longer hold are not shown, and neither is the time that was left.
  await main(page).getByRole('heading', { name: 'Limits', exact: true }).waitFor({ state: 'detached' })
  expect(
    await main(page)
      .getByText(/^Ends in/)
      .count(),
  ).toBe(0)
  await button(page, 'Withdraw').click()
  await dialog.getByText(/You get, by the books\s*160 USDC/).waitFor()
  await dialog.getByText('This stays behind').waitFor()
  await dialog.getByRole('button', { name: 'Leave it in the vault' }).click()
  await button(page, 'Close everything').click()
  await dialog.getByText('One step at a time').waitFor()
  // 40 USDC at a price of 100.1, less the fee: the plan accepts 99 % of what the venue quotes for it.
  const { asset } = mandate
  await dialog
    .getByText(new RegExp(`Close the ${asset} position: sell 0\\.3992\\d* ${asset} for at least 39\\.4\\d USDC`))
    .waitFor()
  await dialog.getByRole('button', { name: 'Close a position' }).click()
  await dialog.getByRole('button', { name: 'Withdraw everything' }).waitFor()
  await dialog.getByRole('button', { name: 'Withdraw everything' }).click()
  await expect.poll(async () => (await mandate.asOwner(mandate.path)).chain_state.balance_usdc).toBe('0')
  // A mandate that is paid out shows what it came to, and nothing of its limits.
  const { withdrawn_usdc: paidOut } = (await mandate.asOwner(mandate.path)).chain_state
  await main(page).getByRole('heading', { name: 'How it ended' }).waitFor()
  await main(page).getByText(`Paid out to you`).waitFor()
  await main(page).getByTitle(paidOut, { exact: true }).first().waitFor()
  // The picture stays, without limits that no longer hold.
  const picture = main(page).getByRole('region', { name: 'What it traded' })
  await picture.getByRole('link', { name: new RegExp(`^Bought: ${asset} for 40 USDC`) }).waitFor()
  await picture.getByRole('link', { name: new RegExp(`^Sold: ${asset} for 39\\.`) }).waitFor()
  expect(await picture.locator('dl').count()).toBe(0)
  for (const gone of ['Below the stop line', 'Above the stop line', 'left of 150', 'Withdrawing is locked', 'Ends in'])
    expect(await main(page).getByText(gone, { exact: false }).count(), gone).toBe(0)
})

test('withdrawing is locked while the mandate is open, with its reason and the time until it opens', async () => {
  const { page } = await openMandate(await made)
  const { lock } = await (await made).asOwner((await made).path)
  await main(page).getByText('Withdrawing is locked').waitFor()
  const timer = main(page).getByRole('timer').last()
  expect(await timer.getAttribute('datetime')).toBe(lock.until)
  await main(page).getByText('The mandate is open. Stop it to withdraw now, or wait for its end.').waitFor()
})

/** Answers a route with other figures than the service's, and returns them as the page shows them. */
async function withOtherFigures(page: Page, route: string, unseen: RegExp): Promise<() => readonly string[]> {
  let figures: readonly string[] = []
  await page.route(route, async (asked) => {
    const answer = await asked.fetch()
    const changed = differentFigures(await answer.json(), unseen)
    figures = changed.figures
    await asked.fulfill({ json: changed.answer })
  })
  return () => figures
}
const notShown = async (page: Page, figures: readonly string[]): Promise<readonly string[]> => {
  const shown = await main(page).innerHTML()
  return figures.filter((figure) => !shown.includes(figure))
}

test('lots, fees and results of a mandate are saved as one table from its page and its statement', async () => {
  const { publicId, ownerKey } = await made
  const tab = await openTab({ wallet: { key: ownerKey } })
  const { page } = tab
  const save = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      main(page).getByRole('button', { name: 'Transactions (CSV)' }).click(),
    ])
    return [file.suggestedFilename(), await text(await file.createReadStream())] as const
  }
  await tab.go(`/ui/mandates/${publicId}`)
  await signIn(tab)
  const [name, table] = await save()
  expect(name).toBe(`bookings-${publicId}.csv`)
  const [head, deposit] = table.split('\r\n')
  expect(head).toMatch(/^public_id,n,at,kind,market,instrument,size,price_usdc,amount_usdc,/)
  expect(deposit).toMatch(new RegExp(`^${publicId},1,[^,]+,deposit,,,,,\\d+,`))
  await main(page).getByRole('link', { name: 'Statement' }).click()
  await main(page).getByText('Worth at the end').first().waitFor()
  expect((await save())[1]).toContain('deposit')
})

test('every amount of the answers stands on the page of the mandate, and on its statement', async () => {
  const { publicId, ownerKey } = await made
  const tab = await openTab({ wallet: { key: ownerKey } })
  const { page } = tab
  // Live figures stand over those of the details, and the record over their newest entries.
  const ofLive = await withOtherFigures(page, '**/live', /^approvals_waiting/)
  const ofDetail = await withOtherFigures(page, `**/hub/mandates/${publicId}`, /^(events|usage|clauses)/)
  const ofWorth = await withOtherFigures(page, '**/worth-series*', /(worth|unbooked)_usdc$|units$|^items\.(?!0\.)/)
  const ofWeek = await withOtherFigures(page, '**/statement', /^$/)
  await tab.go(`/ui/mandates/${publicId}`)
  await signIn(tab)
  await expect.poll(ofWorth).not.toEqual([])
  await expect.poll(ofLive).not.toEqual([])
  await main(page).getByText('as a table').first().click()
  const all = () => [...ofDetail(), ...ofLive(), ...ofWorth()]
  await expect.poll(() => notShown(page, all())).toEqual([])
  expect(all().length).toBeGreaterThan(15)
  await main(page).getByRole('link', { name: 'Statement' }).click()
  await main(page).getByText('Worth at the end').first().waitFor()
  await expect.poll(() => notShown(page, ofWeek())).toEqual([])
  expect(ofWeek().length).toBeGreaterThan(12)
})
