import { compilePattern, UNLIMITED_MATCHING } from '../../base/pattern.ts'
import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import { ASK_PERMISSION, ASK_USER, SPAWN_AGENT, SWITCH_PROFILE } from '../engine-tools.ts'
import { type Answers, QuestionForm, questionId } from '../events.ts'
import {
  type CallRequest,
  type CallResult,
  type Model,
  type ModelRequest,
  type ModelStep,
  type ModelStepResult,
  type ModelSteps,
  NO_RESULTS,
} from '../models/model.ts'
import type { Toolbox } from '../toolbox.ts'
import type { CallStep, CannedTool, Condition, Script, ScriptStep, ScriptTurn, TurnCondition } from './script.ts'

/** Conditions match only the first characters of a message, and steps repeat at most this many of them. */
const MAX_MATCHED_LENGTH = 64 * 1024
const MAX_REPEATED_LENGTH = 1024 * 1024

/** Creates a model that plays scripts. Turns of earlier scripts take precedence. */
export function scriptedModel(...scripts: readonly Script[]): Model {
  const candidates = scripts.flatMap((script) => script.turns.map((turn) => ({ script, turn })))
  return {
    name: 'scripted',
    run(request) {
      const matched = { ...request, text: truncate(request.text, MAX_MATCHED_LENGTH) }
      const chosen = candidates.find(({ turn }) => matchesTurn(turn.on, matched))
      if (!chosen) return performSteps(noMatchingTurn())
      const player = new Player(chosen.script, chosen.turn, request)
      return performSteps(player.play(chosen.turn.steps))
    },
  }
}

/** The steps of a script. Synchronous, so that thousands of steps are cheap. */
type ScriptSteps = Generator<ModelStep, void, ModelStepResult>

/** Converts the steps of a script to the engine's asynchronous steps. */
async function* performSteps(steps: ScriptSteps): ModelSteps {
  let outcome = NO_RESULTS
  for (;;) {
    const next = steps.next(outcome)
    if (next.done) return
    outcome = yield next.value
  }
}

function* noMatchingTurn(): ScriptSteps {
  yield { do: 'say', text: 'I have no lines for that.', closing: true }
}

/** Returns the tools of the scripts. The first tool of a name wins. */
export function cannedTools(all: readonly CannedTool[]): Toolbox {
  const tools = all.filter(({ name }, index) => all.findIndex((tool) => tool.name === name) === index)
  return {
    list: () => tools.map(({ name, description, input, acts }) => ({ name, description, input, acts })),
    call: async (name, args) => {
      const tool = tools.find((candidate) => candidate.name === name)
      if (!tool) return { ok: false, result: `unknown tool ${JSON.stringify(name)}` }
      return { ok: tool.ok, result: renderTemplate(tool.result, { args }) }
    },
  }
}

function matchesTurn(when: TurnCondition | undefined, request: ModelRequest): boolean {
  if (!when) return true
  if (when.text !== undefined && !request.text.toLowerCase().includes(when.text.toLowerCase())) return false
  if (when.regex !== undefined && !compilePattern(when.regex).search(request.text, UNLIMITED_MATCHING)) return false
  if (when.turn !== undefined && when.turn !== request.turn) return false
  if (when.tool !== undefined && !request.tools.some(({ name }) => name === when.tool)) return false
  if (when.nested !== undefined && when.nested !== request.nested) return false
  return when.state === undefined || when.state === request.state()
}

const wholeMatch = (regex: string, text: string): readonly (string | undefined)[] =>
  compilePattern(regex).whole(truncate(text, MAX_MATCHED_LENGTH), UNLIMITED_MATCHING) ?? []

/** Returns the start of a text, cut at a whole character. */
function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, (text.codePointAt(length - 1) ?? 0) > 0xffff ? length - 1 : length)
}

/** Returns the end index of a number of whole characters from an index. */
function afterCharacters(text: string, from: number, count: number): number {
  let at = from
  for (let left = count; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1
  return at
}

/** Plays the steps of one turn, and keeps their results for templates. */
class Player {
  readonly #script: Script
  readonly #verbatim: boolean
  readonly #request: ModelRequest
  readonly #match: readonly (string | undefined)[]
  readonly #results: Record<string, CallResult> = {}
  readonly #answers: Record<string, unknown> = {}
  #last: CallResult | undefined
  #random: Random

  constructor(script: Script, turn: ScriptTurn, request: ModelRequest) {
    this.#script = script
    this.#verbatim = turn.verbatim
    this.#request = request
    this.#match = turn.on?.regex === undefined ? [] : wholeMatch(turn.on.regex, request.text)
    this.#random = split(split(seededRandom(script.seed), turn.about ?? 'turn'), String(request.turn))
  }

  /** `callsLater`: whether a later step calls a tool, so that a text here is not the final answer. */
  *play(steps: readonly ScriptStep[], callsLater = false): ScriptSteps {
    const lastCall = steps.findLastIndex(callsTool)
    for (const [index, step] of steps.entries()) yield* this.#step(step, callsLater || index < lastCall)
  }

  *#step(step: ScriptStep, callsLater: boolean): ScriptSteps {
    if ('think' in step) return yield* this.#stream('think', step.think, closingOf(step, callsLater))
    if ('say' in step) return yield* this.#stream('say', step.say, closingOf(step, callsLater))
    if ('plan' in step) return void (yield { do: 'plan', text: this.#text(step.plan) })
    if ('call' in step) return this.#keep([step.as], yield { do: 'call', calls: [this.#call(step)] })
    if ('calls' in step)
      return this.#keep(
        step.calls.map((call) => call.as),
        yield { do: 'call', calls: step.calls.map((call) => this.#call(call)) },
      )
    if ('ask' in step) return this.#keepAnswers(step.ask, step.as, yield this.#one(ASK_USER, this.#fill(step.ask)))
    if ('spawn' in step) {
      const agent = performSteps(this.play(step.spawn.steps))
      return this.#keep([step.as], yield this.#one(SPAWN_AGENT, { task: this.#text(step.spawn.task) }, { agent }))
    }
    if ('switch_profile' in step)
      return this.#keep([step.as], yield this.#one(SWITCH_PROFILE, { profile_id: this.#text(step.switch_profile) }))
    if ('ask_permission' in step) {
      const permission = this.#permission(step.ask_permission)
      return this.#keep([step.as], yield this.#one(ASK_PERMISSION, permission, { permission }))
    }
    if ('hook' in step)
      return this.#keep([step.as], yield { do: 'hook', hook: step.hook, input: this.#arguments(step.input) })
    if ('repeat' in step) return yield* this.#repeat(step.repeat, callsLater)
    if ('if' in step) return yield* this.play((this.#holds(step.if) ? step.do : step.else) ?? [], callsLater)
    yield this.#plain(step)
  }

  #plain(
    step: Extract<
      ScriptStep,
      | { use: unknown }
      | { delay: unknown }
      | { fail: unknown }
      | { status: unknown }
      | { disconnect: unknown }
      | { compress: unknown }
    >,
  ) {
    if ('use' in step) {
      const { input, output, cost_usd, context } = step.use
      return {
        do: 'use' as const,
        ...(input === undefined ? {} : { inputTokens: input }),
        ...(output === undefined ? {} : { outputTokens: output }),
        ...(cost_usd === undefined ? {} : { costUsd: cost_usd }),
        ...(context === undefined ? {} : { contextTokens: context }),
      }
    }
    if ('delay' in step)
      return { do: 'wait' as const, ms: typeof step.delay === 'number' ? step.delay : this.#draw(step.delay.between) }
    if ('fail' in step) {
      const {
        message,
        code = 'query_failed',
        recoverable = false,
      } = typeof step.fail === 'string' ? { message: step.fail } : step.fail
      return { do: 'fail' as const, code, message: this.#text(message), fatal: !recoverable }
    }
    if ('status' in step) return { do: 'status' as const, ...step.status }
    return 'disconnect' in step ? { do: 'disconnect' as const } : { do: 'compress' as const }
  }

  *#repeat(repeat: { times: number; steps: ScriptStep[] }, callsLater: boolean): ScriptSteps {
    const again = repeat.steps.some(callsTool)
    for (let round = 1; round <= repeat.times; round++) {
      yield* this.play(repeat.steps, callsLater || (again && round < repeat.times))
    }
  }

  *#stream(as: 'think' | 'say', given: string | readonly string[], closing: boolean | undefined): ScriptSteps {
    const pieces = typeof given === 'string' ? this.#cut(this.#text(given)) : given.map((text) => this.#text(text))
    const [least, most] = this.#script.pace.ms
    if (most === 0) {
      if (pieces.length > 0) yield { do: as, text: pieces, closing }
      return
    }
    for (const text of pieces) {
      yield { do: 'wait', ms: this.#draw([least, most]) }
      yield { do: as, text, closing }
    }
  }

  #cut(text: string): string[] {
    const pieces: string[] = []
    for (let at = 0; at < text.length; ) {
      const end = afterCharacters(text, at, this.#draw(this.#script.pace.characters))
      pieces.push(text.slice(at, end))
      at = end
    }
    return pieces
  }

  #one(tool: string, args: unknown, more: Pick<CallRequest, 'permission' | 'agent'> = {}) {
    return { do: 'call' as const, calls: [{ tool, args: args as Record<string, unknown>, ...more }] }
  }

  #call(step: CallStep): CallRequest {
    const { call, id, ask_permission, pieces, problem } = step
    return {
      tool: call,
      ...(id === undefined ? {} : { providerId: id }),
      args: this.#arguments(step.with),
      ...(pieces ? { pieces } : {}),
      ...(problem === undefined ? {} : { problem }),
      ...(ask_permission === undefined ? {} : { permission: this.#permission(ask_permission) }),
    }
  }

  #permission(given: string | { description?: string | undefined; details?: string | undefined }) {
    const { description, details } = typeof given === 'string' ? { description: given, details: undefined } : given
    return {
      ...(description === undefined ? {} : { description: this.#text(description) }),
      ...(details === undefined ? {} : { details: this.#text(details) }),
    }
  }

  #keep(names: readonly (string | undefined)[], outcome: ModelStepResult): void {
    for (const [index, result] of outcome.results.entries()) {
      const name = names[index]
      if (name !== undefined) this.#results[name] = result
      this.#last = result
    }
  }

  #keepAnswers(given: QuestionForm, name: string | undefined, outcome: ModelStepResult): void {
    this.#keep([name], outcome)
    const output = outcome.results[0]?.output
    if (!outcome.results[0]?.ok || typeof output !== 'object' || output === null) return
    const form = QuestionForm.parse(this.#fill(given))
    const answers = output as Answers
    form.questions.forEach((_, index) => {
      const id = questionId(form, index)
      const answer = Object.hasOwn(answers, id) ? answers[id] : undefined
      if (answer !== undefined) this.#answers[id] = [answer].flat().join(', ')
    })
  }

  #holds({ value, equals, matches }: Condition): boolean {
    const text = this.#text(value)
    if (equals !== undefined) return text === this.#text(equals)
    if (matches !== undefined)
      return compilePattern(matches).search(truncate(text, MAX_MATCHED_LENGTH), UNLIMITED_MATCHING)
    return text !== '' && text !== 'false'
  }

  get #scope(): TemplateScope {
    const { text, turn, profile, images } = this.#request
    return {
      message: truncate(text, MAX_REPEATED_LENGTH),
      turn,
      match: this.#match,
      images: images.length,
      profile: profile.id,
      state: this.#request.state(),
      results: this.#results,
      answers: this.#answers,
      last: this.#last,
    }
  }

  #text(text: string): string {
    return this.#verbatim ? text : renderText(text, this.#scope)
  }

  #fill(value: unknown): unknown {
    return this.#verbatim ? value : renderTemplate(value, this.#scope)
  }

  #arguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#fill(args) as Record<string, unknown>
  }

  #draw([low, high]: readonly [number, number]): number {
    const [value, next] = drawInteger(this.#random, low, high)
    this.#random = next
    return value
  }
}

/** Returns whether a text is the final answer, or undefined if the script does not determine it. */
const closingOf = ({ closing }: { closing?: boolean | null | undefined }, callsLater: boolean): boolean | undefined =>
  closing === undefined ? !callsLater : (closing ?? undefined)

function callsTool(step: ScriptStep): boolean {
  if ('repeat' in step) return step.repeat.times > 0 && step.repeat.steps.some(callsTool)
  if ('if' in step) return [...step.do, ...(step.else ?? [])].some(callsTool)
  return ['call', 'calls', 'ask', 'spawn', 'switch_profile', 'ask_permission'].some((key) => key in step)
}

/** The values of the names in a template. */
type TemplateScope = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/g

/** Replaces each `{{name.field.0}}` in the text by its value, or by nothing if it does not exist. */
const renderText = (text: string, scope: TemplateScope): string =>
  !text.includes('{{') ? text : text.replace(PLACEHOLDER, (_, path: string) => given(lookUp(scope, path)))

/** Fills all texts inside a value. A text that is a single placeholder becomes the value itself. */
function renderTemplate(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === 'string') {
    const alone = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(value)
    return alone ? lookUp(scope, alone[1]!) : renderText(value, scope)
  }
  if (Array.isArray(value)) return value.map((item) => renderTemplate(item, scope))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderTemplate(item, scope)]))
  return value
}

function lookUp(scope: TemplateScope, path: string): unknown {
  let value: unknown = scope
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const given = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
