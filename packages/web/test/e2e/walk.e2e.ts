import { expect, test } from 'vitest'
import { cut, inTheme, LONG, restless, settled } from '../accessible.ts'
import { intercept, openPage, type OpenedPage } from '../rig.ts'
import { failuresOf } from '../states/declared-failures.ts'
import { asProblem, refusal } from '../states/feed.ts'
import { acceptBy, mandateOf, pairOnPage } from '../start-walk.ts'

/** Judges what a tab shows now, and what it shows in the other language, in which it is left as it was. */
function judgeOf({ page }: OpenedPage) {
  const faults: string[] = []
  const judge = async (what: string) => {
    const found = [...(await cut(page)), ...(await restless(page)), ...(await inTheme(page, 'light', 'all'))]
    found.push(...(await inTheme(page, 'dark', LONG ? 'all' : 'colours')))
    faults.push(...found.map((fault) => `${what}: ${fault}`))
  }
  /** A dialog keeps the bar of the page from being pressed, but not from being told. */
  const language = (name: string) =>
    page.locator(`button[aria-label="${name}"]`).evaluate((button: HTMLElement) => button.click())
  return {
    faults,
    look: async (what: string) => {
      await settled(page)
      await judge(what)
      if (!LONG) return
      await language('KO, Korean')
      await page.waitForFunction(() => /[가-힣]/.test(document.querySelector('main')?.textContent ?? ''))
      await settled(page)
      await judge(`${what}, in Korean`)
      await language('EN, 영어')
      await page.waitForFunction(() => !/[가-힣]/.test(document.querySelector('main')?.textContent ?? ''))
    },
  }
}

/** Failures after which the page asks again by itself, or that end the session. */
const NOT_TOLD = new Set(['unauthenticated', 'hub_transaction_unconfirmed', 'hub_transaction_unknown'])
/** Failures after which the terms have to be read again: the page says so in its own words. */
const READ_AGAIN = new Set(['hub_terms_changed', 'hub_wrong_state', 'hub_mandate_not_draft', 'hub_sign_again'])

/** Lets a call fail before it succeeds, by each failure that the API declares for it; in the short run by one of them. */
async function failing({ page }: OpenedPage, route: string, press: () => Promise<unknown>): Promise<void> {
  const path = `**${(route.split(' ')[1] ?? '').replaceAll(/\{\w+\}/g, '*')}`
  const declared = failuresOf(route).filter(({ code }) => !NOT_TOLD.has(code) && !READ_AGAIN.has(code))
  for (const { status, code } of LONG ? declared : declared.slice(-1)) {
    const said = page.getByText(`Title of ${code}`).first()
    const restore = await intercept(page, path, (asked) => {
      restore()
      return asked.fulfill(asProblem(refusal(status, code)))
    })
    await press()
    await said.waitFor()
  }
  await press()
}

test('each step from the limits to the money, and each dialog of a mandate, is accessible, does not move, is not cut, and survives failures', async () => {
  const tab = await openPage('/ui/start', { wallet: {}, reducedMotion: true })
  const { page } = tab
  const { faults, look } = judgeOf(tab)
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await page.locator('mark').first().waitFor()
  await page.getByText(/^More: ends/).click()
  await look('limits with all of them open')
  await press('Next: the agent')
  await dialog.waitFor()
  await look('sign-in')
  await dialog.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByRole('heading', { name: 'Who may do it?' }).waitFor()
  const agent = await pairOnPage(page)
  await look('choice of the agent')
  await failing(tab, 'POST /hub/mandates', () => press('Next: read the terms'))
  await page.getByText('got the same digest').waitFor()
  await look('paper')
  const publicId = mandateOf(page)
  await failing(tab, 'POST /hub/mandates/{public_id}/sign', () => press('Sign with the wallet'))
  await page.getByText('Signed and stored.').waitFor()
  await look('sealed paper')
  await press('Next: the vault')
  await failing(tab, 'POST /hub/gas/drip', () => press('Get test ether'))
  await page.getByText('Test ether for fees').waitFor({ state: 'detached' })
  await look('vault')
  const again = (first: string | RegExp) =>
    page
      .getByRole('button', { name: first })
      .or(page.getByRole('button', { name: 'Try again' }))
      .first()
      .click()
  await failing(tab, 'POST /hub/mandates/{public_id}/vault', () => again('Create the vault'))
  await press('Get test USDC')
  await press('Allow the amount')
  await page.getByRole('button', { name: /^Pay in / }).waitFor()
  await look('pay in')
  await failing(tab, 'POST /hub/mandates/{public_id}/vault-tx', () => again(/^Pay in /))
  await page.getByText('The vault is funded').waitFor()
  await acceptBy(agent, publicId)
  await look('at work')
  await page.getByRole('link', { name: 'Open the mandate' }).click()
  await page.getByText('Working').first().waitFor()
  for (const act of ['Add money', 'Pause', 'Stop']) {
    await page.getByRole('main').getByRole('button', { name: act, exact: true }).click()
    await dialog.waitFor()
    await look(act)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  expect(faults).toEqual([])
})
