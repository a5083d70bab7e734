import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@svc/contract'
import { freePort } from '@svc/servers'
import { openDemoWallet } from '../dev/demo-wallet/open.ts'
import { keepHistory, runnerSettings } from '../dev/history/kept.ts'
import { beginningOf, playHistory } from '../dev/history/play.ts'
import { NO_LIMITS } from '../dev/no-limits.ts'
import { preparePlatform } from '../dev/platform.ts'
import { SERVICES, startInProcess } from '../dev/services.ts'
import { buildPages } from './build.ts'
import { startChromium } from './chromium.ts'
import type { WebWorld } from './web-world.ts'

/** `WEB_PREACT=1` serves the same source built with Preact. */
const BUILD = { preact: process.env['WEB_PREACT'] === '1' }
/** Enough for a ranked agent, an ended mandate and a newcomer. */
const SIZE = { agents: 4, days: 15 }
/** Browser tests come from one address and do the work of many people. */
const PLENTY: Environment = {
  ...NO_LIMITS,
  SVC_PAGES_LIMIT_MINUTE: '1000000',
  SVC_LOG_LEVEL: 'error',
}

interface OpenWorld {
  readonly world: WebWorld
  /** Builds the pages anew and serves them. */
  serveAgain(): Promise<void>
  stop(): Promise<void>
}

/** Starts the product and the Chromium. */
async function openWorld(onStep: (step: string) => void): Promise<OpenWorld> {
  const building = buildPages(BUILD)
  const browser = await startChromium()
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-web-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const appOrigin = `http://127.0.0.1:${await freePort()}`
  const platform = await preparePlatform({
    dataDir,
    publicUrl: url,
    durable: false,
    chain: true,
    chainSince: beginningOf(SIZE, new Date()),
    leg: true,
    onStep,
  })
  const history = await playHistory(platform, { size: SIZE, onStep })
  keepHistory(platform.servers.folder, history)
  await building
  onStep('services')
  const more: Environment = {
    ...runnerSettings(history),
    ...PLENTY,
    SVC_PORT: String(port),
    SVC_GATEWAY_URL: url,
    SVC_WEB_ORIGINS: appOrigin,
  }
  const others = await startInProcess(platform, () => more, { services: SERVICES.filter((name) => name !== 'gateway') })
  const { chain } = platform
  if (chain === null) throw new Error('the world of the pages has no chain')
  const demo = openDemoWallet(platform, chain, { webOrigin: url, baseUrl: url })
  const { extend } = demo
  const openGateway = () =>
    startInProcess(platform, () => more, { services: ['gateway'], overridesOf: () => ({ extend }) })
  let gateway = await openGateway()
  onStep('the demo agent and its owner')
  const { id: demoAgent } = await demo.enrol()
  return {
    world: {
      url,
      browser: browser.wsEndpoint(),
      appOrigin,
      chain: chain.url,
      dataDir,
      deploymentFile: chain.deploymentFile,
      history,
      demoAgent,
    },
    serveAgain: async () => {
      await buildPages(BUILD)
      await gateway.stop()
      gateway = await openGateway()
    },
    stop: async () => {
      await browser.close()
      await demo.stop()
      await gateway.stop()
      await others.stop()
      await platform.servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Whoever started this process hears its words, or reads them. */
const tell = (message: unknown) => void process.send?.(message)
const started = performance.now()
const { world, serveAgain, stop } = await openWorld((step) => {
  if (process.send === undefined)
    console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${step}`)
})
tell(world)
const [file] = process.argv.slice(2)
if (file !== undefined) {
  writeFileSync(file, JSON.stringify(world))
  console.log(`${world.url}/ui is ready. Tests use this world with WEB_WORLD=${file}; Ctrl-C stops it.`)
  console.log(`kill -USR2 ${process.pid} builds the pages anew and serves them.`)
  process.on('SIGUSR2', () => {
    serveAgain().then(
      () => console.log('built and served'),
      (error: unknown) => console.log(error instanceof Error ? error.message : String(error)),
    )
  })
}

let stopping: Promise<void> | null = null
function end(): void {
  stopping ??= stop().finally(() => process.exit(0))
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
process.on('disconnect', end)
