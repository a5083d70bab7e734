import { createHash } from 'node:crypto'

/** Terms for trading in an own account. A version is never changed once it was published: add the next one. */
const TERMS: readonly { readonly version: number; readonly text: string }[] = [
  {
    version: 1,
    text: [
      'Trading in your own account at the venue',
      '',
      '1. The account stays yours. This service holds no money of it and cannot move money out of it.',
      '2. By linking a wallet you let this service read the account of the wallet at the venue and prepare orders for it.',
      '3. The order key that you may approve signs orders in your account within your caps. It can trade and therefore lose money. It cannot withdraw. You may revoke it at the venue at any time.',
      '4. Every live order carries the builder fee that you approve separately at the venue. No live order is sent without it.',
      '5. An agent that you have paired may propose orders. A live order of an agent is sent only after you have confirmed it.',
      '6. Orders are executed by the venue at its prices and by its rules. Prices move between preparation and execution; an order that would execute outside of its band is not executed.',
      '7. Closing a position is possible while live trading is switched off, while caps are used up and while a session is closed.',
      '8. Paper books execute nothing. Their results say nothing certain about live results.',
    ].join('\n'),
  },
]

/** The terms in force. `hash`: SHA-256 of the text, `0x` and hex. */
export interface Terms {
  readonly version: number
  readonly text: string
  readonly hash: string
}

/** Returns the hash of terms: SHA-256 of the text in UTF-8. */
export const termsHash = (text: string): string => `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`

/** Returns the terms in force: the newest version. */
export function currentTerms(): Terms {
  const newest = TERMS.at(-1)
  if (newest === undefined) throw new Error('there is a version of the terms')
  return { ...newest, hash: termsHash(newest.text) }
}
