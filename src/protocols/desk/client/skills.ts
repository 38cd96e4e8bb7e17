import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientHost, CommandResult } from '../contract.ts'
import { failure, TEXT_EXIT } from '../text/contract.ts'

const MAIN = 'backlot'

/**
 * `skills`, `skills get [NAME]` and `skills path`: the page for agents, and its references. An evaluation chooses another skill,
 * or none, in `BACKLOT_SKILL`.
 */
export function printSkills(
  words: readonly string[],
  { ownFolder, environment: { BACKLOT_SKILL: chosen } }: Pick<ClientHost, 'ownFolder' | 'environment'>,
): CommandResult {
  if (chosen === '') return failure(TEXT_EXIT.refused, 'this run has no skill')
  const folder = chosen ?? folderAbove(ownFolder)
  const references = join(folder, 'references')
  const files = new Map([
    [MAIN, join(folder, 'SKILL.md')],
    ...(existsSync(references) ? readdirSync(references) : []).map((file): [string, string] => [
      file.replace(/\.md$/, ''),
      join(references, file),
    ]),
  ])
  const [verb = 'list', name = MAIN, ...more] = words
  const names = [...files.keys()].join(', ')
  if (more.length === 0 && verb === 'list') return print(`${[...files.keys()].join('\n')}\n`)
  if (more.length === 0 && verb === 'path') return print(`${folder}\n`)
  if (more.length > 0 || verb !== 'get')
    return failure(TEXT_EXIT.usage, 'use skills list, skills get [NAME] or skills path')
  const file = files.get(name)
  return file === undefined
    ? failure(TEXT_EXIT.usage, `there is no skill ${JSON.stringify(name)}; there are ${names}`)
    : print(readFileSync(file, 'utf8'))
}

/** The folder of the skill, in a folder or in one above. */
function folderAbove(folder: string): string {
  const skill = join(folder, 'skills', MAIN)
  return existsSync(join(skill, 'SKILL.md')) || dirname(folder) === folder ? skill : folderAbove(dirname(folder))
}

const print = (stdout: string): CommandResult => ({ stdout, stderr: '', exit: TEXT_EXIT.done })
