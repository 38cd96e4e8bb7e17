import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredResults } from '../compare/stored-results.ts'
import { type EpisodeResult, isMeasured } from '../episode/result.ts'
import { toAtif } from './atif.ts'
import { type ExportedEpisode, episodeNames, readExported } from './exported-episode.ts'
import { toHarborJob, toHarborTrial } from './harbor.ts'
import { type ExportedFiles, toOsworldResults } from './osworld-results.ts'

/** The files of an episode, or why it cannot be written. */
type WrittenEpisode = ExportedFiles | { readonly problem: string }

/** How results are written for other programs. */
interface ResultFormat {
  /** The files of the whole, about the episodes that were written. */
  readonly ofResults?: (stored: StoredResults, names: ReadonlyMap<string, string>) => ExportedFiles
  readonly ofEpisode: (episode: ExportedEpisode, stored: StoredResults) => WrittenEpisode | Promise<WrittenEpisode>
}

/** The formats by name. A new one is a row. */
const FORMATS = {
  atif: {
    ofEpisode: async (episode) =>
      new Map([[`${episode.name}.json`, `${JSON.stringify(await toAtif(episode), undefined, 2)}\n`]]),
  },
  osworld: { ofEpisode: toOsworldResults },
  harbor: { ofResults: toHarborJob, ofEpisode: (episode, stored) => toHarborTrial(stored, episode) },
} as const satisfies Record<string, ResultFormat>

export type ResultFormatName = keyof typeof FORMATS
export const RESULT_FORMATS = Object.keys(FORMATS) as readonly ResultFormatName[]

/** An episode that an export leaves out, with the reason. */
export interface LeftOutEpisode {
  readonly episode: string
  readonly reason: string
}

/** Writes results in a format of another program below a folder. Episodes that cannot be written are left out and named. */
export async function exportResults(
  stored: StoredResults,
  format: ResultFormatName,
  out: string,
): Promise<{ readonly written: number; readonly leftOut: readonly LeftOutEpisode[] }> {
  const { ofResults, ofEpisode }: ResultFormat = FORMATS[format]
  const names = episodeNames(stored.results.map(({ episode }) => episode))
  const leftOut: LeftOutEpisode[] = []
  const results: EpisodeResult[] = []
  for (const result of stored.results) {
    if (!isMeasured(result)) {
      leftOut.push({ episode: result.episode, reason: `it has no result: ${result.message}` })
      continue
    }
    const episode = await readExported(stored, result, names.get(result.episode)!)
    const files = 'problem' in episode ? episode : await ofEpisode(episode, stored)
    if ('problem' in files) leftOut.push({ episode: result.episode, reason: files.problem })
    else {
      writeFiles(out, files)
      results.push(result)
    }
  }
  if (ofResults && results.length > 0) writeFiles(out, ofResults({ ...stored, results }, names))
  return { written: results.length, leftOut }
}

function writeFiles(out: string, files: ExportedFiles): void {
  for (const [path, content] of files) {
    const file = join(out, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
