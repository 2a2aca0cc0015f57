import type { KnipConfig } from 'knip'

// A composition names its plugins in YAML: `name: dsh-acp`. To knip these are imports.
const rowName = /\bname:\s*['"]?([^\s,'"}]+)/g

const config: KnipConfig = {
  compilers: {
    yml: (text: string): string =>
      [...text.matchAll(rowName)]
        .map((match) => match[1] ?? '')
        .filter((name) => !name.startsWith('cordis:'))
        .map((name) => `import '${name}'`)
        .join('\n'),
  },
  workspaces: {
    '.': { entry: ['scripts/*.mjs', 'scripts/lib/*.d.mts'], project: ['scripts/**'] },
    // The build points the bundled files at the vendored libraries; no source names them there.
    'packages/*/*': { ignoreDependencies: ['dsh-vendor'] },
    'packages/support/acp-snapshot': {
      entry: ['tests/agents/*.mjs'],
      ignoreDependencies: ['dsh-vendor'],
      ignoreBinaries: ['mkfifo'],
    },
    'packages/session/session-jsonl': {
      entry: ['tests/stress/check-heap.mjs'],
      ignoreDependencies: ['dsh-vendor'],
      ignoreBinaries: ['mkfifo'],
    },
    'packages/core/vendor': { ignoreDependencies: ['zod', '@agentclientprotocol/sdk'] },
    'examples/*': {
      entry: ['cordis*.yml', '*.js', 'tests/**/*.test.ts', 'tests/policy/*.js', 'tests/red/*.js'],
      ignoreBinaries: ['strace', 'unshare'],
    },
    bench: { entry: ['measures/*.mjs'] },
  },
}

export default config
