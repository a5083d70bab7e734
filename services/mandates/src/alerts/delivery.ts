import type { WrittenAlert } from './rules/mails.ts'

/** What became of a message. A failure that is final would be the same at another try. */
export type Delivery =
  | { readonly sent: true }
  | { readonly sent: false; readonly failure: string; readonly final: boolean }

/** Sends alerts of one owner, in one message, to an address of its channel. Never throws, and names no address and no credential. */
export type AlertSender = (address: string, alerts: readonly WrittenAlert[]) => Promise<Delivery>
