export { EXIT, type CliHost, type ExitCode } from './cli/host.ts'
export { main } from './cli/main.ts'
