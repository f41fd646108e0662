/** The pages of screens in one module, loaded when the first of them is opened. */
export { NewScreenPage } from '#web/routes/screens/new-screen-page.tsx'
export { ReportPage } from '#web/routes/screens/report-page.tsx'
export { ScreenArea } from '#web/routes/screens/screen-area.tsx'
export { ScreenPage } from '#web/routes/screens/screen-page.tsx'
export { ScreensPage } from '#web/routes/screens/screens-page.tsx'
