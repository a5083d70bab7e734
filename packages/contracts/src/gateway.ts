import { contract, job, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { chainSettings } from './common/chain-settings.ts'
import { dripSettings } from './common/drip-settings.ts'
import { legSettings } from './common/leg-settings.ts'
import { publicWebBase } from './common/web-base.ts'
import { gallerySettings } from './gallery/settings.ts'

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
)
const count = z.coerce.number().int().min(1).max(1_000_000_000)

/** The public edge: serves every other contract over HTTP and owns the usage counters. */
export const gateway = contract('gateway', {
  title: 'Public edge',
  operations: {},
  jobs: {
    forgetUsage: job({
      summary: 'Delete the usage of days long past',
      everyMs: 3_600_000,
      max: 1_000_000,
      budgetSec: 60,
    }),
  },
  settings: {
    legEnabled: legSettings.legEnabled,
    legFunding: legSettings.legFunding,
    signalPublishEnabled: gallerySettings.signalPublishEnabled,
    chainId: chainSettings.chainId,
    deploymentFile: chainSettings.deploymentFile,
    factoryAddress: chainSettings.factoryAddress,
    factoryV2Address: chainSettings.factoryV2Address,
    usdcAddress: chainSettings.usdcAddress,
    legGatewayAddress: chainSettings.legGatewayAddress,
    testVenueTargets: chainSettings.testVenueTargets,
    dripEnabled: dripSettings.dripEnabled,
    doorEnabled: setting({
      env: 'HUB_DOOR_ENABLED',
      schema: switchWord,
      default: '0',
      live: true,
      doc: 'Opens the door of agents: GET /hub/door, /hub/skill.md, /hub/mcp-tools and the tools mandate_*. Off: the three routes answer 404, the tools are not listed and a call is refused as not available. Mandates over HTTP are not behind it.',
    }),
    publicWebBase,
    publicApiBase: setting({
      env: 'HUB_PUBLIC_API_BASE',
      schema: z.url(),
      default: null,
      doc: 'Address of the API that the door prints. Unset: SVC_PUBLIC_URL.',
    }),
    walletLinks: setting({
      env: 'HUB_LINKS_FROM_NW',
      schema: list.pipe(z.array(z.url({ protocol: /^https$/ })).max(20)),
      default: null,
      doc: 'Links from the data service to the wallet, https addresses separated by commas; /discovery lists them as links.wallet.',
    }),
    securityContacts: setting({
      env: 'SVC_SECURITY_CONTACT',
      schema: list.pipe(
        z
          .array(z.string().regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:\+[\d-]+)$/))
          .min(1)
          .max(5),
      ),
      default: null,
      doc: 'Addresses that take reports of security problems, separated by commas: mailto:, https: or tel:. /.well-known/security.txt prints them. Unset: it answers 404.',
    }),
    host: setting({
      env: 'SVC_HOST',
      schema: z.string(),
      default: '127.0.0.1',
      doc: 'Address that the public port listens on.',
    }),
    port: setting({
      env: 'SVC_PORT',
      schema: z.coerce.number().int().min(0).max(65_535),
      default: '8080',
      doc: 'Public port; 0 selects a free one.',
    }),
    publicUrl: setting({
      env: 'SVC_PUBLIC_URL',
      schema: z.url(),
      default: 'http://127.0.0.1:8080',
      doc: 'Address under which clients reach the API; never taken from a request.',
    }),
    redisUrl: setting({
      env: 'SVC_REDIS_URL',
      schema: z.string().startsWith('redis'),
      default: 'redis://127.0.0.1:6379',
      secret: true,
      doc: 'Redis that stores the rate windows.',
    }),
    trustedProxies: setting({
      env: 'SVC_TRUSTED_PROXIES',
      schema: list,
      default: '',
      doc: 'Proxies whose X-Forwarded-For is trusted: addresses or networks, separated by commas; default: no proxy.',
    }),
    webOrigins: setting({
      env: 'SVC_WEB_ORIGINS',
      schema: list,
      default: '',
      doc: 'Origins that may use routes with a credential from a browser, separated by commas.',
    }),
    dailyFree: setting({
      env: 'SVC_DAILY_LIMIT_FREE',
      schema: count,
      default: '100',
      doc: 'Maximum requests per day on Free.',
    }),
    dailyTier1: setting({
      env: 'SVC_DAILY_LIMIT_TIER1',
      schema: count,
      default: '5000',
      doc: 'Maximum requests per day on Tier 1.',
    }),
    dailyTier2: setting({
      env: 'SVC_DAILY_LIMIT_TIER2',
      schema: count,
      default: '50000',
      doc: 'Maximum requests per day on Tier 2.',
    }),
    accountPerMinute: setting({
      env: 'SVC_ACCOUNT_LIMIT_MINUTE',
      schema: count,
      default: '60',
      doc: 'Maximum calls per minute and account for keys, sessions and the subscription; these do not count as daily requests.',
    }),
    hubReadsPerMinute: setting({
      env: 'SVC_HUB_READ_LIMIT_MINUTE',
      schema: count,
      default: '600',
      doc: 'Maximum reads under /hub per minute and account.',
    }),
    hubWritesPerMinute: setting({
      env: 'SVC_HUB_WRITE_LIMIT_MINUTE',
      schema: count,
      default: '60',
      doc: 'Maximum writes under /hub per minute and account.',
    }),
    hubExitsPerMinute: setting({
      env: 'SVC_HUB_EXIT_LIMIT_MINUTE',
      schema: count,
      default: '120',
      doc: 'Maximum exits of an owner under /hub per minute and account; counted separately from all other calls.',
    }),
    openPerMinute: setting({
      env: 'SVC_OPEN_LIMIT_MINUTE',
      schema: count,
      default: '60',
      doc: 'Maximum requests without a credential per minute and client address.',
    }),
    openPerDay: setting({
      env: 'SVC_OPEN_LIMIT_DAY',
      schema: count,
      default: '1000',
      doc: 'Maximum requests without a credential per day and client address.',
    }),
    pagesPerMinute: setting({
      env: 'SVC_PAGES_LIMIT_MINUTE',
      schema: count,
      default: '600',
      doc: 'Maximum requests for the human pages and their parts per minute and client address; counted separately from calls.',
    }),
    accessLogShare: setting({
      env: 'SVC_ACCESS_LOG_SHARE',
      schema: z.coerce.number().min(0).max(1),
      default: '1',
      doc: 'Share of successful answers in the access log, 0 to 1; refusals and failures are always logged. All lines have level info: SVC_LOG_LEVEL=warn turns them off.',
    }),
    version: setting({
      env: 'SVC_VERSION',
      schema: z.string().max(40),
      default: '0.1.0',
      doc: 'Version printed in the documents.',
    }),
  },
})
