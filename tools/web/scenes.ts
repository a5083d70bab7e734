import { examples } from '@svc/contracts/examples'
import { addressOf, pages, type PageName } from '@svc/web/routes'
import type { Page, Route } from 'playwright-core'
import { settle, type Camera, type Lang } from './camera.ts'
import { pathNamesOf, type WebWorld } from './web-world.ts'

/** What is photographed in one visit: a page, or a walk with several pictures. */
export interface Scene {
  readonly name: string
  /** An owner of the history is signed in; otherwise a stranger looks. */
  readonly signedIn: boolean
  play(camera: Camera, lang: Lang): Promise<void>
}

type Body = Record<string, unknown>

const json = (route: Route, body: unknown) =>
  route.fulfill({ contentType: 'application/json', body: JSON.stringify(body) })

/** Lets one answer be another: a recorded one, or the real one changed. */
const answered = (page: Page, pattern: string, change: (body: Body) => unknown) =>
  page.route(pattern, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const answer = await route.fetch()
    return json(route, change(answer.ok() ? ((await answer.json()) as Body) : {}))
  })

const DOCS = ['', '/start', '/refusals', '/verify'] as const
/** Documentation that exists in English alone. */
const ENGLISH_DOCS = ['/api/mandates', '/errors', '/method/hall'] as const

/** Returns the scene of a page as it stands after a plain visit. */
const plain = (name: string, signedIn: boolean, path: string): Scene => ({
  name,
  signedIn,
  play: async ({ open, shoot }) => {
    await open(path)
    await shoot(name)
  },
})

/** Returns every page, with a mandate and an agent of the history where its path wants one. */
function everyPage({ history }: WebWorld): Scene[] {
  const names = pathNamesOf({ history })
  return (Object.keys(pages) as PageName[]).map((name) => plain(name, true, addressOf(name, names)))
}

const docs: Scene = {
  name: 'docs',
  signedIn: false,
  play: async ({ open, shoot }, lang) => {
    for (const path of DOCS) {
      await open(`/ui/docs${lang === 'ko' ? '/ko' : ''}${path}`)
      await shoot(`docs${path.replaceAll('/', '-')}`)
    }
    if (lang === 'en')
      for (const path of ENGLISH_DOCS) {
        await open(`/ui/docs${path}`)
        await shoot(`docs${path.replaceAll('/', '-')}`)
      }
  },
}

/** Buttons are found by what they are for, in either language. */
const WORDS = {
  en: {
    toAgent: 'Next: the agent',
    demo: /Demo wallet/,
    sign: 'Sign',
    toSign: 'Next: read the terms',
    signTerms: 'Sign with the wallet',
    toMoney: 'Next: the vault',
    create: 'Create the vault',
    faucet: 'Get test USDC',
    allow: 'Allow the amount',
    pay: /^Pay in /,
    send: 'Send',
    mandate: 'Open the mandate',
    work: 'Let the demo agent work',
    approve: 'Approve',
    bought: 'Bought BTC',
    qr: 'Show as a QR code',
    more: /^More: name/,
  },
  ko: {
    toAgent: '다음: 에이전트',
    demo: /데모 지갑/,
    sign: '서명',
    toSign: '다음: 약정 읽기',
    signTerms: '지갑에서 서명',
    toMoney: '다음: 금고',
    create: '금고 만들기',
    faucet: '테스트 USDC 받기',
    allow: '금액 허용',
    pay: /^입금 /,
    send: '전송',
    mandate: '위임 열기',
    work: '데모 에이전트 실행',
    approve: '승인',
    bought: 'BTC 매수',
    qr: 'QR 코드로 보기',
    more: /^더 보기: 이름/,
  },
} as const

/** From the limits to a mandate at work, with the demo wallet, as the README describes it. */
const start: Scene = {
  name: 'walk',
  signedIn: false,
  play: async ({ page, open, shoot }, lang) => {
    const words = WORDS[lang]
    const press = (name: string | RegExp, within = page.locator('body')) =>
      within.getByRole('button', { name, exact: true }).last().click()
    const dialog = page.getByRole('dialog')
    const confirm = async (name: string) => {
      await press(name, dialog)
      await dialog.waitFor({ state: 'detached' })
    }
    await open('/ui/start')
    await page.locator('mark').first().waitFor()
    await shoot('walk-1-limits')
    await press(words.toAgent)
    await dialog.waitFor()
    await shoot('walk-2-sign-in')
    await dialog.getByRole('button', { name: words.demo }).click()
    await dialog.getByRole('button', { name: words.sign, exact: true }).waitFor()
    await shoot('walk-3-demo-wallet')
    await confirm(words.sign)
    await page.getByRole('radio').first().waitFor()
    await shoot('walk-4-agent')
    await page.getByRole('radio').first().check()
    await press(words.toSign)
    await page.getByRole('button', { name: words.signTerms }).waitFor()
    await settle(page)
    await shoot('walk-5-paper')
    await press(words.signTerms)
    await dialog.waitFor()
    await shoot('walk-6-document')
    await confirm(words.sign)
    await page.getByRole('button', { name: words.toMoney }).waitFor()
    await shoot('walk-7-sealed')
    await press(words.toMoney)
    await page.getByRole('button', { name: words.create }).waitFor()
    await shoot('walk-8-money')
    await press(words.create)
    await confirm(words.send)
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    await button(words.faucet).or(button(words.allow)).first().waitFor()
    const lacks = (await button(words.faucet).count()) > 0
    for (const step of lacks ? [words.faucet, words.allow, words.pay] : [words.allow, words.pay]) {
      await button(step).click()
      await confirm(words.send)
    }
    await page.getByRole('link', { name: words.mandate }).waitFor()
    await shoot('walk-9-works')
    await page.getByRole('link', { name: words.mandate }).click()
    await press(words.work)
    await page.getByRole('button', { name: words.approve, exact: true }).waitFor()
    // The chain tells of the purchase a little later than the agent.
    await page.getByText(words.bought, { exact: true }).first().waitFor()
    await settle(page)
    await shoot('mandate-asks')
  },
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
const less = (amount: unknown, by: number) => (amount === null ? null : (Number(amount) - by).toFixed(2))

/**
 * A mandate whose agent also trades at the venue. Of its money 20 USDC left the vault: 5 are on their way, and 15 stand at the
 * venue, where 0.06 were lost. What else stands there is recorded.
 */
const leg = ({ history }: WebWorld): Scene => ({
  name: 'mandate-leg',
  signedIn: true,
  play: async ({ page, open, shoot }) => {
    const id = history.mandates[0]?.publicId ?? ''
    const detail: { vault: string | null; owner: unknown } = { vault: null, owner: null }
    await answered(page, `**/hub/mandates/${id}`, (body) => {
      const chain = body['chain_state'] as Body
      detail.vault = less(chain['balance_usdc'], 20)
      detail.owner = body['owner_wallet']
      return {
        ...body,
        limits: { ...(body['limits'] as Body), hl_leg: true, leg_budget_usdc: '20' },
        chain_state: { ...chain, balance_usdc: detail.vault, leg: { out_usdc: '20' } },
      }
    })
    await answered(page, `**/hub/mandates/${id}/live`, (body) => {
      const worth = body['worth'] as Body | null
      return { ...body, worth: worth && { ...worth, worth_usdc: less(worth['worth_usdc'], 0.06) } }
    })
    await answered(page, `**/hub/mandates/${id}/worth-series*`, (body) => ({
      ...body,
      items: (body['items'] as Body[]).map((mark) => ({
        ...mark,
        worth_usdc: less(mark['worth_usdc'], 0.06),
        vault_usdc: less(mark['vault_usdc'], 20),
        leg_usdc: '19.94',
      })),
    }))
    const recordedLeg = examples['hl-leg.readLeg 200'] as { positions: Body[] }
    await answered(page, `**/hub/mandates/${id}/hl-leg`, () => ({
      ...recordedLeg,
      owner_address: detail.owner,
      valid_until: ago(-18 * 86_400),
      worth_usdc: '14.93',
      foreign_usdc: '0',
      worth_read_at: ago(20),
      open_notional_usdc: '6',
      open_notional_max_usdc: '20',
      positions: recordedLeg.positions.map((position) => ({
        ...position,
        size: '0.0001',
        entry_price: '60600',
        notional_usdc: '6',
      })),
    }))
    const recordedMoney = examples['hl-leg.readLegMoney 200'] as { moving: Body[] }
    await answered(page, `**/hub/mandates/${id}/money`, () => ({
      ...recordedMoney,
      vault_usdc: detail.vault,
      venue_estimate_usdc: '14.94',
      foreign_usdc: '0',
      venue_read_at: ago(20),
      moving: recordedMoney.moving.map((move) => ({
        ...move,
        direction: 'out',
        state: 'confirmed',
        amount_usdc: '5',
        since: ago(30),
      })),
      equation: { left: '14.94', right: '14.94', holds: true },
    }))
    await open(addressOf('mandate', { id }))
    await shoot('mandate-leg')
  },
})

/** Research and reports as an owner whose agent has Tier 1 sees them; the figures are recorded ones. */
const research: Scene = {
  name: 'markets-tier',
  signedIn: true,
  play: async ({ page, open, shoot }) => {
    await answered(page, '**/research/targets*', () => examples['research-reports.listAgentTargets 200'])
    await answered(page, '**/research/pair?*', () => examples['research-reports.readPairResearch 200'])
    await answered(page, '**/reports?*', () => examples['research-reports.listReports 200'])
    await open(`${pages.markets}?tab=research`)
    await page
      .getByRole('main')
      .getByRole('button', { name: /LTC\/USDT/ })
      .click()
    await settle(page)
    await shoot('markets-tier')
  },
}

/** The trade page in each of its parts, with an order of an agent that waits. */
const trade: Scene = {
  name: 'trade-parts',
  signedIn: true,
  play: async ({ page, open, shoot }) => {
    await open(`${pages.trade}?tab=link`)
    await shoot('trade-link')
    await open(`${pages.trade}?tab=manual&market=hl%3AETH`)
    await shoot('trade-manual')
    await answered(page, '**/ui/trade/me', (body) => ({ ...body, mode: 'live', live_switch: true, linked: true }))
    const expires_at = new Date(Date.now() + 50_000).toISOString()
    const [order] = (examples['hl-trade.listPendingOrders 200'] as { items: object[] }).items
    await answered(page, '**/hub/order/pending*', () => ({
      items: [{ ...order, sign_mode: 'server', agent_id: 4, requested_by: 'agent', expires_at }],
      next_cursor: null,
    }))
    await open(`${pages.trade}?tab=manual&market=hl%3AETH`)
    await shoot('trade-waiting')
  },
}

const deposit = ({ history }: WebWorld): Scene => ({
  name: 'deposit-vault',
  signedIn: true,
  play: async ({ page, open, shoot }, lang) => {
    await open(`${pages.deposit}?mandate=${history.mandates[0]?.publicId ?? ''}`)
    await page.getByRole('button', { name: WORDS[lang].qr }).click()
    await shoot('deposit-vault')
  },
})

/** Returns everything that is photographed. */
export const scenesOf = (world: WebWorld): readonly Scene[] => [
  ...everyPage(world),
  plain('home-visitor', false, pages.home),
  plain('mandates-visitor', false, pages.mandates),
  plain('not-found', false, '/ui/nowhere'),
  plain('markets-risk', true, `${pages.markets}?tab=risk`),
  plain('markets-research', true, `${pages.markets}?tab=research`),
  deposit(world),
  leg(world),
  research,
  trade,
  docs,
  start,
]
