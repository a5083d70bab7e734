import { LOCAL_CHAIN_ID, rpc, withClient } from '@svc/servers'

/**
 * Blocks that are mined again without a word. A chain that is killed loses what it mined since its last write, which is
 * about a second; its readers take a reorganisation of a few blocks back by themselves.
 */
const LOST_BLOCKS_MAX = 16

/** Returns the newest block that chain-indexer has read from the local chain, or null before its first run. */
async function newestReadBlock(databaseUrl: string): Promise<number | null> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ block: string | null }>(
      'SELECT max(next_block) - 1 AS block FROM chain_indexer.cursor WHERE chain_id = $1',
      [LOCAL_CHAIN_ID],
    )
    const block = rows[0]?.block ?? null
    return block === null ? null : Number(block)
  })
}

/** Returns by how many blocks the local chain is behind the newest block in the database; 0 if it is not. */
export async function blocksBehind(chainUrl: string, superuserUrl: string): Promise<number> {
  const database = new URL(superuserUrl)
  database.pathname = '/platform'
  const block = await newestReadBlock(database.href)
  return block === null ? 0 : Math.max(0, block - Number(await rpc(chainUrl, 'eth_blockNumber')))
}

/**
 * Brings a chain that lost its last blocks in a kill past the newest block in the database, with empty blocks, so that its
 * readers see an ordinary reorganisation. Returns by how many blocks the chain is still behind: a larger loss stays.
 */
export async function passReadBlocks(chainUrl: string, superuserUrl: string): Promise<number> {
  const behind = await blocksBehind(chainUrl, superuserUrl)
  if (behind === 0 || behind > LOST_BLOCKS_MAX) return behind
  for (let block = 0; block <= behind; block += 1) await rpc(chainUrl, 'evm_mine')
  return 0
}
