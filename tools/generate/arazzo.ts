import type { DocumentOptions, Route } from '@svc/edge'

type Json = Record<string, unknown>

/** A step: an operation, its input by member, and what later steps use of its answer. */
interface Step {
  readonly id: string
  readonly operation: string
  readonly status?: number
  readonly input?: Readonly<Record<string, unknown>>
  readonly outputs?: Readonly<Record<string, string>>
  /** Condition of the answer that ends a wait; until then the step is repeated. */
  readonly until?: { readonly condition: string; readonly everySec: number; readonly triesMax: number }
}

interface Workflow {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly inputs: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  readonly outputs?: Readonly<Record<string, string>>
}

const signedIn = {
  wallet_address: '$inputs.wallet_address',
  message: '$inputs.message',
  signature: '$inputs.signature',
}
const ofWallet = {
  wallet_address: 'Address of the wallet',
  message: 'Message of the workflow requestMessage',
  signature: 'Signature of this message by the wallet (personal_sign)',
}
const pair = { exchange: '$inputs.exchange', symbol: '$inputs.symbol' }

/** The two typical flows of the API; signatures and transactions of a wallet are inputs, since no route makes them. */
const WORKFLOWS: readonly Workflow[] = [
  {
    id: 'requestMessage',
    summary: 'Get the message that a wallet signs',
    description: 'The wallet signs message; the signature is an input of the workflow for which the purpose is.',
    inputs: { wallet_address: 'Address of the wallet', purpose: 'register, key or session' },
    steps: [
      {
        id: 'nonce',
        operation: 'requestNonce',
        input: { wallet_address: '$inputs.wallet_address', purpose: '$inputs.purpose' },
        outputs: { message: '$response.body#/message' },
      },
    ],
    outputs: { message: '$steps.nonce.outputs.message' },
  },
  {
    id: 'earnAndRead',
    summary: 'An agent earns Cherry, buys a tier, and reads research of a pair',
    description:
      'Register, submit metadata, wait for the review, buy Tier 1, add the pair as a target, wait for scans, read research, and make a PDF report.',
    inputs: {
      ...ofWallet,
      agent_name: 'Name of the agent',
      exchange: 'Exchange of the pair, as the API names it',
      symbol: 'Pair, BASE/QUOTE',
      symbol_in_path: 'The same pair as BASE_QUOTE',
      entries: 'Metadata of the pair, each with evidence',
    },
    steps: [
      {
        id: 'register',
        operation: 'registerAgent',
        status: 201,
        input: { ...signedIn, agent_name: '$inputs.agent_name' },
        outputs: { api_key: '$response.body#/api_key' },
      },
      {
        id: 'fields',
        operation: 'listFields',
        input: { exchange: '$inputs.exchange', symbol: '$inputs.symbol_in_path' },
      },
      { id: 'submit', operation: 'submitMetadata', status: 202, input: { ...pair, entries: '$inputs.entries' } },
      {
        id: 'paid',
        operation: 'previewUpgrade',
        input: { tier: 1, months: 1 },
        until: { condition: '$response.body#/affordable == true', everySec: 60, triesMax: 1_000 },
      },
      { id: 'subscribe', operation: 'subscribe', status: 201, input: { tier: 1, months: 1 } },
      { id: 'target', operation: 'addTarget', input: pair },
      {
        id: 'research',
        operation: 'readResearch',
        input: { exchange: '$inputs.exchange', symbol: '$inputs.symbol_in_path' },
        until: { condition: '$statusCode == 200', everySec: 30, triesMax: 20 },
      },
      {
        id: 'report',
        operation: 'makeReport',
        status: 202,
        input: pair,
        outputs: { report_id: '$response.body#/report_id' },
      },
      {
        id: 'download',
        operation: 'downloadReport',
        input: { report_id: '$steps.report.outputs.report_id' },
        until: { condition: '$statusCode == 200', everySec: 2, triesMax: 60 },
      },
    ],
    outputs: { api_key: '$steps.register.outputs.api_key', report_id: '$steps.report.outputs.report_id' },
  },
  {
    id: 'agreeOnMandate',
    summary: 'An owner sets limits and reads the terms to sign',
    description: 'Sign in, create a mandate, designate a paired agent, and read the typed data that the wallet signs.',
    inputs: { ...ofWallet, mandate: 'Body of POST /hub/mandates', agent_id: 'Account id of a paired agent' },
    steps: [
      { id: 'session', operation: 'openSession', input: signedIn, outputs: { token: '$response.body#/token' } },
      {
        id: 'create',
        operation: 'createMandate',
        status: 201,
        input: { '': '$inputs.mandate' },
        outputs: { public_id: '$response.body#/mandate/public_id' },
      },
      {
        id: 'assign',
        operation: 'assignAgent',
        input: { public_id: '$steps.create.outputs.public_id', agent_id: '$inputs.agent_id' },
      },
      {
        id: 'terms',
        operation: 'readTerms',
        input: { public_id: '$steps.create.outputs.public_id' },
        outputs: { typed_data: '$response.body#/typed_data', terms_hash: '$response.body#/terms_hash' },
      },
    ],
    outputs: {
      token: '$steps.session.outputs.token',
      public_id: '$steps.create.outputs.public_id',
      typed_data: '$steps.terms.outputs.typed_data',
      terms_hash: '$steps.terms.outputs.terms_hash',
    },
  },
  {
    id: 'openVault',
    summary: 'An owner signs the terms, creates the vault and pays in',
    description:
      'Each call is prepared by the service, and signed and sent by the wallet between two steps; its hash is an input.',
    inputs: {
      public_id: 'Public id of the mandate',
      terms_hash: 'Hash of the signed terms',
      terms_signature: 'Signature of the typed data by the wallet of the owner',
      creation_tx_hash: 'Hash of the transaction of create-call',
      amount_usdc: 'Amount of USDC to pay in',
      deposit_tx_hash: 'Hash of the transaction of the deposit',
    },
    steps: [
      {
        id: 'sign',
        operation: 'signTerms',
        input: {
          public_id: '$inputs.public_id',
          terms_hash: '$inputs.terms_hash',
          signature: '$inputs.terms_signature',
        },
      },
      {
        id: 'creation',
        operation: 'prepareCreation',
        input: { public_id: '$inputs.public_id' },
        outputs: { tx: '$response.body#/tx' },
      },
      {
        id: 'attach',
        operation: 'attachVault',
        input: { public_id: '$inputs.public_id', tx_hash: '$inputs.creation_tx_hash' },
        outputs: { vault: '$response.body#/vault' },
      },
      {
        id: 'funding',
        operation: 'planFunding',
        input: { public_id: '$inputs.public_id', amount_usdc: '$inputs.amount_usdc' },
        outputs: { txs: '$response.body#/txs' },
      },
      {
        id: 'deposit',
        operation: 'recordVaultTransaction',
        input: {
          public_id: '$inputs.public_id',
          kind: 'deposit',
          tx_hash: '$inputs.deposit_tx_hash',
          amount_usdc: '$inputs.amount_usdc',
        },
        outputs: { state: '$response.body#/state' },
      },
    ],
    outputs: { vault: '$steps.attach.outputs.vault', state: '$steps.deposit.outputs.state' },
  },
]

function stepOf(step: Step, routes: ReadonlyMap<string, Route>): Json {
  const route = routes.get(step.operation)
  if (route === undefined) throw new Error(`no public operation is named ${step.operation}`)
  const { '': whole, ...input } = step.input ?? {}
  const known = Object.entries(input)
  for (const [name] of known)
    if (route.places[name] === undefined) throw new Error(`${step.operation} has no input member ${name}`)
  const parameters = known
    .filter(([name]) => route.places[name] !== 'body')
    .map(([name, value]) => ({ name, in: route.places[name], value }))
  const body = whole ?? Object.fromEntries(known.filter(([name]) => route.places[name] === 'body'))
  const hasBody = whole !== undefined || Object.keys(body as object).length > 0
  const condition = step.until?.condition ?? `$statusCode == ${step.status ?? 200}`
  return {
    stepId: step.id,
    description: `${route.operation.summary}.`,
    operationId: step.operation,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: { contentType: 'application/json', payload: body } } : {}),
    successCriteria: [{ condition }],
    ...(step.until === undefined
      ? {}
      : {
          onFailure: [
            { name: 'again', type: 'retry', retryAfter: step.until.everySec, retryLimit: step.until.triesMax },
          ],
        }),
    ...(step.outputs === undefined ? {} : { outputs: step.outputs }),
  }
}

/** Returns the Arazzo document of the typical flows: which operations follow one another, and what passes between them. */
export function arazzo({ routes, version }: DocumentOptions): Json {
  const byKey = new Map(routes.map((route) => [route.operation.key, route]))
  return {
    arazzo: '1.0.1',
    info: {
      title: 'Typical flows of the Cherry platform',
      version,
      summary: 'How an agent earns and reads, and how an owner opens a mandate.',
      description: 'Signatures and transactions are made by a wallet between the steps; they are inputs.',
    },
    sourceDescriptions: [{ name: 'platform', url: './openapi.json', type: 'openapi' }],
    workflows: WORKFLOWS.map(({ id, summary, description, inputs, steps, outputs }) => ({
      workflowId: id,
      summary,
      description,
      inputs: {
        type: 'object',
        required: Object.keys(inputs),
        properties: Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, { description: text }])),
      },
      steps: steps.map((step) => stepOf(step, byKey)),
      ...(outputs === undefined ? {} : { outputs }),
    })),
  }
}
