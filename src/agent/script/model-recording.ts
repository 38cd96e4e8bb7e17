import {
  type CallRequest,
  type Model,
  type ModelStep,
  type ModelStepResult,
  type ModelSteps,
  NO_RESULTS,
} from '../models/model.ts'
import type { ScriptStep } from './script.ts'

/** A recorded session: a script that replays the same steps, message by message. */
export interface ModelRecording {
  readonly turns: readonly RecordedTurn[]
}

interface RecordedTurn {
  readonly about: string
  readonly on: { readonly turn: number; readonly nested: boolean }
  readonly verbatim: true
  readonly steps: readonly ScriptStep[]
}

/**
 * A model that records the steps of another model, and passes the current script on after every run. With `asksBeforeActs`
 * the script requests permission for calls that change something, as the engine does for a real model.
 */
export function recordModel(model: Model, keep: (cassette: ModelRecording) => void, asksBeforeActs = false): Model {
  const turns: RecordedTurn[] = []
  return {
    name: model.name,
    async *run(request) {
      const steps: ScriptStep[] = []
      try {
        const asking = asksBeforeActs ? request.tools.filter(({ acts }) => acts) : []
        yield* recordSteps(model.run(request), steps, new Set(asking.map(({ name }) => name)))
      } finally {
        const { text, turn, nested } = request
        turns.push({ about: text, on: { turn, nested }, verbatim: true, steps: mergePieces(steps) })
        keep({ turns: [...turns] })
      }
    },
  }
}

async function* recordSteps(source: ModelSteps, into: ScriptStep[], asking: ReadonlySet<string>): ModelSteps {
  let outcome: ModelStepResult = NO_RESULTS
  try {
    for (;;) {
      const next = await source.next(outcome)
      if (next.done) return
      outcome = yield recordStep(next.value, into, asking)
    }
  } finally {
    await source.return()
  }
}

/** Records a step and returns it. Records the steps of a nested agent as they are played. */
function recordStep(step: ModelStep, into: ScriptStep[], asking: ReadonlySet<string>): ModelStep {
  if (step.do !== 'call') {
    into.push(toScriptStep(step))
    return step
  }
  const nested = step.calls.map((call) => ({ call, steps: [] as ScriptStep[] }))
  const calls = nested.map(({ call, steps }) =>
    call.agent ? { ...call, agent: recordSteps(call.agent, steps, asking) } : call,
  )
  const [only] = nested
  if (only?.call.agent && nested.length === 1)
    into.push({ spawn: { task: String(only.call.args.task), steps: only.steps } })
  else into.push({ calls: nested.map(({ call }) => toCallStep(call, asking)) })
  return { do: 'call', calls }
}

function toCallStep({ tool, providerId, args, pieces, permission, problem }: CallRequest, asking: ReadonlySet<string>) {
  const asked = permission ?? (asking.has(tool) && problem === undefined ? {} : undefined)
  return {
    call: tool,
    ...(providerId === undefined ? {} : { id: providerId }),
    with: { ...args },
    ...(pieces ? { pieces: [...pieces] } : {}),
    ...(problem === undefined ? {} : { problem }),
    ...(asked ? { ask_permission: asked } : {}),
  }
}

function toScriptStep(step: Exclude<ModelStep, { do: 'call' }>): ScriptStep {
  switch (step.do) {
    case 'think':
      return { think: [step.text].flat(), closing: step.closing ?? null }
    case 'say':
      return { say: [step.text].flat(), closing: step.closing ?? null }
    case 'plan':
      return { plan: step.text }
    case 'use':
      return {
        use: {
          input: step.inputTokens,
          output: step.outputTokens,
          cost_usd: step.costUsd,
          context: step.contextTokens,
        },
      }
    case 'wait':
      return { delay: step.ms }
    case 'fail':
      return { fail: { message: step.message, code: step.code, recoverable: !step.fatal } }
    case 'disconnect':
      return { disconnect: true }
    case 'status':
      return { status: { server: step.server, status: step.status } }
    case 'hook':
      return { hook: step.hook, input: { ...step.input } }
    case 'compress':
      return { compress: true }
  }
}

/** Merges the pieces of one text into one step with several pieces. */
function mergePieces(steps: readonly ScriptStep[]): ScriptStep[] {
  const result: ScriptStep[] = []
  for (const step of steps) {
    const last = result.at(-1)
    if ('say' in step && last && 'say' in last && last.closing === step.closing) last.say = [last.say, step.say].flat()
    else if ('think' in step && last && 'think' in last && last.closing === step.closing)
      last.think = [last.think, step.think].flat()
    else
      result.push('spawn' in step ? { ...step, spawn: { ...step.spawn, steps: mergePieces(step.spawn.steps) } } : step)
  }
  return result
}
