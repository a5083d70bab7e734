import type { BuilderConfig, OwnStatus } from './answers.ts'

/** What a wallet approves at the venue. */
export type ApprovalKind = 'order_key' | 'builder_fee' | 'web_key'

type Approvals = OwnStatus['approvals']
/** Typed data as it was served. */
export type VenueTypedData = NonNullable<Approvals['builder_fee']>['typed_data']

/** What the page knows of an approval from elsewhere than the served typed data. */
export interface Known {
  readonly network: 'testnet' | 'mainnet'
  readonly now: number
  readonly builder: BuilderConfig | null
  /** Address of this page's own key. */
  readonly webAddress: string | null
}

const DAY_MS = 86_400_000
/** The venue accepts approvals of at most 180 days. A page's own key is good for a day; the clock of a device may be off. */
const LONGEST_MS: Readonly<Record<'order_key' | 'web_key', number>> = {
  order_key: 180 * DAY_MS,
  web_key: DAY_MS + 2 * 3_600_000,
}
const NAMES = { order_key: 'svc-trade', web_key: 'svc-web' } as const
const NO_CONTRACT = `0x${'0'.repeat(40)}`

interface Field {
  readonly name: string
  readonly type: string
}
const fields = (text: string): readonly Field[] =>
  text.split(',').map((one) => {
    const [name = '', type = 'string'] = one.split(':')
    return { name, type }
  })
const FORMS = {
  agent: {
    primaryType: 'HyperliquidTransaction:ApproveAgent',
    fields: fields('hyperliquidChain:string,agentAddress:address,agentName:string,nonce:uint64'),
  },
  fee: {
    primaryType: 'HyperliquidTransaction:ApproveBuilderFee',
    fields: fields('hyperliquidChain:string,maxFeeRate:string,builder:address,nonce:uint64'),
  },
} as const
const DOMAIN = fields('name:string,version:string,chainId:uint256,verifyingContract:address')

/** Result of reading an approval: typed data that this page wrote itself, or what is wrong with the served one. */
export type ReadApproval =
  | { readonly typedData: VenueTypedData; readonly until: number | null; readonly fault: null }
  | { readonly typedData: null; readonly fault: string }

const wrong = (fault: string): ReadApproval => ({ typedData: null, fault })

/**
 * Writes the typed data of an approval from what the page knows, and takes only address, number and end of the order
 * key from the served one. Any other difference is a fault: nothing else of the service reaches the wallet.
 */
export function readApproval(kind: ApprovalKind, served: VenueTypedData, known: Known): ReadApproval {
  const form = kind === 'builder_fee' ? FORMS.fee : FORMS.agent
  const { message, domain } = served
  const nonce = Number(message['nonce'])
  if (!Number.isSafeInteger(nonce) || Math.abs(nonce - known.now) > DAY_MS) return wrong('nonce')
  const said = kind === 'builder_fee' ? feeMessage(known) : keyMessage(kind, message, known)
  if (typeof said === 'string') return wrong(said)
  const own: VenueTypedData = {
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: domain.chainId,
      verifyingContract: NO_CONTRACT,
    },
    types: { EIP712Domain: [...DOMAIN], [form.primaryType]: [...form.fields] },
    primaryType: form.primaryType,
    message: { hyperliquidChain: known.network === 'mainnet' ? 'Mainnet' : 'Testnet', ...said.members, nonce },
  }
  const fault = differenceOf(served, own)
  return fault === null ? { typedData: own, until: said.until, fault: null } : wrong(fault)
}

interface Said {
  readonly members: Readonly<Record<string, string>>
  readonly until: number | null
}

function feeMessage({ builder }: Known): Said | string {
  if (builder === null || builder.builder === null) return 'builder'
  return { members: { maxFeeRate: builder.max_fee_rate, builder: builder.builder.toLowerCase() }, until: null }
}

function keyMessage(
  kind: 'order_key' | 'web_key',
  message: VenueTypedData['message'],
  { now, webAddress }: Known,
): Said | string {
  const address = String(message['agentAddress'])
  if (!/^0x[0-9a-f]{40}$/.test(address)) return 'agentAddress'
  if (kind === 'web_key' && address !== webAddress?.toLowerCase()) return 'agentAddress'
  const [, name, end = ''] = /^(\S+) valid_until (\d{13})$/.exec(String(message['agentName'])) ?? []
  const until = Number(end)
  if (name !== NAMES[kind]) return 'agentName'
  if (until <= now || until > now + LONGEST_MS[kind]) return 'valid_until'
  return { members: { agentAddress: address, agentName: `${name} valid_until ${end}` }, until }
}

/** Returns the first member in which two typed data differ; null if they are equal. */
function differenceOf(served: VenueTypedData, own: VenueTypedData): string | null {
  if (served.primaryType !== own.primaryType) return 'primaryType'
  if (JSON.stringify(served.types[own.primaryType]) !== JSON.stringify(own.types[own.primaryType])) return 'types'
  for (const member of ['name', 'version', 'verifyingContract'] as const)
    if (served.domain[member] !== own.domain[member]) return `domain.${member}`
  for (const key of new Set([...Object.keys(served.message), ...Object.keys(own.message)]))
    if (served.message[key] !== own.message[key]) return key
  return null
}
