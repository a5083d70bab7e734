/** What a wallet said no to, in words. */
export const en = {
  declined: {
    title: 'You declined in the wallet',
    said: 'Nothing was signed or sent. You can try again.',
  },
  pending: {
    title: 'The wallet still waits for you',
    said: 'A request is open in your wallet. Open the wallet and answer it, then come back.',
  },
  unknown_network: {
    title: 'Your wallet does not know this network',
    said: 'Add the network to the wallet, then try again.',
  },
  wrong_network: {
    title: 'Your wallet is on another network',
    said: 'It stayed there after we asked it to switch. Choose the network in the wallet yourself, then try again.',
  },
  unauthorised: {
    title: 'The wallet does not allow this page',
    said: 'Connect this page in the wallet, then try again.',
  },
  unsupported: {
    title: 'This wallet cannot do that',
    said: 'Use another wallet for this step.',
  },
  disconnected: {
    title: 'The wallet lost its connection',
    said: 'Check the connection of the wallet to its network, then try again.',
  },
  locked: {
    title: 'No wallet shows your account',
    said: 'Unlock the wallet that you signed in with and let it show that account to this page.',
  },
  other_account: {
    title: 'The wallet shows another account',
    said: 'Choose the account that you signed in with. Nothing was signed.',
  },
  failed: {
    title: 'The wallet could not do it',
    said: 'Nothing is known to have been sent. The wallet says:',
  },
  network: (name: string, id: number) => `${name}, chain ${id}`,
  addNetwork: 'Add the network to the wallet',
  again: 'Try again',
  another: 'Use another wallet',
}

export type Words = typeof en
