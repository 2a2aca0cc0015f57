export * from './wire-process.ts'
export * from './workbench.ts'
