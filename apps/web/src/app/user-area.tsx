/** The pages behind the sign-in in one module, loaded with the first of them. */
import '#web/ui/theme/pages.css'
export { PromptPage } from '#web/routes/prompt/prompt-page.tsx'
export { ResultsPage } from '#web/routes/results/results-page.tsx'
export { PageFrame } from './header.tsx'
