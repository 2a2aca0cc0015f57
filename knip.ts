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
    '.': { entry: ['scripts/*.mjs'], project: ['scripts/**'] },
    'packages/*/*': {},
    'examples/*': { entry: ['cordis*.yml', 'tests/**/*.test.ts'] },
    bench: { entry: ['*.ts'] },
  },
}

export default config
