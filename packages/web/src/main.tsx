import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { copyPlainly } from './lib/plain-copy.ts'
import { watchReads } from './lib/reads.ts'
import { startSession } from './lib/session.ts'

startSession()
watchReads()
copyPlainly()

const place = document.getElementById('page')
if (place === null) throw new Error('the document has no place for the pages')
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
