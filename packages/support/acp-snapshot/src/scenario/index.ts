export * from './input.ts'
export * from './list.ts'
export * from './load.ts'
export type * from './types.ts'
