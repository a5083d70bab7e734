/** Chain id of local chains; no public chain has it. */
const LOCAL_CHAIN_ID = 31_337
/** A busy machine answers late, and a kept connection may break just when it is used. A port that nobody listens at refuses at once. */
const TIMEOUT_MS = 15_000
const TRIES = 3

/**
 * Returns why publicly known keys must not sign for this RPC; null if it is a test node of this machine: a loopback address,
 * chain 31337, and a response to `anvil_nodeInfo`. The text contains no part of the address.
 */
export async function localNodeProblem(rpcUrl: string): Promise<string | null> {
  if (!isLoopback(new URL(rpcUrl).hostname)) return 'the RPC is on another machine'
  const id = await answerOf(rpcUrl, 'eth_chainId')
  if (id === null) return 'the RPC does not answer'
  if (Number(id) !== LOCAL_CHAIN_ID) return `the RPC serves chain ${Number(id)}`
  return (await answerOf(rpcUrl, 'anvil_nodeInfo')) === null ? 'the RPC is not anvil' : null
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

async function answerOf(rpcUrl: string, method: string, tries = TRIES): Promise<unknown> {
  try {
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ((await answer.json()) as { result?: unknown }).result ?? null
  } catch {
    return tries > 1 ? answerOf(rpcUrl, method, tries - 1) : null
  }
}
