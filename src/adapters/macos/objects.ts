import type { Point } from '../../desktop/model/geometry.ts'
import type { CfRef, MacFunctions } from './native.ts'

const UTF8 = 0x08000100
/** The number type `kCFNumberDoubleType`. */
const DOUBLE = 13
const MAX_BYTES_PER_UTF16_UNIT = 3
/** The types of values: a point and a size. Errors in lists of attributes are values too. */
export const POINT = 1
export const SIZE = 2
/** The message of an object without a value, such as an attribute that an element does not have. */
const NO_VALUE = undefined

/** A value of an attribute. A reference is an element, and a list has references of elements only. */
export type MacValue =
  | { readonly text: string }
  | { readonly number: number }
  | { readonly flag: boolean }
  | { readonly point: Point }
  | { readonly elements: readonly CfRef[] }
  | undefined

/** Releases what it owns when its work ends. Who calls a function that creates or copies must own the result. */
export interface Ownership {
  own(ref: CfRef): CfRef
}

/** Objects of Core Foundation as values. */
export type MacObjects = ReturnType<typeof macObjects>

/** Creates the conversions for a library. Strings for names are created once and released by `close`. */
export function macObjects(c: MacFunctions) {
  const names = new Map<string, CfRef>()

  const createText = (text: string): CfRef => c.createString(null, text, UTF8) as CfRef

  function readText(ref: CfRef): string {
    const bytes = Buffer.alloc(c.stringLength(ref) * MAX_BYTES_PER_UTF16_UNIT + 1)
    return c.readString(ref, bytes, bytes.length, UTF8) ? bytes.toString('utf8', 0, bytes.indexOf(0)) : ''
  }

  function readNumber(ref: CfRef): number {
    const out: number[] = [0]
    return c.readNumber(ref, DOUBLE, out) ? out[0]! : 0
  }

  function readPoint(ref: CfRef): Point | undefined {
    // A point and a size both have two doubles.
    const out: [{ x: number; y: number }] = [{ x: 0, y: 0 }]
    return c.readValue(ref, POINT, out) || c.readValue(ref, SIZE, out) ? out[0] : undefined
  }

  const items = (array: CfRef): readonly CfRef[] =>
    Array.from({ length: c.count(array) }, (_, index) => c.at(array, index))

  return {
    /** Runs work, then releases what it owns. */
    scope<T>(work: (owner: Ownership) => T): T {
      const owned: CfRef[] = []
      try {
        return work({
          own(ref) {
            owned.push(ref)
            return ref
          },
        })
      } finally {
        for (const ref of owned) c.release(ref)
      }
    },
    /** A string that lives as long as these objects. */
    name(text: string): CfRef {
      const known = names.get(text) ?? createText(text)
      names.set(text, known)
      return known
    },
    createText,
    items,
    readText,
    readNumber,
    /** Converts a value that something else owns. */
    read(ref: CfRef): MacValue {
      const type = Number(c.typeOf(ref))
      if (type === Number(c.types.string)) return { text: readText(ref) }
      if (type === Number(c.types.number)) return { number: readNumber(ref) }
      if (type === Number(c.types.boolean)) return { flag: c.readBoolean(ref) }
      if (type === Number(c.types.element)) return { elements: [ref] }
      if (type === Number(c.types.array))
        return { elements: items(ref).filter((item) => Number(c.typeOf(item)) === Number(c.types.element)) }
      const point = type === Number(c.types.value) ? readPoint(ref) : undefined
      return point ? { point } : NO_VALUE
    },
    close(): void {
      for (const ref of names.values()) c.release(ref)
      names.clear()
    },
  }
}
