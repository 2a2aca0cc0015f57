export * from './error.ts'
export * from './script/load.ts'
export * from './server/start.ts'
export * from './types.ts'
