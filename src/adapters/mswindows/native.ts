import koffi, { type LibraryHandle, type TypeObject } from 'koffi'

/** A type of C as koffi names it. */
export type NativeType = string | TypeObject

/** A library of Windows, whose functions koffi calls. */
export interface WindowsLibrary {
  /** A function by its name, the type of its result and the types of its arguments. */
  func<F extends (...args: never[]) => unknown>(name: string, result: NativeType, args: readonly NativeType[]): F
  /** A function that is called on another thread. */
  funcAsync<F extends (...args: never[]) => Promise<unknown>>(
    name: string,
    result: NativeType,
    args: readonly NativeType[],
  ): F
  /** The address of a function. */
  address(name: string): bigint
}

/**
 * Functions are called with at least this many arguments. The callee ignores those it does not have. Wine's entries of system
 * calls read stack arguments that their function may not have, and koffi's own stack ends where its arguments end.
 */
const MIN_ARGUMENTS = 14

/** Loads a library of Windows such as `user32.dll`. */
export function loadLibrary(file: string): WindowsLibrary {
  const library: LibraryHandle = koffi.load(file)
  const padded = (name: string, result: NativeType, args: readonly NativeType[]) => {
    const padding = Math.max(0, MIN_ARGUMENTS - args.length)
    const call = library.func(name, result, [...args, ...Array<NativeType>(padding).fill('size_t')])
    return { call, zeros: Array<number>(padding).fill(0) }
  }
  return {
    func<F extends (...args: never[]) => unknown>(name: string, result: NativeType, args: readonly NativeType[]): F {
      const { call, zeros } = padded(name, result, args)
      return ((...given: unknown[]) => call(...given, ...zeros)) as unknown as F
    },
    funcAsync<F extends (...args: never[]) => Promise<unknown>>(
      name: string,
      result: NativeType,
      args: readonly NativeType[],
    ): F {
      const { call, zeros } = padded(name, result, args)
      return ((...given: unknown[]) =>
        new Promise((resolve, reject) => {
          call.async(...given, ...zeros, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value)))
        })) as unknown as F
    },
    address: (name) => BigInt(koffi.address(library.symbol(name, 'void *'))),
  }
}

/** The text in a buffer of UTF-16, up to its end or a number of units. */
export function decodeWideText(buffer: Buffer, units?: number): string {
  const text = buffer.toString('utf16le', 0, units === undefined ? undefined : units * 2)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

/** A text as UTF-16 with an end. */
export const wideText = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le')
