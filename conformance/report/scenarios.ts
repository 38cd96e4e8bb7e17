import { existsSync, readFileSync } from 'node:fs'
import type { Frame } from '../probe/frame.ts'
import type { RequirementResult } from '../suite/results.ts'

/** The start of the path of a scenario in reports, which have the files in a folder beside them. */
const FOLDER = '$SCENARIOS/'

/** A path of a scenario in a JSON message: its folder, and its name below `scenarios`. */
const SCENARIO = /"(\/[^"\n]*\/scenarios\/)([\w./-]+\.ya?ml)"/g

/** The names of the scenarios that a check loaded, in the order of their first use. */
export const scenariosIn = (frames: readonly Frame[]): readonly string[] => [
  ...new Set(
    frames
      .filter(({ direction }) => direction === 'sent')
      .flatMap(({ text }) => [...text.matchAll(/"\$SCENARIOS\/([\w./-]+\.ya?ml)"/g)].map(([, name]) => name!)),
  ),
]

/** Results in which `$SCENARIOS` replaces the folder of this machine that has the scenarios, and the scenarios. */
export function takeScenarios(results: readonly RequirementResult[]): {
  readonly results: readonly RequirementResult[]
  readonly scenarios: Readonly<Record<string, string>>
} {
  const sent = results.flatMap(({ frames }) => frames.filter(({ direction }) => direction === 'sent'))
  const found = sent.flatMap(({ text }) =>
    [...text.matchAll(SCENARIO)].map(([, folder, name]) => [folder!, name!] as const),
  )
  const here = found.filter(([folder, name]) => !name.includes('..') && existsSync(folder + name))
  const folders = [...new Set(here.map(([folder]) => folder))]
  const named = (text: string) => folders.reduce((all, folder) => all.replaceAll(folder, () => FOLDER), text)
  const rename = (frame: Frame): Frame => ({
    ...frame,
    title: named(frame.title),
    text: named(frame.text),
    ...(frame.request && {
      request: {
        ...frame.request,
        url: named(frame.request.url),
        ...(frame.request.body !== undefined && { body: named(frame.request.body) }),
      },
    }),
  })
  return {
    results: results.map((result) => ({
      ...result,
      ...(result.why !== undefined && { why: named(result.why) }),
      frames: result.frames.map(rename),
    })),
    scenarios: Object.fromEntries(here.map(([folder, name]) => [name, readFileSync(folder + name, 'utf8')])),
  }
}
