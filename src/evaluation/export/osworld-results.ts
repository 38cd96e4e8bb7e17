import { memorySession } from '../../compose/memory-session.ts'
import { call } from '../../observer/call.ts'
import { findTool } from '../../observer/registry.ts'
import { type ExportedEpisode, pathPart, type TraceLine } from './exported-episode.ts'

/** The files of an episode by path, below the folder of an export. */
export type ExportedFiles = ReadonlyMap<string, string | Buffer>

const TRACE = 'trace.jsonl'

/**
 * An episode as OSWorld's runner writes it: `ACTION_SPACE/OBSERVATION/MODEL/DOMAIN/ID/` with `traj.jsonl`, a picture after
 * each action, and `result.txt`. The pictures are painted again by a replay of the trace.
 */
export async function toOsworldResults(episode: ExportedEpisode): Promise<ExportedFiles> {
  const { result, agent, calls, scenario, trace } = episode
  const id = pathPart(result.episode)
  const folder = ['backlot', 'observer', pathPart(agent), pathPart(result.task), id].join('/')
  const files = new Map<string, string | Buffer>()
  const desktop = memorySession(scenario, { files: { [TRACE]: trace } })
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { body, fault } = await call(desktop.session, tool, args)
    if (fault) throw fault
    return body
  }
  const { replay_id } = await ask('replay_start', { path: TRACE })
  const actions = calls.filter(({ tool }) => findTool(tool)?.kind === 'act' || tool === 'finish')
  const lines: string[] = []
  for (const line of calls) {
    await ask('replay_step', { replay_id })
    if (!actions.includes(line)) continue
    const number = lines.length + 1
    const picture = `step_${number}_${stampOf(line)}.png`
    files.set(`${folder}/${picture}`, await (await desktop.computer.screenshot({ screen: true })).png())
    lines.push(JSON.stringify(rowOf(episode, line, number, number === actions.length, picture)))
  }
  files.set(`${folder}/traj.jsonl`, lines.map((line) => `${line}\n`).join(''))
  files.set(`${folder}/result.txt`, `${result.success ? '1.0' : '0.0'}\n`)
  files.set(`${folder}/runtime.log`, `${result.end} ${result.failure ?? ''} ${result.message}`.trim().concat('\n'))
  return files
}

function rowOf({ result }: ExportedEpisode, line: TraceLine, number: number, done: boolean, picture: string) {
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
const stampOf = ({ desktop_ts }: TraceLine): string =>
  desktop_ts.slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '@')
