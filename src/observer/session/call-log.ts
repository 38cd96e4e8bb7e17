import type { SimulationControl } from '../../adapters/computer.ts'
import type { FiredEntry } from '../../viewer/model/recording.ts'
import type { Instant } from '../desktop-context.ts'
import type { RunJournal } from '../policies/redaction/run-journal.ts'
import { type SentAs, secretNames } from '../policies/secrets.ts'
import type { CallOutcome, ToolArguments, ToolResult } from '../result.ts'
import type { Settings } from '../settings.ts'
import { summarizeResult } from '../trace/trace-row.ts'
import { recordableArguments } from '../trace/withheld.ts'
import { stripControls } from '../wire.ts'

const MAX_CALLS = 500
/** The desktop is kept from before this many of the latest actions. */
export const MAX_EXPLAINABLE = 50
/** Callers choose the names of unknown tools, which are in the message too. */
const MAX_NAME_LENGTH = 200
const MAX_MESSAGE_LENGTH = 2000

/** A call in the log. */
export interface LoggedCall {
  readonly sequence: number
  readonly stepId: number | undefined
  readonly tool: string
  readonly caller: string
  /** Without secrets, as traces write them. */
  readonly args: ToolArguments
  readonly error: { readonly code: string; readonly message: string } | undefined
  readonly changed: boolean | undefined
  /** The fields of the result that traces keep, and the target of a receipt. */
  readonly summary: ToolResult
  readonly target: ToolResult | undefined
  readonly started: Instant
  readonly ended: Instant
  /** Time since the start of the scenario, at the end of the call. */
  readonly elapsedMs: number
  readonly step: number | undefined
  readonly fired: readonly FiredEntry[]
  /** The numbers of its actions in the journal: the first, and the first after it. */
  readonly actions: { readonly from: number; readonly to: number }
}

interface CallLogOptions {
  readonly settings: Pick<Settings, 'tracing'>
  readonly simulation: SimulationControl | undefined
  readonly journal: RunJournal | undefined
  /** The time of the start, for a desktop without a scenario. */
  readonly startedMs: number
}

/** The latest calls of a session, at most 500. */
export class CallLog {
  readonly #parts: CallLogOptions
  readonly #isSecret: ReturnType<typeof secretNames>
  /** In order; the oldest are discarded by the hundred. */
  #calls: LoggedCall[] = []
  #sequence = 0

  constructor(parts: CallLogOptions) {
    this.#parts = parts
    this.#isSecret = secretNames(parts.settings.tracing.redact_keys)
  }

  /** The sequence of the latest call; 0 before the first. */
  get lastSequence(): number {
    return this.#sequence
  }

  /** The calls after a sequence, oldest first. */
  after(sequence: number): readonly LoggedCall[] {
    const calls = this.#calls.slice(-MAX_CALLS)
    return calls.filter((call) => call.sequence > sequence)
  }

  /** A call by its sequence. Undefined for one that is no longer kept. */
  find(sequence: number): LoggedCall | undefined {
    return this.after(sequence - 1).find((call) => call.sequence === sequence)
  }

  /** Adds a call that has ended. */
  add(record: CallRecord, ended: Instant): void {
    const { startedAt, stepId, caller, tool, sentAs, outcome, actionsFrom } = record
    const { settings, simulation, journal, startedMs } = this.#parts
    const { fresh, fault } = outcome
    const { args } = recordableArguments(
      record.knownArguments(),
      sentAs,
      this.#isSecret,
      settings.tracing.max_args_bytes,
    )
    const { target, changed } = fresh as { readonly target?: ToolResult; readonly changed?: unknown }
    this.#calls.push({
      sequence: ++this.#sequence,
      stepId,
      tool: shortened(tool, MAX_NAME_LENGTH),
      caller,
      args,
      error: fault && { code: fault.code, message: shortened(fault.message, MAX_MESSAGE_LENGTH) },
      changed: typeof changed === 'boolean' ? changed : undefined,
      summary: outcome.cached ? summarizeResult(outcome.cached, summarizeResult(fresh)) : summarizeResult(fresh),
      target,
      started: startedAt,
      ended,
      elapsedMs: simulation ? simulation.elapsedMs : ended.desktopMs - startedMs,
      step: simulation?.stepCount,
      fired: journal?.takeFired() ?? [],
      actions: { from: actionsFrom, to: journal?.actionCount ?? actionsFrom },
    })
    if (this.#calls.length >= 2 * MAX_CALLS) this.#calls = this.#calls.slice(-MAX_CALLS)
  }
}

const shortened = (text: string, length: number): string =>
  stripControls(text.length > length ? `${text.slice(0, length)}…` : text)

/** A finished call. */
export interface CallRecord {
  readonly startedAt: Instant
  readonly stepId: number | undefined
  readonly caller: string
  readonly tool: string
  /** The arguments that the tool knows. */
  readonly knownArguments: () => ToolArguments
  /** The names of the ignored arguments. */
  readonly ignoredArguments: () => readonly string[]
  readonly sentAs: SentAs
  readonly outcome: CallOutcome
  /** The number of actions in the journal of the desktop when the call began. */
  readonly actionsFrom: number
}
