/** What became of a message. A failure that is final would be the same at another try. */
export type Delivery =
  | { readonly sent: true }
  | { readonly sent: false; readonly failure: string; readonly final: boolean }

/** An alert as it is sent. */
export interface OutgoingAlert {
  readonly id: number
  readonly mandate_id: string
  readonly severity: string
  readonly text: string
  readonly link: string
}

/** Sends an alert to an address of its channel. Never throws, and names no address and no credential. */
export type AlertSender = (address: string, alert: OutgoingAlert) => Promise<Delivery>
