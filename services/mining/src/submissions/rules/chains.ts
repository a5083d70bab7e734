/** How a contract address is written on a chain; `native` chains have no contracts. */
export type AddressFormat =
  | 'evm'
  | 'solana'
  | 'tron'
  | 'tezos'
  | 'ton'
  | 'move'
  | 'near'
  | 'cardano'
  | 'asset_id'
  | 'hedera'
  | 'stellar'
  | 'xrpl'
  | 'cosmos'
  | 'starknet'
  | 'eos'
  | 'multiversx'
  | 'native'

const chainsByFormat = {
  evm: [
    'ethereum',
    'bsc',
    'polygon',
    'arbitrum',
    'optimism',
    'base',
    'avalanche',
    'fantom',
    'cronos',
    'gnosis',
    'linea',
    'zksync',
    'scroll',
    'mantle',
    'blast',
    'celo',
    'moonbeam',
    'moonriver',
    'kava',
    'harmony',
    'kaia',
    'metis',
    'ronin',
    'sonic',
    'berachain',
    'unichain',
    'world_chain',
    'hyperevm',
    'manta',
    'mode',
    'opbnb',
    'aurora',
    'boba',
    'core',
    'vechain',
    'theta',
    'sei',
    'ethereum_classic',
    'pulsechain',
    'polygon_zkevm',
    'zora',
    'taiko',
    'abstract',
    'ink',
    'monad',
    'iotex',
    'conflux',
    'flare',
    'filecoin',
    'chiliz',
  ],
  solana: ['solana'],
  tron: ['tron'],
  tezos: ['tezos'],
  ton: ['ton'],
  move: ['aptos', 'sui'],
  near: ['near'],
  cardano: ['cardano'],
  asset_id: ['algorand', 'polkadot_asset_hub'],
  hedera: ['hedera'],
  stellar: ['stellar'],
  xrpl: ['xrp_ledger'],
  cosmos: [
    'cosmos',
    'osmosis',
    'injective',
    'terra',
    'terra_classic',
    'juno',
    'neutron',
    'celestia',
    'kujira',
    'secret',
    'thorchain',
  ],
  starknet: ['starknet'],
  eos: ['eos', 'wax'],
  multiversx: ['multiversx'],
  native: [
    'bitcoin',
    'litecoin',
    'dogecoin',
    'bitcoin_cash',
    'monero',
    'zcash',
    'dash',
    'kaspa',
    'polkadot',
    'kusama',
    'bitcoin_sv',
    'ravencoin',
    'decred',
    'nano',
  ],
} as const satisfies Record<AddressFormat, readonly string[]>

/** Address format of each chain that `blockchain` may name. */
export const addressFormats: ReadonlyMap<string, AddressFormat> = new Map(
  (Object.entries(chainsByFormat) as [AddressFormat, readonly string[]][]).flatMap(([format, chains]) =>
    chains.map((chain) => [chain, format] as const),
  ),
)
