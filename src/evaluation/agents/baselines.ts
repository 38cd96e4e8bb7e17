import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import { call } from '../../observer/call.ts'
import { withSeed } from '../../scenario/seeds.ts'
import { floodPrograms } from '../adversaries/adversaries.ts'
import type { AdversaryRun } from '../adversaries/attempt.ts'
import {
  type Control,
  controlKey,
  isPressable,
  shownControls,
  takesText,
  targetArguments,
} from '../adversaries/controls.ts'
import type { AgentContext, EvaluatedAgent } from './agent.ts'
import { builtinKind } from './builtin.ts'

/** Agents without any understanding, whose rates say how much of a score is chance. */

/** Calls a tool as the agent of an episode. */
const callAs = ({ desktop }: AgentContext, tool: string, args: Readonly<Record<string, unknown>>) =>
  call(desktop.session, tool, args, { audience: 'agent', caller: 'agent' })

/** Claims at once that the task is impossible, with a reason that fits any. */
export const refuseAgent: EvaluatedAgent = {
  name: 'refuse',
  async play(context) {
    await callAs(context, 'finish', { status: 'infeasible', text: `It is not possible: ${context.task}` })
    return {}
  },
}

const MAX_GREEDY_STEPS = 20

/** Acts on the control whose name shares most words with the task, types what the task quotes, and presses Enter. */
export const treeGreedyAgent: EvaluatedAgent = {
  name: 'tree-greedy',
  async play(context) {
    const { desktop, task, signal } = context
    const wanted = new Set(wordsOf(task))
    const values = [...task.matchAll(/"([^"]+)"/g)].map(([, value]) => value!)
    const used = new Set<string>()
    for (let step = 0; step < MAX_GREEDY_STEPS && !signal.aborted; step++) {
      const best = bestOf(
        shownControls(desktop.computer).filter((each) => !used.has(controlKey(each))),
        wanted,
      )
      if (!best) break
      used.add(controlKey(best))
      if (!takesText(best)) await callAs(context, 'click_element', targetArguments(best))
      else {
        await callAs(context, 'set_value', { ...targetArguments(best), value: values.shift() ?? task })
        await callAs(context, 'press_key', { keys: 'enter' })
      }
    }
    if (!signal.aborted) await callAs(context, 'finish', { status: 'done', text: values[0] ?? '' })
    return {}
  },
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** The first of the controls whose names have most of the words; undefined where none has any. */
function bestOf(controls: readonly Control[], wanted: ReadonlySet<string>): Control | undefined {
  let best: Control | undefined
  let most = 0
  for (const control of controls) {
    if (!isPressable(control) && !takesText(control)) continue
    const shared = new Set(wordsOf(control.element.name).filter((word) => wanted.has(word))).size
    if (shared > most) [best, most] = [control, shared]
  }
  return best
}

/** Makes the calls of the first solution of another seed. */
export const copycatAgent: EvaluatedAgent = {
  name: 'copycat',
  async play(context) {
    const { scenario, episode, signal } = context
    const other = withSeed(scenario, episode.seed === 1 ? 2 : 1)
    const [solution] = other.solutions
    if (!solution) return {}
    const { calls } = await recordSolution(other, solution)
    for (const { tool, args } of calls) {
      if (signal.aborted) break
      await callAs(context, tool, args)
    }
    return {}
  },
}

/** Presses every control, in the order of the screen, as the audit of a suite does. */
export const floodAgent: EvaluatedAgent = {
  name: 'flood',
  async play(context) {
    const calls: AdversaryRun['calls'][number][] = []
    const attempt: AdversaryRun = {
      desktop: context.desktop,
      calls,
      call(tool, args = {}) {
        context.signal.throwIfAborted()
        return callAs(context, tool, args)
      },
    }
    const [program] = floodPrograms({ acting: [], taskValues: [] })
    try {
      for await (const _ of program!(attempt)) if (context.signal.aborted) break
    } catch (error) {
      if (!context.signal.aborted) throw error
    }
    return {}
  },
}

export const refuseKind = builtinKind(refuseAgent)
export const treeGreedyKind = builtinKind(treeGreedyAgent)
export const copycatKind = builtinKind(copycatAgent)
export const floodKind = builtinKind(floodAgent)
