export * from './wire-process.ts'
