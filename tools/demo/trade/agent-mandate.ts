import { WORKERS, walletCall, type Scene } from '../mandate/scene.ts'

/** Has the owner sign and fund a mandate that lets the agent trade one market of the venue, up to 50 USDC an order. */
export async function signMandate({ walk, stage, owner, asOwner, agentId }: Scene, market: string): Promise<void> {
  const { mandate } = await asOwner('/hub/mandates', 201, {
    body: {
      name: 'Trade demo',
      budget_usdc: '200',
      per_tx_cap_usdc: '50',
      daily_cap_usdc: '100',
      stop_line_usdc: '50',
      approval_above_usdc: null,
      markets: [market],
      hl_leg: true,
      ends_at: new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000).toISOString(),
      fee_bps: 1_000,
      agent_id: agentId,
    },
    show: ['ok'],
  })
  const path = `/hub/mandates/${mandate.public_id}`
  const terms = await asOwner(`${path}/terms`, 200, { quiet: true })
  const signature = await owner.wallet.signTypedData(terms.typed_data)
  await asOwner(`${path}/sign`, 200, { body: { signature, terms_hash: terms.terms_hash }, show: ['ok'] })
  const creation = await asOwner(`${path}/create-call`, 200, { quiet: true })
  const { hash } = await stage.send(owner, walletCall(creation.call), 'factory_v2.createVault(signed terms)')
  await asOwner(`${path}/vault`, 200, { body: { tx_hash: hash }, show: ['state'] })
  const { calls } = await asOwner(`${path}/fund?amount_usdc=100`, 200, { quiet: true })
  await stage.send(owner, walletCall(calls.approve), 'usdc.approve(vault, 100 USDC)')
  await stage.send(owner, walletCall(calls.deposit), 'vault.deposit(100 USDC)')
  await walk.until('the working mandate', WORKERS, async () => {
    const { state } = await asOwner(path, 200, { quiet: true })
    return state === 'working'
  })
}
