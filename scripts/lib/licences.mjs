import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where a build leaves what went into each bundle, by the folder of the package; below the root. */
export const BUNDLES_FILE = 'node_modules/.cache/dsh-bundles.json'

/** Where a package keeps the licences of the code of others that it ships, below the package. */
export const LICENCES_FILE = 'dist/THIRD-PARTY-NOTICES.txt'

/**
 * The licence of each package of which a bundle holds something, below its name and version; sorted.
 *
 * @param {readonly string[]} inputs the files that went into the bundle
 * @param {string} base what they are relative to
 * @throws Error where a package comes without a licence text: then it must not be shipped
 */
export function licencesOf(inputs, base) {
  const dirs = new Set(inputs.flatMap((input) => packageDir(resolve(base, input)) ?? []))
  return [...dirs]
    .map((dir) => {
      const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
      const file = readdirSync(dir).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry))
      if (file === undefined) throw new Error(`${name}@${version} has no licence text in ${dir}`)
      const text = readFileSync(join(dir, file), 'utf8').trim()
      return `${name} ${version} (${license})\n\n${text}\n`
    })
    .toSorted()
}

/** The text of the file that has these licences. */
export function noticesText(licences) {
  return licences.join(`\n${'-'.repeat(80)}\n\n`)
}

/** The folder of the installed package in which a file lies; undefined for a file of our own. */
function packageDir(file) {
  const parts = file.split(/[\\/]/)
  const at = parts.lastIndexOf('node_modules')
  if (at === -1) return undefined
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/')
}
