/** Kinds of refusals as a person reads them. */
export const en = {
  kinds: {
    TargetNotAllowed: 'Market not on the list',
    OverPerTxCap: 'Over the cap per trade',
    OverDailyCap: 'Over the cap per day',
    MandateStopped: 'After the stop',
    MandateEnded: 'After the end',
    server_guard: 'By our guard',
    owner_declined: 'Declined by the owner',
  },
  none: 'none refused',
  part: (count: string, kind: string) => `${count} × ${kind}`,
  told: (total: string, parts: string) => `${total} refused: ${parts}`,
}

export type Words = typeof en
