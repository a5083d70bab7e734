import type { Delivery } from '@svc/service'
import type { WrittenAlert } from './rules/mails.ts'

/** Sends alerts of one owner in one message to an address of the channel. Never throws; the result contains no address and no credential. */
export type AlertSender = (address: string, alerts: readonly WrittenAlert[]) => Promise<Delivery>
