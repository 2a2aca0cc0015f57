export { agentEnvironment, type EnvironmentInput, runVariable } from './environment.ts'
export {
  type EndSignal,
  type InterruptHandler,
  type InterruptHost,
  installInterruptHandler,
} from './interrupt.ts'
export { defaultLimits, defaultTimeoutMs, type RunLimits } from './limits.ts'
export type { ProcessDetails, ProcessEntry, ProcessTable } from './process-table.ts'
export { runScenario } from './run-scenario.ts'
export type * from './types.ts'
