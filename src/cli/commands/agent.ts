import { Command, Option } from 'commander'
import { Fault } from '../../base/fault.ts'
import {
  AGENT_LIMITS,
  type AgentRunEvent,
  DIALECT_NAMES,
  formatAgentEvent,
  type JudgedRun,
  OBSERVATION_MODES,
  type ObservationMode,
  runReferenceAgent,
} from '../../compose/reference-agent.ts'
import { price, wholeNumber } from '../arguments.ts'
import { chosenVariant, type VariantFlags, withFaultsFlag, withVariantFlags } from '../variant-flags.ts'

interface AgentFlags extends VariantFlags {
  readonly model?: string
  readonly dialect?: string
  readonly url?: string
  readonly scenario?: string
  readonly desktop?: string
  readonly task?: string
  readonly observe: ObservationMode
  readonly nativeTools?: boolean
  readonly maxSteps: number
  readonly maxTokens: number
  readonly window: number
  readonly screenshots: number
  readonly faults?: readonly string[]
  readonly priceIn?: number
  readonly priceOut?: number
  readonly trace?: string
  readonly json?: boolean
}

/** `backlot agent`: solves the task of a scenario with a real model. */
export function agentCommand(): Command {
  return withFaultsFlag(withVariantFlags(new Command('agent')))
    .description('Solve the task of a scenario with a model: a small reference agent that observes, asks and acts.')
    .option('--model <name>', 'name of the model (default: BACKLOT_MODEL)')
    .addOption(
      new Option('--dialect <api>', 'API of the endpoint (default: BACKLOT_MODEL_DIALECT, or openai)').choices(
        DIALECT_NAMES,
      ),
    )
    .option('--url <url>', 'base URL of the endpoint (default: the vendor’s, or OPENAI_BASE_URL and the like)')
    .option('--scenario <file>', 'scenario file, or the name of a gallery scenario (default: desktop)')
    .addOption(
      new Option('--desktop <url>', 'act on the desktop of this observer instead').conflicts([
        'scenario',
        'seed',
        'variant',
        'personality',
        'faults',
        'trace',
        'nativeTools',
      ]),
    )
    .option('--task <text>', 'the task (default: that of the scenario)')
    .addOption(new Option('--observe <what>', 'what the model sees').choices(OBSERVATION_MODES).default('both'))
    .option(
      '--native-tools',
      'offer the computer tool of the vendor instead of functions for points and keys (anthropic)',
    )
    .option('--max-steps <n>', 'maximum number of requests to the model', wholeNumber, AGENT_LIMITS.maxSteps)
    .option(
      '--max-tokens <n>',
      'stop after the answer with which the run has used this many tokens',
      wholeNumber,
      AGENT_LIMITS.maxTokens,
    )
    .option('--window <n>', 'context window of the model, in tokens', wholeNumber, AGENT_LIMITS.maxContextTokens)
    .option(
      '--screenshots <n>',
      'number of screenshots in a request; older ones are left out',
      wholeNumber,
      AGENT_LIMITS.maxScreenshots,
    )
    .option(
      '--price-in <usd>',
      'price of a million tokens of input, for the cost (default: BACKLOT_MODEL_PRICE_IN)',
      price,
    )
    .option('--price-out <usd>', 'price of a million tokens of output (default: BACKLOT_MODEL_PRICE_OUT)', price)
    .option('--trace <folder>', 'write a trace into this folder')
    .option('--json', 'print each event as one line of JSON')
    .addHelpText(
      'after',
      `
The key of the endpoint is in OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, that of a server for --desktop in BACKLOT_TOKEN.
Exit code: 0 solved (without a scenario: finished as done), 1 not solved, 2 wrong usage.

Examples:
  backlot agent --model gpt-5-mini --scenario login
  backlot agent --model claude-sonnet-5 --dialect anthropic --scenario notepad --seed 7 --trace traces
  backlot agent --model local --url http://127.0.0.1:11434/v1 --observe tree --scenario form`,
    )
    .action(async (flags: AgentFlags, command: Command) => {
      const stop = new AbortController()
      const abort = () => stop.abort()
      process.once('SIGINT', abort)
      try {
        const result = await runReferenceAgent({
          ...flags,
          variant: chosenVariant(flags),
          maxScreenshots: flags.screenshots,
          maxContextTokens: flags.window,
          traceFolder: flags.trace,
          environment: process.env,
          signal: stop.signal,
          report: (event) => print(event, flags),
        })
        printJudgement(result, flags)
        process.exitCode = isSolved(result) ? 0 : 1
      } catch (error) {
        if (!(error instanceof Fault) || error.code === 'Internal') throw error
        command.error(`backlot: ${error.message}`, { exitCode: 2 })
      } finally {
        process.off('SIGINT', abort)
      }
    })
}

const isSolved = ({ reward, outcome }: JudgedRun): boolean => (reward === null ? outcome === 'done' : reward === 1)

function print(event: AgentRunEvent, { json }: AgentFlags): void {
  if (!json) process.stdout.write(`${formatAgentEvent(event)}\n`)
  // The last line is the judgement.
  else if (event.type !== 'end') process.stdout.write(`${JSON.stringify(event)}\n`)
}

function printJudgement(result: JudgedRun, { json }: AgentFlags): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ type: 'end', solved: isSolved(result), ...result })}\n`)
    return
  }
  const { steps, inputTokens, outputTokens, costUsd, trace } = result
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(4)} USD`
  if (trace !== null) process.stdout.write(`     trace    ${trace}\n`)
  process.stdout.write(
    `${isSolved(result) ? 'solved' : 'not solved'} in ${counted(steps, 'step')}, ${counted(inputTokens + outputTokens, 'token')}${cost}\n`,
  )
}

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)
