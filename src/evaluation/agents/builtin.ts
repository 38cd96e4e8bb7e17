import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { drawInteger, seededRandom, split } from '../../base/random.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { RANDOM_STEPS, randomAction } from '../../compose/verify/random-agent.ts'
import { call } from '../../observer/call.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { AgentKind, EvaluatedAgent } from './agent.ts'
import { hashOfFiles } from './content.ts'

/** The kind of an agent that is a part of this program, named as the operator writes it. */
export const builtinKind = (agent: EvaluatedAgent): AgentKind => ({
  syntax: agent.name,
  read: (name) => (name === agent.name ? name : undefined),
  open: () => agent,
  hash: () => null,
  isBuiltin: true,
})

/** Plays the first solution of the scenario. */
export const solutionAgent: EvaluatedAgent = {
  name: 'solution',
  async play({ desktop, scenario, signal }) {
    for await (const { failure } of playSolution(desktop, scenario.solutions[0])) {
      if (failure !== undefined) throw new Error(failure)
      if (signal.aborted) break
    }
    return {}
  },
}

/** Does nothing. */
export const noopAgent: EvaluatedAgent = { name: 'noop', play: async () => ({}) }

/** Clicks, types and presses keys at random, differently in each run. */
export const randomAgent: EvaluatedAgent = {
  name: 'random',
  async play({ desktop, agentSeed, signal }) {
    let random = split(seededRandom(agentSeed), 'random agent')
    for (let step = 0; step < RANDOM_STEPS && !signal.aborted; step++) {
      const [tool, args, next] = randomAction(desktop.computer, random)
      random = next
      await call(desktop.session, tool, args, { audience: 'agent' })
    }
    return {}
  },
}

export const solutionKind = builtinKind(solutionAgent)
export const noopKind = builtinKind(noopAgent)
export const randomKind = builtinKind(randomAgent)

const REPLAYED = 'replay.jsonl'

const traceFile = (path: string): string => resolve(path.endsWith('.jsonl') ? path : join(path, 'trace.jsonl'))

/** Makes the calls of a trace again. Throws when the file cannot be read. */
export function replayAgent(path: string): EvaluatedAgent {
  const text = readFileSync(traceFile(path), 'utf8')
  return {
    name: `replay ${path}`,
    files: { [REPLAYED]: text },
    async play({ desktop, signal }) {
      const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
        const { body, fault } = await call(desktop.session, tool, args)
        if (fault) throw fault
        return body
      }
      const { replay_id, total } = await ask('replay_start', { path: REPLAYED })
      if (total === 0) return {}
      for (let finished = false; !finished && !signal.aborted; )
        finished = (await ask('replay_step', { replay_id })).finished === true
      return {}
    },
  }
}

export const replayKind: AgentKind = {
  syntax: '"replay TRACE"',
  read: (name) => (/^replay\s/.test(name) ? name.slice('replay'.length).trim() : undefined),
  open: (path) => {
    try {
      return replayAgent(path)
    } catch (error) {
      throw new SuiteError(`the trace ${path} cannot be read: ${(error as Error).message}`)
    }
  },
  hash: (path) => hashOfFiles([traceFile(path)]),
}

/** A seed for an agent from the name of its episode. */
export function agentSeedOf(episode: string): number {
  let random = seededRandom(1)
  random = split(random, episode)
  return drawInteger(random, 0, 2 ** 31 - 1)[0]
}
