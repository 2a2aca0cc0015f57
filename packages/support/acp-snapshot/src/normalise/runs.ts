import type { Replacer } from './replacer.ts'
import { Settled } from './walk.ts'

/** Where a piece of a text stands: in which line, and where in the line's value. */
export interface PiecePlace {
  readonly line: number
  readonly path: readonly (string | number)[]
  readonly text: string
}

/**
 * One text that a stream cut into pieces. Its replacements are worked out when its first piece is
 * reached, so that ids count as seen where the text begins.
 */
class Run {
  readonly places: PiecePlace[] = []
  private normal: readonly string[] | undefined

  piece(index: number, replacer: Replacer): string {
    this.normal ??= replacer.pieces(this.places.map((place) => place.text))
    return this.normal[index] as string
  }
}

/** The pieces of a scenario's output, by line. */
export class Runs {
  private readonly all: Run[] = []
  private readonly byLine = new Map<number, { run: Run; index: number }[]>()

  /** Starts a text and returns how to add pieces to it. */
  open(): (place: PiecePlace) => void {
    const run = new Run()
    this.all.push(run)
    return (place) => {
      const own = this.byLine.get(place.line) ?? []
      own.push({ run, index: run.places.length })
      this.byLine.set(place.line, own)
      run.places.push(place)
    }
  }

  /** The texts, whole. */
  joined(): string[] {
    return this.wholes().map((whole) => whole.text)
  }

  /** The texts, whole, each with the place of its first piece. */
  wholes(): PiecePlace[] {
    return this.all.flatMap(({ places }) => {
      const [first] = places
      return first === undefined
        ? []
        : [{ ...first, text: places.map((place) => place.text).join('') }]
    })
  }

  /** A line's value with its pieces in normal form, closed to further looks. */
  settle(value: unknown, line: number, replacer: Replacer): unknown {
    const pieces = this.byLine.get(line)
    if (pieces === undefined) return value
    const copy: unknown = structuredClone(value)
    for (const { run, index } of pieces) {
      const { path } = run.places[index] as PiecePlace
      put(copy, path, new Settled(run.piece(index, replacer)))
    }
    return copy
  }
}

function put(root: unknown, path: PiecePlace['path'], leaf: Settled): void {
  let at = root as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as typeof at
  at[path.at(-1) as string | number] = leaf
}
