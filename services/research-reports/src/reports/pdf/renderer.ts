import { openRenderer, type Renderer } from '@svc/report-drawing/renderer'
import type { MadePdf } from './document.ts'

/** Opens a renderer that draws reports in threads. */
export const openReportRenderer = (): Renderer<string, MadePdf> =>
  openRenderer(new URL('./document.ts', import.meta.url), 'makePdf', {
    what: 'reports',
    threadsMax: 2,
    waitingMax: 200,
    keepsWarm: true,
  })
