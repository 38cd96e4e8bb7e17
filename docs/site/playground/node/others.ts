import { dequal } from 'dequal'

/** The other functions of Node that the core names. */

export const isDeepStrictEqual = dequal

export const fileURLToPath = (url: string | URL): string => new URL(url).pathname
export const pathToFileURL = (path: string): URL => new URL(`file://${path}`)

/** Modules that the core requires when it needs them, by their names. */
const modules = new Map<string, unknown>()
export const addModule = (name: string, module: unknown): void => void modules.set(name, module)

export const createRequire = () => (name: string) => {
  if (modules.has(name)) return modules.get(name)
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

export const setImmediate = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve))

const notHere = (what: string) => () => {
  throw new Error(`${what} is not in the playground`)
}
/** Only files of pictures are compressed, and fonts of packages that the page does not have. */
export const deflateSync = notHere('compression')
export const deflateRawSync = deflateSync
export const inflateSync = deflateSync
export const brotliDecompressSync = deflateSync
export const constants = {}
export const PNG = { sync: { read: notHere('a picture from a PNG file'), write: notHere('a PNG file') } }

// biome-ignore lint/style/noDefaultExport: the modules of Node have one.
export default { deflateSync, deflateRawSync, inflateSync, brotliDecompressSync, constants }
