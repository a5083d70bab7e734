/** How a contract address is written on a chain, and so when two spellings are the same address. */
export type AddressFamily = 'evm' | 'solana' | 'tron' | 'ton' | 'move' | 'exact'

/** A chain: its name, the family of its addresses, and its names at venues and in CAIP-2, in lower case. */
export type Chain = readonly [name: string, family: AddressFamily, ...aliases: string[]]

/** Names of Gate (`chains[].name`), KuCoin (`chainId`) and CAIP-2. A name that is not here is unknown, not guessed. */
export const CHAINS: readonly Chain[] = [
  ['ethereum', 'evm', 'eip155:1', 'eth', 'erc20'],
  ['optimism', 'evm', 'eip155:10', 'opeth', 'op'],
  ['bsc', 'evm', 'eip155:56', 'bep20'],
  ['gnosis', 'evm', 'eip155:100', 'xdai'],
  ['polygon', 'evm', 'eip155:137', 'matic', 'pol'],
  ['sonic', 'evm', 'eip155:146'],
  ['fantom', 'evm', 'eip155:250', 'ftm'],
  ['kcc', 'evm', 'eip155:321'],
  ['zksync', 'evm', 'eip155:324', 'zksera', 'zksyncera'],
  ['metis', 'evm', 'eip155:1088'],
  ['moonbeam', 'evm', 'eip155:1284', 'glmr'],
  ['moonriver', 'evm', 'eip155:1285', 'movr'],
  ['mantle', 'evm', 'eip155:5000', 'mnt'],
  ['kaia', 'evm', 'eip155:8217', 'klay'],
  ['base', 'evm', 'eip155:8453', 'baseevm'],
  ['arbitrum', 'evm', 'eip155:42161', 'arbevm', 'arb'],
  ['arbitrum_nova', 'evm', 'eip155:42170', 'arbnova'],
  ['celo', 'evm', 'eip155:42220'],
  ['avalanche', 'evm', 'eip155:43114', 'avax_c', 'avaxc'],
  ['linea', 'evm', 'eip155:59144', 'lineaeth'],
  ['blast', 'evm', 'eip155:81457', 'blasteth'],
  ['taiko', 'evm', 'eip155:167000', 'taikoeth'],
  ['scroll', 'evm', 'eip155:534352', 'scrolleth'],
  ['aurora', 'evm', 'eip155:1313161554', 'auroraevm'],
  ['solana', 'solana', 'sol', 'spl'],
  ['tron', 'tron', 'trx', 'trc20'],
  ['ton', 'ton', 'toncoin'],
  ['aptos', 'move', 'apt'],
  ['sui', 'move'],
  ['near', 'exact'],
  ['algorand', 'exact', 'algo'],
  ['hedera', 'exact', 'hbar'],
  ['stellar', 'exact', 'xlm'],
  ['xrp_ledger', 'exact', 'xrp'],
  ['multiversx', 'exact', 'egld'],
  ['cardano', 'exact', 'ada'],
  ['tezos', 'exact', 'xtz'],
]

const byName: ReadonlyMap<string, { readonly name: string; readonly family: AddressFamily }> = new Map(
  CHAINS.flatMap(([name, family, ...aliases]) => [name, ...aliases].map((alias) => [alias, { name, family }] as const)),
)

/** Returns the chain that a venue or CAIP-2 calls by a name; undefined if the name is unknown. */
export const chainOf = (name: string) => byName.get(name.toLowerCase())
