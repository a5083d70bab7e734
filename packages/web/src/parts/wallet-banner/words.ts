/** How a wallet can have moved away from the session. */
export const en = {
  other: 'Your wallet shows another account than the one that you signed in with. It can sign nothing here.',
  lost: 'Your wallet lost its connection.',
  network: 'Your wallet moved to another network. You will be asked to switch back.',
}

export type Words = typeof en
