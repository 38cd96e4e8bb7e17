import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredResults } from '../compare/stored-results.ts'
import { toAtif } from './atif.ts'
import { type ExportedEpisode, pathPart, readExported } from './exported-episode.ts'
import { toHarborJob, toHarborTrial } from './harbor.ts'
import { type ExportedFiles, toOsworldResults } from './osworld-results.ts'

/** How results are written for other programs. */
interface ResultFormat {
  /** The files of the whole. */
  readonly ofResults?: (stored: StoredResults) => ExportedFiles
  readonly ofEpisode: (episode: ExportedEpisode, stored: StoredResults) => ExportedFiles | Promise<ExportedFiles>
}

/** The formats by name. A new one is a row. */
const FORMATS = {
  atif: {
    ofEpisode: (episode) =>
      new Map([[`${pathPart(episode.result.episode)}.json`, `${JSON.stringify(toAtif(episode), undefined, 2)}\n`]]),
  },
  osworld: { ofEpisode: toOsworldResults },
  harbor: { ofResults: toHarborJob, ofEpisode: (episode, stored) => toHarborTrial(stored, episode) },
} as const satisfies Record<string, ResultFormat>

export type ResultFormatName = keyof typeof FORMATS
export const RESULT_FORMATS = Object.keys(FORMATS) as readonly ResultFormatName[]

/** Writes results in a format of another program below a folder. Returns the episodes that have no trace, which are left out. */
export async function exportResults(
  stored: StoredResults,
  format: ResultFormatName,
  out: string,
): Promise<{ readonly written: number; readonly leftOut: readonly string[] }> {
  const { ofResults, ofEpisode }: ResultFormat = FORMATS[format]
  const leftOut: string[] = []
  if (ofResults) writeFiles(out, ofResults(stored))
  for (const result of stored.results) {
    const episode = await readExported(stored, result)
    if (episode) writeFiles(out, await ofEpisode(episode, stored))
    else leftOut.push(result.episode)
  }
  return { written: stored.results.length - leftOut.length, leftOut }
}

function writeFiles(out: string, files: ExportedFiles): void {
  for (const [path, content] of files) {
    const file = join(out, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
