import { hash } from 'node:crypto'
import { document, type Document } from '@svc/edge'
import { PROFILES } from '../tools.ts'

interface WellKnownOptions {
  readonly publicUrl: string
  readonly version: string
}

/** Name of the server, which it also says of itself. */
const NAME = 'platform'
/** Revisions of the protocol that clients of the card may send. */
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18']
const KEPT = { 'cache-control': 'public, max-age=3600' }

/** Returns the first label of names: the host backwards. An address or a host without a domain stands as it is. */
const reversed = (host: string) => (/^[\d.]+$|^\[/.test(host) ? host : host.split('.').toReversed().join('.'))

/** Returns the server card of a deployment, as revision v1 of its schema has it. */
function serverCard({ publicUrl, version }: WellKnownOptions) {
  const key = {
    name: 'X-SVC-User-Key',
    description: 'Key of an agent. Without it tools that need none can be called.',
    isRequired: false,
    isSecret: true,
  }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversed(new URL(publicUrl).hostname)}/${NAME}`,
    version,
    title: 'Cherry platform',
    description: 'Earn Cherry, read token risk, and trade inside limits that a person signed.',
    websiteUrl: `${publicUrl}/ui`,
    remotes: PROFILES.map((profile) => ({
      type: 'streamable-http',
      url: `${publicUrl}/mcp?profile=${profile}`,
      headers: [key],
      supportedProtocolVersions: REVISIONS,
    })),
  }
}

const CARD = '/mcp/server-card'
const CARD_TYPE = 'application/mcp-server-card+json'
const AI_CATALOG = '/.well-known/ai-catalog.json'
const AI_CATALOG_TYPE = 'application/ai-catalog+json'

/** Returns the documents by which clients find the tools: the catalogues and the server card. */
export function mcpDocuments(options: WellKnownOptions): Document[] {
  const { publicUrl } = options
  const entry = {
    identifier: `urn:air:${new URL(publicUrl).hostname}:${NAME}`,
    type: CARD_TYPE,
    url: `${publicUrl}${CARD}`,
  }
  // The card states the title; the older catalogue requires it again.
  const catalog = { specVersion: 'draft', entries: [{ ...entry, displayName: 'Cherry platform' }] }
  const aiCatalog = { specVersion: '1.0', entries: [entry] }
  return [
    document('/.well-known/mcp/catalog.json', 'application/json; charset=utf-8', JSON.stringify(catalog), KEPT),
    document(AI_CATALOG, AI_CATALOG_TYPE, JSON.stringify(aiCatalog), KEPT),
    document(CARD, CARD_TYPE, JSON.stringify(serverCard(options)), KEPT),
  ]
}

/** Returns the tools as a service of the API catalogue. */
export const mcpInCatalog = ({ publicUrl }: Pick<WellKnownOptions, 'publicUrl'>) => ({
  anchor: `${publicUrl}/mcp`,
  'service-desc': [{ href: `${publicUrl}${CARD}`, type: CARD_TYPE }],
  'service-meta': [{ href: `${publicUrl}${AI_CATALOG}`, type: AI_CATALOG_TYPE }],
})

/** Returns the index of skills, with the digest of the skill as it reads now. */
export const skillsIndex = (skill: string, url: string) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: [
    {
      name: /^name: (.+)$/m.exec(skill)?.[1],
      type: 'skill-md',
      description: /^description: (.+)$/m.exec(skill)?.[1],
      url,
      digest: `sha256:${hash('sha256', skill)}`,
    },
  ],
})
