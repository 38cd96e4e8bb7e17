import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { findScenario } from '../../compose/gallery.ts'
import { checkFile } from '../../compose/preview.ts'
import { EpisodeResult } from '../episode/result.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { EpisodeBudget } from '../suite/suite-file.ts'

const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** An episode in a queue. */
export const EpisodeJob = z.strictObject({
  id: z.string().regex(/^[\w.-]{1,100}$/),
  evaluation: z.string().regex(/^[\w-]{1,64}$/),
  /** The version of Backlot that began the evaluation. Another version may give other results. */
  backlot: z.string(),
  agent: z.string().max(10_000),
  isTraced: z.boolean(),
  /** The hash of the bundle of its scenario. */
  scenario: z.string().regex(/^[0-9a-f]{64}$/),
  /** The episode without its file, which is in the bundle. */
  episode: z.strictObject({
    id: z.string(),
    task: z.string(),
    seed: z.int(),
    variant: Values,
    faults: z.array(z.union([z.string(), z.looseObject({ fault: z.string() })])),
    run: z.int().min(1),
    budget: EpisodeBudget,
  }),
})
export type EpisodeJob = z.infer<typeof EpisodeJob>

/** What a worker answers about a job. */
export const JobAnswer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('played'),
    job: z.string(),
    result: EpisodeResult,
    trace: z.string().optional(),
    sidecars: z.record(z.string().regex(/^[a-z]+\.jsonl$/), z.string()).optional(),
    log: z.string().optional(),
  }),
  /** The worker cannot play jobs like it, and no worker of its kind can. */
  z.strictObject({ kind: z.literal('refused'), job: z.string(), message: z.string().max(2000) }),
])
export type JobAnswer = z.infer<typeof JobAnswer>

/** A trace, the files beside it and a log that are longer together are not sent. */
const MAX_FILE_CHARACTERS = 32_000_000
const MAX_ANSWER_BYTES = 200_000_000

/** Compresses an answer. A trace or log that is too long is left out. */
export function encodeAnswer(answer: JobAnswer): Buffer {
  const isTooLong = answer.kind === 'played' && charactersOf(answer) > MAX_FILE_CHARACTERS
  return gzipSync(
    JSON.stringify(isTooLong ? { ...answer, trace: undefined, sidecars: undefined, log: undefined } : answer),
  )
}

const charactersOf = ({ trace, log, sidecars }: Extract<JobAnswer, { kind: 'played' }>): number =>
  [trace, log, ...Object.values(sidecars ?? {})].reduce((total, text) => total + (text?.length ?? 0), 0)

/** Reads an answer. Undefined for anything else. */
export function decodeAnswer(bytes: Buffer): JobAnswer | undefined {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MAX_ANSWER_BYTES }).toString('utf8')
    return JobAnswer.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

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

/** The files of a scenario: itself, those that it includes, and the pictures that it shows. */
export async function filesOfScenario(file: string): Promise<readonly string[]> {
  const main = findScenario(file)
  const paths = new Set([main])
  await checkFile(main, (path) => paths.add(path))
  return [...paths].toSorted()
}

/**
 * Reads a scenario file and all that it includes, with paths from its folder.
 * @throws A `SuiteError` when they are too large to be sent.
 */
export async function bundledFiles(file: string): Promise<z.infer<typeof Bundle>> {
  const main = findScenario(file)
  const files = (await filesOfScenario(file)).map((path) => ({
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
  return bundle.data
}

/** A scenario with its files as one text. Throws a `SuiteError` when they are too large to be sent. */
export async function bundleScenario(file: string): Promise<ScenarioBundle> {
  const text = JSON.stringify(await bundledFiles(file))
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
