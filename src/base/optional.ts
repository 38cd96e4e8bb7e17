import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Awaitable } from './async.ts'
import { Fault } from './fault.ts'

interface OptionalRow {
  /** The feature that needs the packages, as the subject of a sentence. */
  readonly feature: string
  /** The packages as `npm install` takes them. */
  readonly packages: readonly string[]
}

/** The optional packages, by feature. `package.json` lists them as optional peer dependencies. */
export const OPTIONAL = {
  ocr: { feature: 'text recognition', packages: ['tesseract.js@7', '@tesseract.js-data/eng@1'] },
  history: { feature: 'history on disk', packages: ['libsql@0.5'] },
  summaries: { feature: 'the summary model', packages: ['openai@6'] },
  tokens: { feature: 'the WindieOS protocol', packages: ['gpt-tokenizer@4'] },
  linux: { feature: 'the linux adapter', packages: ['x11@4', 'dbus-native@0.13'] },
  macos: { feature: 'the macos adapter', packages: ['koffi@3'] },
  windows: { feature: 'the windows adapter', packages: ['koffi@3'] },
  screenshots: { feature: 'screenshots of Windows and macOS', packages: ['node-screenshots@0.2'] },
  recording: { feature: 'recordings of OSWorld', packages: ['h264-mp4-encoder@1'] },
  queue: { feature: 'a queue of episodes', packages: ['bullmq@6', 'ioredis@5'] },
  japanese: { feature: 'Japanese text in pictures', packages: ['@fontsource-variable/noto-sans-jp@5'] },
  chinese: { feature: 'simplified Chinese text in pictures', packages: ['@fontsource-variable/noto-sans-sc@5'] },
  korean: { feature: 'Korean text in pictures', packages: ['@fontsource-variable/noto-sans-kr@5'] },
  emoji: { feature: 'emoji in pictures', packages: ['@fontsource/noto-color-emoji@5'] },
  embeddings: { feature: 'the local embedding model', packages: ['@huggingface/transformers@3'] },
} as const satisfies Record<string, OptionalRow>

export type OptionalFeature = keyof typeof OPTIONAL

/** The command that installs the packages of a feature. */
export const installCommand = (feature: OptionalFeature): string =>
  `npm install ${OPTIONAL[feature].packages.join(' ')}`

/**
 * Loads code that needs the packages of a feature. Throws `PlatformUnsupported` with the install command when one of them
 * is not installed; any other error passes through.
 */
export async function loadOptional<T>(feature: OptionalFeature, load: () => Awaitable<T>): Promise<T> {
  try {
    return await load()
  } catch (thrown) {
    const missing = OPTIONAL[feature].packages.map(packageName).find((name) => isMissing(thrown, name))
    if (missing === undefined) throw thrown
    throw new Fault(
      'PlatformUnsupported',
      `${OPTIONAL[feature].feature} needs the optional package ${missing}; run: ${installCommand(feature)}`,
      { package: missing },
    )
  }
}

const installed = new Map<OptionalFeature, boolean>()

/** Whether all packages of a feature are installed. */
export function isInstalled(feature: OptionalFeature): boolean {
  const known = installed.get(feature)
  if (known !== undefined) return known
  const { resolve } = createRequire(import.meta.url)
  // Packages of data have no code, only a description.
  const found = OPTIONAL[feature].packages.map(packageName).every((name) => {
    try {
      return resolve(`${name}/package.json`) !== ''
    } catch {
      return false
    }
  })
  installed.set(feature, found)
  return found
}

const NOT_FOUND: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'])

/** Node names the package in quotes, alone or with the path of a file in it. */
function isMissing(thrown: unknown, name: string): boolean {
  const { code, message } = thrown as NodeJS.ErrnoException
  return NOT_FOUND.has(code) && [`'${name}'`, `'${name}/`].some((quoted) => message.includes(quoted))
}

/** A package without its version. */
export const packageName = (spec: string): string => spec.slice(0, spec.lastIndexOf('@'))

/**
 * Imports a module that the user names by its path. The packaged program is a script, in which `import()` is a `require`:
 * `.ci/bundle.mjs` puts the import of this file into a file beside it.
 */
export const importFile = (path: string): Promise<unknown> => importUrl(pathToFileURL(resolve(path)).href)

const importUrl = (url: string): Promise<unknown> => import(url)
