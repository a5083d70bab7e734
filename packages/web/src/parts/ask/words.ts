/** Words of a request for the owner's approval. */
export const en = {
  waits: 'Waits for you',
  left: 'left',
  lapsed: 'Lapsed',
  spend: (amount: string) => `The agent wants to spend ${amount} USDC`,
  order: (side: string, market: string, amount: string) => `The agent wants to ${side} ${market} for ${amount} USDC`,
  sides: { buy: 'buy', sell: 'sell' },
  why: (where: string, above: string) =>
    `${where}. More than ${above} USDC, so it asks you first (clause 6). Your yes is good for exactly this call, once.`,
  whyOrder: (above: string) =>
    `At its reference price. More than ${above} USDC, so it asks you first (clause 6). Your yes covers at most 2 % more.`,
  call: (name: string, market: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)} at ${market}`,
  unknownMarket: 'A call of a contract that no market lists',
  today: 'Today, with this',
  trade: 'This trade',
  approve: 'Approve',
  decline: 'Decline',
  deciding: 'Sending',
  exact: 'What exactly',
  target: 'Contract',
  data: 'Call',
  digest: 'Digest',
  size: 'Size',
  reduceOnly: 'Only closes a position',
  slippage: 'Price band',
  asked: 'Asked',
  refuses: 'Even with your yes it would be refused:',
  expired: 'It lapsed without an answer. Nothing was spent; the agent may ask again.',
  elsewhere: {
    approved: 'It was approved elsewhere.',
    declined: 'It was declined elsewhere.',
    used: 'It was approved elsewhere and is already used.',
    expired: 'It lapsed without an answer.',
    pending: 'It waits again.',
  } as Readonly<Record<string, string>>,
  approved: (amount: string) => `You approved ${amount} USDC. The agent may send exactly this call.`,
  declined: (amount: string) => `You declined ${amount} USDC. Nothing was spent.`,
  dismiss: 'Put away',
}

export type AskWords = typeof en
