export * from './describe-protein.ts'
export * from './draw-protein.ts'
