/** A mark of the worth, as the series answers it. */
export interface WorthMark {
  readonly at: string
  readonly worth_usdc: string | null
  readonly vault_usdc: string
  readonly unbooked_usdc: string | null
  readonly positions_usdc: string | null
  readonly leg_usdc: string | null
  readonly source: 'keeper' | 'poller'
  readonly block_number: number
  readonly withheld_reason: string | null
}
