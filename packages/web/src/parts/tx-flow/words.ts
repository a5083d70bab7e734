export const en = {
  label: 'Steps of the transaction',
  stage: { confirm: 'Confirm', wallet: 'Wallet', chain: 'Chain', record: 'Recorded' },
  now: {
    confirm: 'The page is checking the call…',
    wallet: 'Answer in the wallet.',
    chain: 'Sent. Waiting for a block…',
    record: 'In the chain. Waiting until it is recorded…',
    done: 'Done and recorded.',
  },
  transaction: 'Transaction',
  reverted: {
    title: 'The contract refused the transaction',
    said: 'It was mined and had no effect. Only the network fee was spent. You can try again.',
  },
  dropped: {
    title: 'The network dropped the transaction',
    said: 'No node knows it any more. Look once more before you send again: a transaction that is mined late is followed, not repeated.',
  },
  replaced: {
    title: 'Another transaction took its place',
    said: 'Your wallet sent another transaction with the same number: you sped it up or cancelled it. Look again in a moment; if it was cancelled, send again.',
  },
  slow: {
    title: 'Not in a block yet',
    said: 'The network is slow. Nothing is lost: you may close this page and come back, it goes on from here.',
  },
  unsure: {
    title: 'Your wallet was asked before this page was loaded again',
    said: 'Look into the wallet. If the request is still open, answer it there and press “Look again”. Send again only if you declined it.',
    moved: 'Your account has sent a transaction since then; it may be this one.',
  },
  look: 'Look again',
  sendAgain: 'Send again',
  goOn: 'Go on',
}
export type Words = typeof en
