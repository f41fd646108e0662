/** The pages behind the sign-in as one piece, loaded when the first of them is asked for: who uploads goes on to predict. */
export { PromptPage } from '#web/routes/prompt/prompt-page.tsx'
export { ResultsHeaderSlot, ResultsPage } from '#web/routes/results/results-page.tsx'
export { PageFrame } from './header.tsx'
