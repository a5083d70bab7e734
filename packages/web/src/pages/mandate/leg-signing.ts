/** Typed data of the venue, as far as it is checked before a wallet sees it. */
interface VenueTypedData {
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** Something to sign that is not what the page shows. It never reaches a wallet. */
export class ForeignSigning extends Error {
  override readonly name = 'ForeignSigning'
}

/** Throws unless the typed data send exactly this amount from the venue. */
export function mustReturn({ primaryType, message }: VenueTypedData, amount: string): void {
  if (!primaryType.endsWith(':UsdSend') || String(message['amount']) !== amount)
    throw new ForeignSigning('the typed data send another amount than the page shows')
}

/** Throws unless the typed data approve this key, and nothing else. */
export function mustApprove({ primaryType, message }: VenueTypedData, agent: string): void {
  const named = String(message['agentAddress']).toLowerCase()
  if (!primaryType.endsWith(':ApproveAgent') || named !== agent.toLowerCase())
    throw new ForeignSigning('the typed data approve another key than the page shows')
}
