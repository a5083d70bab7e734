import type { Page } from 'playwright-core'
import { world } from '../rig.ts'
import type { Fed } from './feed.ts'

/** What an owner does on a page, by one call of a route. */
export interface Act {
  readonly route: string
  readonly path: string
  readonly given?: Readonly<Record<string, Fed>>
  /** The visitor has the wallet of the session, and is not signed in. */
  readonly visitor?: true
  /** Does it on the page as it stands after its address was opened. */
  readonly act: (page: Page) => Promise<unknown>
  /** Failures that the page tells in words of its own, by their code. */
  readonly ownWords?: Readonly<Record<string, RegExp>>
}

export const MANDATE = '/ui/mandates/mdt_00000000000000000000000000000001'
export const DETAIL = 'GET /hub/mandates/{public_id}'
export const LIVE = 'GET /hub/mandates/{public_id}/live'
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
export const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** The wallet of the session that these tests make up: a well-known one of the local chain. */
export const OWNER_KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6'
export const OWNER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const { host, origin } = new URL(world.url)
export const LINK = '/ui/trade?tab=link'

/** A message to sign, for this page and this wallet. */
export const message = (...more: readonly string[]) =>
  [`${host} wants you to sign in with your Ethereum account:`, OWNER, '', ...more, `URI: ${origin}`].join('\n')
