import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addressOf, pages } from '@svc/web/routes'
import { chromium } from 'playwright-core'
import { LANGS, openCamera, settle, signInOwner, type Lang } from './camera.ts'
import { scenesOf, type Scene } from './scenes.ts'
import { useWorld } from './use-world.ts'
import type { WebWorld } from './web-world.ts'

/** Which pictures are made. */
interface Wanted {
  readonly folder: string
  /** Beginnings of the names of scenes, and languages; none of a kind: all. */
  readonly only: readonly string[]
}

/** Takes every scene in every size, theme and language; returns how many pictures there are, and what failed. */
async function takeShots(world: WebWorld, { folder, only }: Wanted): Promise<{ taken: number; failed: string[] }> {
  const browser = await chromium.connect(world.browser)
  const names = only.filter((word) => !LANGS.some((lang) => lang === word))
  const langs = LANGS.filter((lang) => only.includes(lang) || names.length === only.length)
  const scenes = scenesOf(world).filter(({ name }) => names.length === 0 || names.some((one) => name.startsWith(one)))
  const failed: string[] = []
  let taken = 0
  const owner = world.history.mandates[0]?.owner ?? 0
  const take = async ({ name, signedIn, play }: Scene, lang: Lang) => {
    const film = { browser, world, folder, lang, onShot: () => (taken += 1) }
    const camera = await openCamera(film, signedIn ? owner : null)
    await play(camera, lang)
      .catch(async (error: unknown) => {
        failed.push(`${name} in ${lang}: ${String(error)}`)
        await camera.page.screenshot({ path: join(folder, `failed-${name}-${lang}.png`) })
      })
      .finally(camera.close)
  }
  // Two languages at a time: one page paints while the other waits for its answers.
  await Promise.all(
    langs.map(async (lang) => {
      for (const scene of scenes) await take(scene, lang)
    }),
  )
  await browser.close()
  return { taken, failed }
}

/** Takes the two pictures of the README: the first page, and a mandate at work. */
async function takeReadme(world: WebWorld, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true })
  const browser = await chromium.connect(world.browser)
  const context = await browser.newContext({
    viewport: { width: 1120, height: 640 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const [mandate] = world.history.mandates
  await signInOwner(context, world, mandate?.owner ?? 0)
  const page = await context.newPage()
  const wanted = { home: pages.home, mandate: addressOf('mandate', { id: mandate?.publicId ?? '' }) }
  for (const [name, path] of Object.entries(wanted)) {
    await page.goto(`${world.url}${path}`)
    await settle(page)
    if (name === 'mandate') {
      await page.getByText('all', { exact: true }).first().click()
      await settle(page)
    }
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
  await browser.close()
  return Object.keys(wanted).length
}

if (import.meta.main) {
  const only = process.argv.slice(2).filter((word) => word !== '--readme')
  await useWorld(async (world) => {
    const started = performance.now()
    if (process.argv.includes('--readme')) {
      const folder = join(process.cwd(), 'docs/pictures')
      console.log(`${await takeReadme(world, folder)} pictures in ${folder}`)
      return
    }
    const folder = join(process.cwd(), 'test-results/shots')
    const { taken, failed } = await takeShots(world, { folder, only })
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${taken} pictures in ${folder}, ${seconds} s`)
    for (const one of failed) console.log(`failed: ${one}`)
    if (failed.length > 0) process.exitCode = 1
  })
}
