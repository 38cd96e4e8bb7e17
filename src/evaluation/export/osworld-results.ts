import { Fault } from '../../base/fault.ts'
import { findTool } from '../../observer/registry.ts'
import type { StoredCall } from '../compare/stored-results.ts'
import { type ExportedEpisode, pathPart, replayedCalls } from './exported-episode.ts'

/** The files of an episode by path, below the folder of an export. */
export type ExportedFiles = ReadonlyMap<string, string | Buffer>

/** Why an episode cannot be painted again. */
class PaintProblem extends Error {}

/**
 * An episode as OSWorld's runner writes it: `ACTION_SPACE/OBSERVATION/MODEL/DOMAIN/ID/` with `traj.jsonl`, a picture after
 * each action, and `result.txt`. The pictures are painted again by a replay of the trace,
 * so that there are none of an environment that has changed since.
 */
export async function toOsworldResults(
  episode: ExportedEpisode,
): Promise<ExportedFiles | { readonly problem: string }> {
  try {
    return await paintedResults(episode)
  } catch (error) {
    if (error instanceof PaintProblem || error instanceof Fault)
      return { problem: `its replay fails: ${error.message}` }
    throw error
  }
}

async function paintedResults(episode: ExportedEpisode): Promise<ExportedFiles> {
  const { result, agent, calls, name } = episode
  const folder = ['backlot', 'observer', pathPart(agent), pathPart(result.task), name].join('/')
  const files = new Map<string, string | Buffer>()
  const actions = new Set(calls.filter(({ tool }) => findTool(tool)?.kind === 'act' || tool === 'finish'))
  const lines: string[] = []
  let index = 0
  for await (const { line, isSame, desktop } of replayedCalls(episode)) {
    index++
    if (!isSame) throw new PaintProblem(`call ${index} (${line.tool}) has another answer now`)
    if (!actions.has(line)) continue
    const number = lines.length + 1
    const picture = `step_${number}_${stampOf(line)}.png`
    files.set(`${folder}/${picture}`, await (await desktop.computer.screenshot({ screen: true })).png())
    lines.push(JSON.stringify(rowOf(episode, line, number, number === actions.size, picture)))
  }
  files.set(`${folder}/traj.jsonl`, lines.map((line) => `${line}\n`).join(''))
  files.set(`${folder}/result.txt`, `${result.success ? '1.0' : '0.0'}\n`)
  files.set(`${folder}/runtime.log`, `${result.end} ${result.failure ?? ''} ${result.message}`.trim().concat('\n'))
  return files
}

function rowOf({ result }: ExportedEpisode, line: StoredCall, number: number, done: boolean, picture: string) {
  const { tool, args, door_call, result_summary } = line
  return {
    step_num: number,
    action_timestamp: stampOf(line),
    action: JSON.stringify({ tool, ...args }),
    response: door_call === undefined ? '' : JSON.stringify(door_call),
    reward: done && result.success ? 1 : 0,
    done,
    info: result_summary,
    screenshot_file: picture,
  }
}

/** The time of the desktop as `20240312@140000`. */
const stampOf = ({ desktop_ts }: StoredCall): string =>
  desktop_ts.slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '@')
