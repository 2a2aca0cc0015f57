export * from './normaliser.ts'
export * from './recording.ts'
export type * from './types.ts'
