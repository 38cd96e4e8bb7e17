import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { bundledFiles } from '../queue/job.ts'
import { type LoadedSuite, SuiteError } from '../suite/load-suite.ts'

/** What a desktop does not need: how its task is solved and judged, and what scripted agents and models say. */
const WITHHELD = ['solution', 'solutions', 'oracles', 'agent', 'model'] as const

/**
 * Writes a copy of each task's scenario, with the files that it includes and its pictures, below a folder. Copies have no
 * solution, no oracles and no comments, and behave alike.
 * @returns The path of each copy by its task.
 * @throws A `SuiteError` for a task whose copy would not be below the folder, or is there already.
 */
export async function writeServedCopies({ tasks }: LoadedSuite, folder: string): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  for (const { id, file } of tasks) {
    if (!/^[\w][\w.-]*$/.test(id))
      throw new SuiteError(
        `the task ${JSON.stringify(id)} gives no name of a folder; give it an id of letters, digits and dashes`,
      )
    const { main, files } = await bundledFiles(file)
    for (const { path, ...content } of files) {
      const copy = join(folder, id, path)
      mkdirSync(dirname(copy), { recursive: true })
      writeNew(copy, 'text' in content ? servedText(path, content.text) : Buffer.from(content.base64, 'base64'))
    }
    paths.set(id, join(folder, id, main))
  }
  return paths
}

function writeNew(path: string, content: string | Buffer): void {
  try {
    writeFileSync(path, content, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new SuiteError(`${path} is there already; name an empty folder`)
  }
}

/** The text of a file without what is withheld. Files that are not YAML stay as they are. */
export function servedText(path: string, text: string): string {
  if (!/\.ya?ml$/i.test(path)) return text
  const content: unknown = parse(text)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return text
  const served = Object.fromEntries(
    Object.entries(content).filter(([key]) => !(WITHHELD as readonly string[]).includes(key)),
  )
  return stringify(served)
}
