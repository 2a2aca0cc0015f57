import { gunzipSync } from 'node:zlib'
import { LICENCES_FILE } from './licences.mjs'

/** The files of an npm tarball: path below the package to its text. Long names are spelt in parts. */
export function filesOf(data) {
  const tar = gunzipSync(data)
  const files = new Map()
  const field = (at, from, to) => tar.toString('utf8', at + from, at + to).replace(/\0.*$/s, '')
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(field(at, 124, 136), 8)
    const prefix = field(at, 345, 500)
    const name = field(at, 0, 100)
    const path = prefix === '' ? name : `${prefix}/${name}`
    const kind = field(at, 156, 157)
    if (kind === '' || kind === '0') {
      files.set(path.replace(/^package\//, ''), tar.toString('utf8', at + 512, at + 512 + size))
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

/** What must not be published, or must be and is not; a line each. */
export function tarballProblems(data) {
  const files = filesOf(data)
  const problems = ['LICENSE', 'README.md', 'package.json']
    .filter((name) => !files.has(name))
    .map((name) => `${name} is missing`)
  for (const [path, text] of files) {
    if (/(?:^|\/)(?:tests?|src)\//.test(path) || /\.test\.|tsbuildinfo$/.test(path)) {
      problems.push(`${path}: is not for users`)
    }
    if (/(?:^|[\s"'(=])\/(?:home|Users|root|work|tmp\/dsh)\//.test(text)) {
      problems.push(`${path}: names a path of the machine that built it`)
    }
    if (path.endsWith('.map')) problems.push(...mapProblems(path, text))
    if (path === 'package.json') problems.push(...manifestProblems(text))
  }
  return problems
}

/**
 * Licences that a tarball has to have, since it holds what they are for, and has not; a line each.
 *
 * @param {Uint8Array} data
 * @param {readonly string[]} licences as `licencesOf` gives them
 */
export function licenceProblems(data, licences) {
  const text = filesOf(data).get(LICENCES_FILE) ?? ''
  return licences
    .filter((licence) => !text.includes(licence))
    .map((licence) => `${LICENCES_FILE}: the licence of ${licence.split('\n')[0]} is missing`)
}

/** A map is of use only where its sources are in it or beside it, and these are not beside it. */
function mapProblems(path, text) {
  const { sources, sourcesContent = [] } = JSON.parse(text)
  return sources
    .filter((_, index) => typeof sourcesContent[index] !== 'string')
    .map((source) => `${path}: its source ${source} is not there`)
}

function manifestProblems(text) {
  const { dependencies = {}, license, engines, description } = JSON.parse(text)
  return [
    ...Object.entries(dependencies)
      .filter(([, range]) => /^(?:workspace|file|link):/.test(range))
      .map(([name, range]) => `package.json: ${name} is ${range}`),
    ...Object.entries({ license, engines, description })
      .filter(([, value]) => value === undefined)
      .map(([key]) => `package.json: no ${key}`),
  ]
}
