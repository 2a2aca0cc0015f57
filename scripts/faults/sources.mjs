import { regionsOf } from './regions.mjs'
import { sitesOf } from './sites.mjs'
import { bundled, reachBanner, reaching, readSource, sourceFiles } from './tree.mjs'

/** Where faults are drawn: the packages of each area, and of the harness what replay goes through. */
export const DRAWN_FROM = [
  { area: 'loop', package: 'core/agent' },
  { area: 'subagents', package: 'subagent/subagent' },
  { area: 'subagents', package: 'subagent/subagent-in-process' },
  { area: 'replay', package: 'support/llm-replay' },
  { area: 'harness', package: 'support/acp-snapshot' },
]

/** How many faults are drawn of each area. */
export const DRAWN = { loop: 10, subagents: 6, replay: 10, harness: 10 }

/**
 * @param {string} root
 * @returns {import('./draw.mjs').SourceSites[]}
 */
export function allSites(root) {
  return DRAWN_FROM.flatMap(({ area, package: folder }) =>
    sourceFiles(root, folder).map((file) => {
      const source = readSource(root, folder, file)
      return { area, package: folder, file, source, sites: sitesOf(file, source) }
    }),
  )
}

/** The packages of `DRAWN_FROM`, built so that they tell in a file which regions ran. */
export function markedBundles(root, reachFile) {
  const banner = reachBanner(reachFile)
  return Promise.all(
    DRAWN_FROM.map(async ({ package: folder }) => {
      const texts = new Map(
        sourceFiles(root, folder).map((file) => {
          const source = readSource(root, folder, file)
          return [file, reaching(source, regionsOf(file, source), folder, file)]
        }),
      )
      return { folder, files: await bundled(root, folder, texts, { banner }) }
    }),
  )
}

/**
 * Keeps the sites that a run went through. Module level runs whenever its module does.
 *
 * @param {readonly import('./draw.mjs').SourceSites[]} sources
 * @param {string} reached what `markedBundles` wrote
 * @returns {{ sources: import('./draw.mjs').SourceSites[], all: number, kept: number }}
 */
export function reachedSites(sources, reached) {
  const seen = new Set(reached.split('\n'))
  let all = 0
  let kept = 0
  const left = sources.map((source) => {
    const prefix = `${source.package} ${source.file}`
    const runs = [...seen].some((line) => line.startsWith(`${prefix} `))
    const sites = source.sites.filter(({ region }) =>
      region < 0 ? runs : seen.has(`${prefix} ${region}`),
    )
    all += source.sites.length
    kept += sites.length
    return { ...source, sites }
  })
  return { sources: left, all, kept }
}
