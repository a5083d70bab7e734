import type { WrittenAlert } from './rules/mails.ts'

/** Result of a message. A final failure would repeat at another try. */
export type Delivery =
  | { readonly sent: true }
  | { readonly sent: false; readonly failure: string; readonly final: boolean }

/** Sends alerts of one owner in one message to an address of the channel. Never throws; the result contains no address and no credential. */
export type AlertSender = (address: string, alerts: readonly WrittenAlert[]) => Promise<Delivery>
