import { patched } from './patch.mjs'
import { randomOf, shuffled } from './random.mjs'
import { changeOf } from './sites.mjs'

/**
 * @typedef {{ area: import('./types.ts').Area, package: string, file: string, source: string,
 *   sites: readonly import('./types.ts').Site[] }} SourceSites
 */

/**
 * Draws faults from sites: so many of each area, the same ones for the same seed and sources. At most
 * one of a region, so that one unlucky line does not stand for many.
 *
 * @param {readonly SourceSites[]} sources
 * @param {Readonly<Record<string, number>>} counts by area
 * @param {number} seed
 * @param {(source: string) => boolean} isValid whether a changed source still parses
 * @returns {import('./types.ts').Fault[]}
 */
export function drawFaults(sources, counts, seed, isValid) {
  const random = randomOf(seed)
  const faults = []
  for (const [area, count] of Object.entries(counts)) {
    const sites = sources
      .filter((source) => source.area === area)
      .flatMap((source) => source.sites.map((site) => ({ source, site })))
    const taken = new Set()
    for (const { source, site } of shuffled(sites, random)) {
      if (taken.size === count) break
      const key = `${source.package}/${source.file}#${site.region}`
      if (taken.has(key) || !isValid(patched(source.source, site))) continue
      taken.add(key)
      faults.push(faultAt(source, site))
    }
    if (taken.size < count) {
      throw new Error(`${area} has places for ${taken.size} faults, expected ${count}`)
    }
  }
  return faults
}

function faultAt({ area, package: name, file, source }, site) {
  const { start, end, replace, operator, line } = site
  const at = source.slice(source.lastIndexOf('\n', start - 1) + 1, start).length + 1
  return {
    name: `${name.split('/')[1]}/${file.replace(/^src\//, '')}:${line}:${at} ${operator}`,
    area,
    package: name,
    edits: [{ file, start, end, replace }],
    operator,
    change: changeOf(source, site),
  }
}
