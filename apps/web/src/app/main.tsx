/** Starts the client: watches the page's closing, validates the stored key, draws. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchPageClose } from '#web/lib/page-close.ts'
import { startSession } from '#web/lib/session.ts'
import '#web/ui/theme/styles.ts'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

watchPageClose()
void startSession()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
