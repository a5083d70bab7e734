import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type * as Sdk from '@svc/sdk'
import { builtSdk, buildSdk } from '@svc/tools/sdk/build.ts'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { build } from 'vite'
import { openCutProxy, type CutProxy } from '../cut-proxy.ts'
import { world } from '../rig.ts'
import { installWallets } from '../wallet-provider.ts'

declare global {
  /** The SDK, as the page of another site loads it. */
  var sdk: typeof Sdk
  function cutStream(): Promise<void>
}

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-page-'))
let browser: Browser
let proxy: CutProxy
let site: Server | null = null

/** Returns the packed SDK as one script that sets `sdk`. */
async function bundled(): Promise<string> {
  await buildSdk()
  await run('npm', ['pack', builtSdk, '--pack-destination', folder, '--silent'], { cwd: folder })
  const installed = join(folder, 'node_modules/@svc/sdk')
  mkdirSync(installed, { recursive: true })
  const [packed = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  await run('tar', ['-xzf', join(folder, packed), '-C', installed, '--strip-components=1'])
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    build: {
      write: false,
      minify: true,
      lib: { entry: join(installed, 'index.js'), formats: ['iife'], name: 'sdk' },
    },
  })
  const [output] = [made].flat()
  const [chunk] = output !== undefined && 'output' in output ? output.output : []
  return chunk?.type === 'chunk' ? chunk.code : ''
}

/** Serves a page of another site at a port of this machine. */
async function serveSite(port: number, script: string): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/sdk.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Another site</title><script src="/sdk.js"></script>')
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  site = server
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Opens a page of another site in a visit with a wallet. */
async function visit(site: string): Promise<Page> {
  const context = await browser.newContext()
  await installWallets(context, world, [{}])
  await context.exposeFunction('cutStream', () => proxy.cut())
  const page = await context.newPage()
  await page.goto(site)
  return page
}

let script: string
beforeAll(async () => {
  ;[script, browser, proxy] = await Promise.all([bundled(), chromium.connect(world.browser), openCutProxy(world.url)])
})
afterEach(() => {
  site?.closeAllConnections()
  site?.close()
})
afterAll(async () => {
  await Promise.all([browser.close(), proxy.stop()])
  rmSync(folder, { recursive: true })
})

test('a page of a listed origin signs in, reads, is refused, and follows a feed across a break with the packed SDK', async () => {
  const page = await visit(await serveSite(Number(new URL(world.appOrigin).port), script))
  const seen = await page.evaluate(
    async ({ baseUrl, host }) => {
      const found = new Promise<Sdk.Signer>((resolve) => {
        addEventListener('eip6963:announceProvider', (event) => resolve((event as CustomEvent).detail.provider), {
          once: true,
        })
      })
      dispatchEvent(new Event('eip6963:requestProvider'))
      const visitor = sdk.createClient({ baseUrl })
      const session = await sdk.signIn(visitor, await found, { host })
      const owner = visitor.as({ session })
      const { items } = await owner.api.listMandates()
      const refusal = await owner.api.subscribe({ tier: 2, months: 1 }).catch((error: unknown) => error)
      const feed_key = 'arbitrage_2cex'
      await owner.api.subscribeFeed({ feed_key })
      const ids: number[] = []
      for await (const { seq } of owner.follow('followFeed', { feed_key }) as AsyncIterable<{ seq: number }>) {
        ids.push(seq)
        if (ids.length === 1) await cutStream()
        if (ids.length === 2) break
      }
      const { name, code, status } = refusal as Sdk.RefusalError
      return { mandates: items.length, refusal: { name, code, status }, ids }
    },
    { baseUrl: proxy.url, host: new URL(world.url).host },
  )
  expect(seen).toMatchObject({
    mandates: 0,
    refusal: { name: 'RefusalError', code: 'insufficient_cherry', status: 402 },
  })
  const [first = 0] = seen.ids
  expect(seen.ids).toEqual([first, first + 1])
  expect(proxy.resumedBehind).toEqual(['', String(first)])
})

test('a page of a listed origin may call the tools, with the headers of the protocol', async () => {
  const page = await visit(await serveSite(Number(new URL(world.appOrigin).port), script))
  const seen = await page.evaluate(async (url) => {
    const version = '2026-07-28'
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': 'tools/call',
        'mcp-name': 'prices',
        'x-svc-user-key': 'svc_0',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'prices',
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    return { status: answer.status, text: await answer.text() }
  }, `${world.url}/mcp?profile=core`)
  expect(seen).toMatchObject({ status: 200, text: expect.stringContaining('"structuredContent"') })
})

test('a page of any other origin reads what is open; a call with a credential gets no answer that it may see', async () => {
  const page = await visit(await serveSite(0, script))
  const seen = await page.evaluate(async (baseUrl) => {
    const { api } = sdk.createClient({ baseUrl, triesMax: 1 })
    const { payout_point_price } = await api.readPrices()
    const keyed = sdk.createClient({ baseUrl, triesMax: 1, apiKey: 'svc_0' })
    const unseen = await keyed.api.readBalance().catch((error: unknown) => error)
    return { priced: payout_point_price > 0, unseen: (unseen as Error).name }
  }, world.url)
  expect(seen).toEqual({ priced: true, unseen: 'NoAnswerError' })
})
