import { createHash, timingSafeEqual } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Fault } from '../../base/fault.ts'
import { callTool, type ToolCaller } from './machine.ts'
import { float, repr } from './python/value.ts'

/** What a command printed, and its exit status. */
export interface CommandResult {
  readonly output: string
  readonly error: string
  readonly returncode: number
}

const MIN_SECRET_CHARACTERS = 16
const MAX_SECRET_CHARACTERS = 256
/** Parsing takes time with the square of the number of words. */
const MAX_WORDS = 200

const USAGE = `usage: backlot select --scenario NAME [--seed N] [--variant AXIS=VALUE]… [--fault NAME]… [--secret SECRET]
       backlot score --secret SECRET [--answer TEXT] [--infeasible]`

/**
 * The commands of a harness: `select` starts a scenario and registers a secret, `score` prints the score to whoever has
 * that secret. Only a digest of the secret is kept.
 */
export class ScoreCommands {
  readonly #onSelect: () => void
  #secret: Buffer | undefined

  /** @param onSelect Called after another scenario has started. */
  constructor(onSelect: () => void) {
    this.#onSelect = onSelect
  }

  async run(caller: ToolCaller, [name, ...words]: readonly string[]): Promise<CommandResult> {
    try {
      if (words.length > MAX_WORDS) throw new UsageError(`there are more than ${MAX_WORDS} arguments`)
      if (name === 'select') return await this.#select(caller, words)
      if (name === 'score') return await this.#score(caller, words)
      return failed(`backlot: unknown command ${JSON.stringify((name ?? '').slice(0, 50))}\n${USAGE}`)
    } catch (thrown) {
      if (thrown instanceof UsageError) return failed(`backlot ${name}: ${thrown.message}\n${USAGE}`)
      if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
      return failed(`backlot ${name}: ${thrown.code}: ${thrown.message}`)
    }
  }

  async #select(caller: ToolCaller, words: readonly string[]): Promise<CommandResult> {
    const text = { type: 'string' } as const
    const listed = { type: 'string', multiple: true } as const
    const {
      scenario,
      seed,
      variant = [],
      fault = [],
      secret,
    } = read(words, {
      scenario: text,
      seed: text,
      variant: listed,
      fault: listed,
      secret: text,
    })
    if (scenario === undefined) throw new UsageError('--scenario is missing')
    if (seed !== undefined && !/^-?\d{1,15}$/.test(seed)) throw new UsageError('--seed must be a whole number')
    if (secret !== undefined && (secret.length < MIN_SECRET_CHARACTERS || secret.length > MAX_SECRET_CHARACTERS))
      throw new UsageError(`--secret must have ${MIN_SECRET_CHARACTERS} to ${MAX_SECRET_CHARACTERS} characters`)
    const source = { ...caller, source: { command: ['backlot', 'select', '--scenario', scenario] } }
    const started = await callTool(source, 'load_scenario', {
      scenario,
      ...(seed !== undefined && { seed: Number(seed) }),
      ...(variant.length > 0 && { variant: axesOf(variant) }),
      ...(fault.length > 0 && { faults: [...fault] }),
    })
    this.#secret = secret === undefined ? undefined : digestOf(secret)
    this.#onSelect()
    return { output: `${started.task ?? ''}\n`, error: '', returncode: 0 }
  }

  async #score(caller: ToolCaller, words: readonly string[]): Promise<CommandResult> {
    const { secret, answer, infeasible } = read(words, {
      secret: { type: 'string' },
      answer: { type: 'string' },
      infeasible: { type: 'boolean' },
    })
    if (!this.#secret || secret === undefined || !timingSafeEqual(this.#secret, digestOf(secret)))
      return failed('backlot score: permission denied')
    // The secret proves that the caller is the harness.
    const harness = { ...caller, audience: 'harness', source: { command: ['backlot', 'score'] } } as const
    if (answer !== undefined || infeasible)
      await callTool(harness, 'finish', { status: infeasible ? 'infeasible' : 'done', text: answer ?? '' })
    const { score } = await callTool(harness, 'session_info', {})
    return { output: repr(float(score ?? 0)), error: '', returncode: 0 }
  }
}

const failed = (error: string): CommandResult => ({ output: '', error: `${error}\n`, returncode: 1 })

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

class UsageError extends Error {}

/** Parses options. Throws `UsageError`, whose message repeats names of options but no values. */
function read<Options extends NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values
  } catch (thrown) {
    const known = Object.keys(options).map((name) => `--${name}`)
    const code = (thrown as { readonly code?: unknown }).code
    const what = code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? 'an option lacks its value' : 'an argument is unknown'
    throw new UsageError(`${what}; there are ${known.join(', ')}`)
  }
}

function axesOf(variants: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    variants.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new UsageError('--variant must be AXIS=VALUE, such as theme=dark')
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
