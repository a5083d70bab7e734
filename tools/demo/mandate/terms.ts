import { hashTypedData } from 'viem'
import type { Scene } from './scene.ts'

const NOTE =
  '600 USDC for 2 weeks on the test venue, at most 90 USDC per trade, 200 a day, ask me above 40, stop at 100'

/** The owner's correction of the draft: a smaller budget and a higher approval amount. */
export const LIMITS = {
  name: 'First mandate',
  budget_usdc: '500',
  per_tx_cap_usdc: '80',
  daily_cap_usdc: '150',
  stop_line_usdc: '100',
  approval_above_usdc: '50',
  markets: ['testvenue'],
  fee_bps: 1_000,
} as const

interface Origin {
  readonly field: string
  readonly source: 'note' | 'preset'
  readonly words: string | null
}

/** Plays from a purpose note to signed terms; returns the id of the mandate. */
export async function agreeOnTerms(scene: Scene): Promise<string> {
  const publicId = await draft(scene)
  const path = `/hub/mandates/${publicId}`
  await designate(scene, path)
  await sign(scene, path)
  return publicId
}

async function draft({ walk, asOwner }: Scene): Promise<string> {
  walk.chapter('Draft a mandate from a purpose note, correct it')
  const drafted = await asOwner('/hub/mandates/draft', 201, {
    body: { note: NOTE, save: true },
    show: ['ok', 'public_id', 'draft'],
    expect: {
      'draft.budget_usdc': '600',
      'draft.per_tx_cap_usdc': '90',
      'draft.daily_cap_usdc': '200',
      'draft.approval_above_usdc': '40',
      'draft.stop_line_usdc': '100',
    },
    note: 'A fixed parser, not a model, reads the note; the Standard preset fills the rest.',
  })
  for (const { field, source, words } of drafted.fields as readonly Origin[])
    walk.say(`  ${field.padEnd(20)} ${source === 'note' ? `"${words}"` : 'Standard preset'}`)
  const path = `/hub/mandates/${drafted.public_id}`
  const corrected = { ...LIMITS, ends_at: drafted.draft.ends_at }
  await asOwner(path, 400, {
    method: 'PUT',
    body: { ...corrected, per_tx_cap_usdc: '160' },
    show: ['code', 'detail', 'errors'],
    expect: { 'errors.0.pointer': '/per_tx_cap_usdc' },
    note: 'A correction that contradicts itself is rejected; the error names the field and its allowed values.',
  })
  const expect = { 'mandate.limits.budget_usdc': LIMITS.budget_usdc }
  await asOwner(path, 200, { method: 'PUT', body: corrected, show: ['ok'], expect })
  return drafted.public_id
}

async function designate({ walk, asOwner, asAgent, agentId }: Scene, path: string): Promise<void> {
  walk.chapter('Designate the agent of the first day')
  const { code } = await asOwner('/hub/agents/pair-code', 201, {
    body: {},
    note: 'The owner creates a code and passes it to the agent; the agent sends it, and they are paired.',
  })
  await asAgent('/hub/agents/pair', 200, { body: { code }, show: ['ok', 'agent_id', 'wallet_ready', 'next'] })
  const expect = { 'mandate.agent.agent_id': agentId }
  await asOwner(`${path}/assign`, 200, { body: { agent_id: agentId }, show: ['ok'], expect })
}

interface ClauseRead {
  readonly n: number
  readonly text: string
  readonly state: 'in_force' | 'stored_pending'
  readonly state_reason: string | null
}

async function sign({ walk, asOwner, owner }: Scene, path: string): Promise<void> {
  walk.chapter('Read the terms, sign them')
  const terms = await asOwner(`${path}/terms`, 200, {
    show: ['version', 'terms_hash', 'factory_configured', 'signed'],
    note: 'Eight clauses in words, and the same in figures as typed data.',
  })
  for (const { n, text, state, state_reason } of terms.clauses as readonly ClauseRead[]) {
    walk.say(`${n}. ${text}`)
    if (state === 'stored_pending') walk.say(`   Not in force yet: ${state_reason}`)
  }
  walk.expect('the digest of the typed data', hashTypedData(terms.typed_data), terms.terms_hash)
  walk.say('The digest of the typed data, computed here, equals terms_hash. The wallet signs it.')
  const signature = await owner.wallet.signTypedData(terms.typed_data)
  await asOwner(`${path}/sign`, 200, {
    body: { signature, terms_hash: terms.terms_hash },
    show: ['ok', 'terms_hash', 'signed_at'],
    expect: { 'mandate.state': 'signed' },
  })
}
