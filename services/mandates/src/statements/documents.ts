import { openRenderer } from '@svc/report-drawing/renderer'
import { openFiles, type Bus, type Files } from '@svc/service'
import type { StatementInputs } from './statement-pdf.ts'

/** Files for download. */
export interface Documents {
  /** Draws statements as a PDF. */
  drawStatement(inputs: StatementInputs): Promise<Uint8Array>
  /** Stores a file; it replaces an earlier file of the same name. */
  store(name: string, data: Uint8Array): ReturnType<Files['put']>
  /** Ends the drawing thread. */
  close(): Promise<void>
}

/** Starts the drawing thread. The object store is opened with the first file. */
export function openDocuments(bus: Bus): Documents {
  const renderer = openRenderer<StatementInputs, Uint8Array>(
    new URL('./statement-pdf.ts', import.meta.url),
    'statementPdf',
    { what: 'statements', threadsMax: 1, waitingMax: 100 },
  )
  let files: Promise<Files> | null = null
  return {
    drawStatement: (inputs) => renderer.draw(inputs),
    store: async (name, data) => {
      files ??= openFiles(bus, 'mandate-files')
      return (await files).put(name, data)
    },
    close: () => renderer.close(),
  }
}
