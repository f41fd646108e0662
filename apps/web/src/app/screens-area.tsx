/** The pages of screens as one piece, loaded when the first of them is asked for. */
export { NewScreenPage } from '#web/routes/screens/new-screen-page.tsx'
export { ReportPage } from '#web/routes/screens/report-page.tsx'
export { ScreenPage } from '#web/routes/screens/screen-page.tsx'
export { ScreensPage } from '#web/routes/screens/screens-page.tsx'
