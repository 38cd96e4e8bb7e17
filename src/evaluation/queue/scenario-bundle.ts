import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { findScenario } from '../../compose/gallery.ts'
import { checkFile } from '../../compose/preview.ts'
import { SuiteError } from '../suite/load-suite.ts'

/** The texts of a scenario and of the files that it includes, and the pictures that it shows, so that a machine without them can play it. */
export interface ScenarioBundle {
  /** A SHA-256 of `text`. */
  readonly hash: string
  /** The bundle as JSON. */
  readonly text: string
}

const MAX_FILES = 1000
const MAX_CHARACTERS = 16_000_000
/** The longest bundle, with what JSON and UTF-8 add to its characters. */
export const MAX_BUNDLE_BYTES = 100_000_000

/** A path below a folder: plain names with slashes between them. */
const PlainPath = z
  .string()
  .max(500)
  .refine(
    (path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part)),
    'a path below the folder of the scenario',
  )

const Bundle = z.strictObject({
  /** The scenario itself. */
  main: PlainPath,
  files: z
    .array(
      z.union([
        z.strictObject({ path: PlainPath, text: z.string().max(MAX_CHARACTERS) }),
        z.strictObject({ path: PlainPath, base64: z.base64().max(MAX_CHARACTERS) }),
      ]),
    )
    .min(1)
    .max(MAX_FILES),
})

/** Reads a scenario file and all that it includes. Throws a `SuiteError` when they are too large to be sent. */
export async function bundleScenario(file: string): Promise<ScenarioBundle> {
  const main = findScenario(file)
  const paths = new Set([main])
  await checkFile(main, (path) => paths.add(path))
  const files = [...paths].toSorted().map((path) => ({
    path: relative(dirname(main), path).replaceAll('\\', '/'),
    ...contentOf(readFileSync(path)),
  }))
  const size = files.reduce((sum, { text = '', base64 = '' }) => sum + text.length + base64.length, 0)
  if (files.length > MAX_FILES || size > MAX_CHARACTERS)
    throw new SuiteError(
      `${file} has ${files.length} files with ${size} characters; a queue takes ${MAX_FILES} and ${MAX_CHARACTERS}`,
    )
  const bundle = Bundle.safeParse({ main: basename(main), files })
  if (!bundle.success) throw new SuiteError(`${file} cannot be sent to a queue:\n${describeIssues(bundle.error)}`)
  const text = JSON.stringify(bundle.data)
  return { hash: hashOfBundle(text), text }
}

/** The content of a file as text, otherwise as base64. */
function contentOf(bytes: Buffer): { readonly text?: string; readonly base64?: string } {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') }
}

const hashOfBundle = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Writes the files of a bundle into an empty folder.
 * @returns The path of the scenario.
 * @throws An error when the text is not that of the hash, or has a path outside of the folder.
 */
export function unpackScenario({ hash, text }: ScenarioBundle, folder: string): string {
  if (hashOfBundle(text) !== hash) throw new Error('the scenario in the queue is not the one that its job names')
  const { main, files } = Bundle.parse(JSON.parse(text))
  for (const { path, ...content } of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const bytes = 'text' in content ? content.text : Buffer.from(content.base64, 'base64')
    writeFileSync(file, bytes, { flag: 'wx' })
  }
  return join(folder, main)
}
