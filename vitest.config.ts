import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

// `.ci/run` adds up these reports; each run of Vitest leaves one of its own.
const reportDir = process.env.DSH_TEST_REPORT
const report: ['json', { outputFile: string }][] = reportDir
  ? [['json', { outputFile: join(reportDir, `${process.pid}.json`) }]]
  : []

const exclude = [...configDefaults.exclude, '**/.stryker-tmp/**']

const globalSetup = [join(import.meta.dirname, 'scripts/lib/own-temp.ts')]

// Sources run under the unit project only; subprocess tiers use the built output, as users do.
const conditions = ['dsh-source', 'node', 'import', 'default']

export const unit = {
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  test: {
    name: 'unit',
    globalSetup,
    include: ['packages/*/*/tests/**/*.test.ts', 'scripts/tests/**/*.test.ts'],
    exclude: [...exclude, '**/*.process.test.ts'],
    testTimeout: 20_000,
  },
}

export default defineConfig({
  test: {
    reporters: ['default', ...report],
    projects: [
      unit,
      {
        test: {
          name: 'process',
          globalSetup,
          include: ['packages/*/*/tests/**/*.process.test.ts', 'examples/*/tests/**/*.test.ts'],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/*/src/**/*.ts'],
      reporter: ['text-summary', 'json'],
      thresholds: { perFile: true, statements: 100, branches: 100, functions: 100, lines: 100 },
    },
  },
})
