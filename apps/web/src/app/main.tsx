/**
 * Starts the client: connects the session to the API client, watches for the page closing, validates the stored key,
 * renders.
 */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { fetchGoogleIdentityEarly } from '#web/features/auth/google-identity.ts'
import { watchPageClose } from '#web/features/auth/page-close.ts'
import { readKey, readPageId } from '#web/features/auth/session-key.ts'
import { startSession } from '#web/features/auth/session.ts'
import { callAs } from '#web/lib/api.ts'
import '#web/ui/theme/styles.ts'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

callAs({ readKey, readPageId })
watchPageClose()
void startSession()
if (location.pathname === '/' && readKey() === null) fetchGoogleIdentityEarly()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
