export const en = {
  label: 'Wallets in this browser',
  demo: 'Demo wallet',
  demoHint: 'Belongs to the local test chain. Nothing to install, no money of value.',
  none: 'No wallet was found in this browser',
  noneHint:
    'Install a wallet as an extension of the browser, or open this page in the browser of a wallet app on your phone. Then load the page again.',
  unnamed: 'Unnamed wallet',
}
export type Words = typeof en
