/** Words of what a call means. */
export const en = {
  buy: (asset: string, amount: string) => `Buy ${asset} for ${amount} USDC`,
  sell: (asset: string, units: string) => `Sell ${units} ${asset}`,
  redeem: (asset: string) => `Redeem all ${asset}`,
  most: (what: string, price: string, asset: string) => `${what}, at most ${price} USDC for 1 ${asset}`,
  least: (what: string, price: string, asset: string) => `${what}, at least ${price} USDC for 1 ${asset}`,
  any: (what: string) => `${what}, at any price`,
  closeSell: (asset: string, units: string, least: string) =>
    `Close the ${asset} position: sell ${units} ${asset} for at least ${least} USDC`,
  closeAny: (asset: string, units: string) => `Close the ${asset} position: sell ${units} ${asset} at any price`,
  closeRedeem: (asset: string) => `Close the ${asset} position: redeem all of it at its final price`,
  sized: (side: string, market: string, size: string) => `${side} ${size} ${market}`,
  unsized: (side: string, market: string) => `${side} ${market}`,
  sides: { buy: 'Buy', sell: 'Sell' } as Readonly<Record<string, string>>,
  unknown: 'Asset and price unknown: the record has no calldata of this call.',
  unlisted: 'Asset and price unknown: no market lists this call.',
  malformed: 'Asset and price unknown: these are not the bytes of a listed call.',
  raw: 'Raw call',
}
export type Words = typeof en
