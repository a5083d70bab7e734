import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevWallets } from '#dev/dev-wallets.ts'
import { SWITCHES_FOLDER } from '#dev/platform.ts'
import { postOrder, signTyped, typedDataWallet } from '#flow/browser.ts'
import type { Person, Stage } from '../chain-stage.ts'
import { atFixedPrice, command, registerAgent, type LocalVenue } from '../leg/leg-day.ts'
import { openScene, WORKERS, type Scene } from '../mandate/scene.ts'
import { awayFromMidnight, newcomer } from '../people.ts'
import { Surprise } from '../request.ts'
import type { Walk } from '../walk.ts'
import { signMandate } from './agent-mandate.ts'
import { checkAccount, checkOrder, checkPaperBook } from './books.ts'

const COIN = 'ETH'
const MARKET = `hl:${COIN}`
const PRICE = '3000'
const OWN_USDC = '250'
const BUY = { market: MARKET, side: 'buy', amount_usdc: '30' } as const

/** Where the demo plays: the local venue and the folder of switch files. */
interface Place {
  readonly venue: LocalVenue
  readonly switchFile: string
}

/** An owner who trades an own account. */
interface Trader {
  readonly walk: Walk
  readonly owner: Person
  readonly asOwner: Scene['asOwner']
  readonly infoUrl: string
}

/** Plays an owner who trades an own account through the API, at the local venue. */
export async function tradeDay(stage: Stage, wallets: DevWallets, venue: LocalVenue, data: string): Promise<void> {
  const { walk } = stage
  const place: Place = { venue, switchFile: join(data, SWITCHES_FOLDER, 'SVC_LIVE_TRADING_ENABLED') }
  const before = currentText(place.switchFile)
  await awayFromMidnight(walk)
  setText(place.switchFile, '0')
  try {
    await atFixedPrice(venue, { coin: COIN, price: PRICE }, async () => {
      await lookAround(walk)
      const scene = await openScene(stage, wallets, await registerAgent(walk))
      const trader = { walk, owner: scene.owner, asOwner: scene.asOwner, infoUrl: `${venue.url}/info` }
      await paper(trader)
      await linkAccount(trader, venue)
      await refusedWhileOff(trader)
      await liveOrder(trader, place)
      await agentOrder(scene, trader)
      await browserOrder(walk, venue)
      await closeWhileOff(trader, place)
    })
  } finally {
    setText(place.switchFile, before)
  }
}

function currentText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function setText(file: string, text: string | null): void {
  if (text === null) rmSync(file, { force: true })
  else writeFileSync(file, text)
}

/** Turns live trading on or off as an operator does, and waits until the platform sees it. */
async function switchLive({ walk, asOwner }: Trader, { switchFile }: Place, on: boolean): Promise<void> {
  walk.say(`An operator writes ${on ? 1 : 0} into the switch file SVC_LIVE_TRADING_ENABLED.`)
  setText(switchFile, on ? '1' : '0')
  await walk.until('the switch', WORKERS, async () => {
    const { live_switch } = await asOwner('/ui/trade/me', 200, { quiet: true })
    return live_switch === on
  })
}

async function lookAround(walk: Walk): Promise<void> {
  walk.chapter('What anybody may read')
  await walk.until('the markets of the venue', WORKERS, async () => {
    const { body } = await walk.ask('/ui/trade/products', [200, 503], { quiet: true })
    return JSON.stringify(body).includes(`"${MARKET}"`)
  })
  await walk.ask('/hub/info/station-status', 200, { show: ['live_trading', 'paper_trading', 'network', 'labels'] })
  const { body } = await walk.ask('/hub/info/sessions', 200, { show: ['computed_at'] })
  for (const { exchange, state, next_opens_at } of body.items)
    walk.say(`${exchange}: ${state}, opens next at ${next_opens_at}`)
  walk.expect('the number of exchanges', body.items.length, 7)
  await walk.ask(`/hub/info/liquidity?coins=${COIN}`, 200, { show: ['source', 'network', 'stale', 'data'] })
}

async function paper({ walk, asOwner }: Trader): Promise<void> {
  walk.chapter('A paper book on real depth')
  const { book } = await asOwner('/hub/own/paper/books', 201, {
    body: { name: 'Demo', start_usdc: '1000' },
    show: ['book', 'equity_usdc'],
  })
  await asOwner('/hub/order', 200, {
    body: { ...BUY, amount_usdc: '90', mode: 'paper', book },
    show: ['sign_mode', 'estimate', 'fill'],
    expect: { sign_mode: 'none', 'fill.status': 'filled' },
    note: 'Nobody signs a paper order; it fills from the book of the venue at this moment.',
  })
  checkPaperBook(walk, await asOwner(`/hub/own/paper/books/${book}`, 200, { show: ['equity_usdc', 'positions'] }))
  await asOwner('/ui/trade/close', 200, {
    body: { market: MARKET, mode: 'paper', mode_seen: 'paper', book },
    show: ['order'],
    expect: { 'order.status': 'filled' },
  })
  checkPaperBook(walk, await asOwner(`/hub/own/paper/books/${book}`, 200, { show: ['equity_usdc', 'fees_paid_usdc'] }))
}

/** Signs an offer of the status with the owner's wallet and relays it. */
async function approve({ walk, owner, asOwner }: Trader, offer: { typed_data: unknown; nonce: number }, what: string) {
  walk.say(`The owner's wallet signs ${what} with eth_signTypedData_v4.`)
  const signature = await signTyped(typedDataWallet(owner.wallet), offer.typed_data)
  await asOwner('/hub/own/enable/relay', 200, { body: { signature, nonce: offer.nonce }, show: ['ok', 'kind', 'next'] })
}

async function linkAccount(trader: Trader, venue: LocalVenue): Promise<void> {
  const { walk, owner, asOwner } = trader
  walk.chapter('Link an own account, approve the order key')
  await command(venue, 'fund', { address: owner.wallet.address, amount: OWN_USDC })
  const { approvals } = await linkBySignature(trader)
  await approve(trader, approvals.order_key, 'the approval of the order key svc-trade')
  await approve(trader, approvals.builder_fee, 'the builder fee of 0.1 %')
  await asOwner('/hub/own/enable/verify', 200, {
    body: {},
    show: ['can_trade', 'order_key', 'builder_fee', 'checks'],
    expect: { 'order_key.state': 'enabled', 'builder_fee.max_fee': 100, can_trade: false },
    note: 'Believed is the venue alone. can_trade is false because live trading is off.',
  })
}

async function linkBySignature({ walk, owner, asOwner }: Trader) {
  const { body: terms } = await walk.ask('/hub/own/terms', 200, { show: ['version', 'hash'] })
  const { message } = await asOwner('/hub/own/link/challenge', 200, {
    body: { wallet_address: owner.wallet.address },
    show: ['expires_at'],
  })
  const signature = await owner.wallet.signMessage({ message })
  return asOwner('/hub/own/link', 200, {
    body: { signature, terms_hash: terms.hash },
    show: ['ok', 'wallet', 'refused'],
    expect: { wallet: owner.wallet.address, refused: null },
  })
}

async function refusedWhileOff({ walk, asOwner }: Trader): Promise<void> {
  walk.chapter('Live trading is off')
  const { refusal } = await asOwner('/hub/order', 409, {
    body: { ...BUY, mode: 'live' },
    show: ['code', 'detail'],
    expect: { 'refusal.code': 'live_trading_off' },
  })
  walk.say(`The fix: ${refusal.fix}`)
}

/** An order that the server signs once the owner has confirmed it. */
async function liveOrder(trader: Trader, place: Place): Promise<void> {
  const { walk, owner, asOwner, infoUrl } = trader
  walk.chapter('A live order, prepared and confirmed')
  await switchLive(trader, place, true)
  const prepared = await asOwner('/hub/order', 200, {
    body: { ...BUY, mode: 'live' },
    show: ['confirm_id', 'sign_mode', 'estimate', 'expires_at'],
    expect: { sign_mode: 'server', requested_by: 'owner' },
  })
  const executed = await asOwner('/hub/order/execute', 200, {
    body: { confirm_id: prepared.confirm_id, mode_seen: 'live' },
    show: ['order', 'position', 'usage'],
    expect: { 'order.status': 'filled' },
  })
  await checkOrder(walk, infoUrl, owner.wallet.address, executed.order)
  await asOwner('/hub/order/execute', 200, {
    body: { confirm_id: prepared.confirm_id, mode_seen: 'live' },
    show: ['ok'],
    expect: { 'order.cloid': executed.order.cloid },
    note: 'A second confirmation answers the same order: nothing executes twice.',
  })
  await checkOrder(walk, infoUrl, owner.wallet.address, executed.order)
}

/** An agent's order waits for its owner. */
async function agentOrder(scene: Scene, { walk, owner, infoUrl }: Trader): Promise<void> {
  const { asOwner, asAgent } = scene
  walk.chapter("An agent's order on the owner's account")
  const { code } = await asOwner('/hub/agents/pair-code', 201, { body: {}, quiet: true })
  await asAgent('/hub/agents/pair', [200, 201], { body: { code }, show: ['ok'] })
  await asAgent('/hub/order', 409, {
    body: { ...BUY, mode: 'live' },
    show: ['code'],
    expect: { 'refusal.code': 'no_mandate' },
    note: 'A paired agent needs a working mandate that lists the market.',
  })
  await signMandate(scene, MARKET)
  await asAgent('/hub/order', 200, {
    body: { ...BUY, mode: 'live' },
    show: ['sign_mode', 'requested_by', 'expires_at'],
    expect: { requested_by: 'agent' },
  })
  const { items } = await asOwner('/hub/order/pending', 200, { show: ['items'] })
  const [mine] = items
  if (mine === undefined) throw new Surprise("the agent's order does not wait for its owner")
  const done = await asOwner('/hub/order/execute', 200, {
    body: { confirm_id: mine.confirm_id, mode_seen: 'live' },
    show: ['order', 'usage'],
    expect: { 'order.status': 'filled' },
  })
  await checkOrder(walk, infoUrl, owner.wallet.address, done.order)
}

/** Another owner, whose browser signs with a key that lives in its memory. */
async function browserOrder(walk: Walk, venue: LocalVenue): Promise<void> {
  walk.chapter('An order that the browser signs')
  const owner = newcomer('second owner')
  const token = await walk.signIn(owner.wallet, 'A second owner, who enables no order key,')
  const trader: Trader = { walk, owner, asOwner: walk.as({ token }), infoUrl: `${venue.url}/info` }
  await command(venue, 'fund', { address: owner.wallet.address, amount: OWN_USDC })
  const linked = await linkBySignature(trader)
  await approve(trader, linked.approvals.builder_fee, 'the builder fee')
  await trader.asOwner('/hub/builder-fee/record', 200, { body: {}, expect: { approved: true } })
  const key = typedDataWallet()
  walk.say(`The browser makes the key ${key.address}, which knows nothing but eth_signTypedData_v4.`)
  const { approvals } = await trader.asOwner(`/hub/own/status?web_address=${key.address}`, 200, { show: ['wallet'] })
  await approve(trader, approvals.web_key, 'the key svc-web for a day')
  const order = await trader.asOwner('/hub/order', 200, {
    body: { ...BUY, mode: 'live' },
    show: ['confirm_id', 'sign_mode', 'action', 'expires_after', 'post_to'],
    expect: { sign_mode: 'client' },
  })
  walk.step('the browser signs the action and posts it to the venue')
  const answer = JSON.stringify(await postOrder(key, order))
  walk.outcome(answer.includes('"filled"'), answer.slice(0, 110))
  const recorded = await trader.asOwner('/hub/order/record', 200, {
    body: { confirm_id: order.confirm_id },
    show: ['order', 'violation'],
    expect: { 'order.status': 'filled', violation: false },
    note: 'The platform believes what the venue says about this order, not what the browser says.',
  })
  await checkOrder(walk, trader.infoUrl, owner.wallet.address, recorded.order)
}

/** Closing needs neither the switch nor the caps. */
async function closeWhileOff(trader: Trader, place: Place): Promise<void> {
  const { walk, owner, asOwner, infoUrl } = trader
  walk.chapter('Close, with live trading off')
  await switchLive(trader, place, false)
  await asOwner('/ui/trade/order', 409, {
    body: { ...BUY, mode_seen: 'live' },
    show: ['code', 'mode'],
    expect: { code: 'mode_changed', mode: 'paper' },
    note: 'A page that still shows live executes nothing.',
  })
  const closed = await asOwner('/ui/trade/close', 200, {
    body: { market: MARKET, mode: 'live', mode_seen: 'paper' },
    show: ['order', 'position'],
    expect: { 'order.status': 'filled' },
  })
  await checkOrder(walk, infoUrl, owner.wallet.address, closed.order)
  await checkAccount(walk, infoUrl, owner.wallet.address, OWN_USDC)
}
