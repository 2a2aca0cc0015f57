export * from './harvest.ts'
export * from './order.ts'
