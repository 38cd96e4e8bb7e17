import type { Computer } from '../../adapters/computer.ts'
import { type Clock, type OperatorClock, virtualClock } from '../../base/clock.ts'
import { Fault, type FaultCode } from '../../base/fault.ts'
import { type IdSource, seededIds } from '../../base/ids.ts'
import { seededRandom, split } from '../../base/random.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import type { Perception } from '../../perception/perception.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Folder, OpenFrameFile, OutputDirectory } from '../../stores/folder.ts'
import type { Instant } from '../desktop-context.ts'
import { openAudit } from '../policies/audit.ts'
import { Budget } from '../policies/budget.ts'
import { ConfirmationGate } from '../policies/confirmation.ts'
import { type RedactedComputer, redaction } from '../policies/redaction/redaction.ts'
import { WindowAllowlist } from '../policies/window-allowlist.ts'
import { prepareSent, type ScenarioReaders, type SentScenario, sentScenarioOf } from '../scenario-source.ts'
import { SharedFrame } from '../screen/shared-frame.ts'
import { Settings } from '../settings.ts'
import { Episode, type ToolContext } from '../tool-context.ts'
import { LostWrites } from '../trace/lost-writes.ts'
import { Replays } from '../trace/replay.ts'
import { Tracer } from '../trace/trace.ts'
import { WithheldValues } from '../trace/withheld.ts'
import { Snapshots, TreeCache } from '../tree-cache.ts'
import { CallLog, type CallRecord } from './call-log.ts'

/** Counts calls by tool and refusals by code, for the metrics. */
class CallCounter {
  readonly #calls = new Map<string, { ok: number; failed: number }>()
  readonly #errors = new Map<FaultCode, number>()

  count(tool: string, code: FaultCode | undefined): void {
    const calls = this.#calls.get(tool) ?? { ok: 0, failed: 0 }
    calls[code === undefined ? 'ok' : 'failed']++
    this.#calls.set(tool, calls)
    if (code !== undefined) this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1)
  }

  get calls(): ReadonlyMap<string, { readonly ok: number; readonly failed: number }> {
    return this.#calls
  }

  get errors(): ReadonlyMap<FaultCode, number> {
    return this.#errors
  }
}

export interface SessionInit {
  readonly id: string
  readonly computer: Computer
  /** The clock of the desktop, which is virtual on most synthetic ones. */
  readonly clock: Clock
  /** The clock of the operator: budgets, expiry, uptime and time stamps. */
  readonly operatorClock: OperatorClock
  readonly ids: IdSource
  /** For confirmation tokens and traces, which must be unique and unpredictable. Defaults to `ids`. */
  readonly secretIds?: IdSource
  readonly settings?: Settings
  /** Where scenarios, reference pictures and traces may be read. */
  readonly folder: Folder
  /** Where traces are written. */
  readonly traces: OutputDirectory
  readonly audit: OutputDirectory
  readonly perception: Perception
  /** Creates files that a harness on this machine maps, for raw pictures. Without it there are none. */
  readonly openFrameFile?: OpenFrameFile | undefined
  /** `agent`: callers over a wire may use only the tools of agents, unless they prove to be the harness. */
  readonly audience?: 'all' | 'agent'
  /** The token by which a caller proves to be the harness. Without it no caller can. */
  readonly harnessToken?: string
  /** What capabilities and healthz report. */
  readonly version: string
  /** Throws `Busy` when the scenarios that callers have sent would exceed the limit. */
  readonly admitScenario?: (scenario: Scenario) => void
  /** How the scenarios that callers name or send are read. */
  readonly scenarioReaders?: ScenarioReaders | undefined
  /** Called with unexpected internal errors, which callers do not see. */
  readonly report?: (bug: unknown, tool: string) => void
  /** Called after each call, in the order in which calls end. */
  readonly onCall?: (record: CallRecord) => void
  /** Whether the operator has stopped all input other than by a request, such as by a stop file. */
  readonly stopRequested?: () => boolean
  /** The operator's budget for all sessions together. */
  readonly serverBudget?: Budget
  /** Values that traces omit, for replays by this process. Sessions share its memory limit. */
  readonly withheld?: WithheldValues
  /** The budget and the episode that a fork starts with. */
  readonly past?: { readonly budget: Budget; readonly episode: Episode }
  /** Registers a fork among the sessions. */
  readonly forkInto?: (session: DesktopSession, atStep: number | undefined) => DesktopSession
}

/** One computer, its clocks, its step counter and its gates. Sessions share no state. */
export class DesktopSession {
  readonly id: string
  readonly computer: RedactedComputer
  /** The clock of the desktop: waits, timers, durations of actions. */
  readonly clock: Clock
  /** The clock of the operator, which runs also while the desktop clock stands still. */
  readonly operatorClock: OperatorClock
  readonly ids: IdSource
  readonly audience: 'all' | 'agent'
  readonly harnessToken: string | undefined
  readonly version: string
  readonly budget: Budget
  /** What could not be written, until an answer to the harness says so. */
  readonly lostWrites = new LostWrites()
  readonly episode: Episode
  /** When the session was opened, by the operator's clock. */
  readonly startedMs: number
  readonly callCounts = new CallCounter()
  /** The latest calls, for a person who looks. */
  readonly callLog: CallLog
  /** Actions, which never interleave. */
  readonly queue = new SerialQueue()
  /** The parts that tools use. */
  readonly context: ToolContext

  readonly #parts: SessionInit
  readonly #audit: ReturnType<typeof openAudit> | undefined
  #steps = 0
  lastActionStep: number | null = null
  readonly #stopping = new AbortController()

  constructor(parts: SessionInit) {
    const settings = parts.settings ?? Settings.parse({})
    const nowMs = parts.operatorClock.now()
    this.#parts = parts
    this.id = parts.id
    this.clock = parts.clock
    this.operatorClock = parts.operatorClock
    this.ids = parts.ids
    this.audience = parts.audience ?? 'all'
    this.harnessToken = parts.harnessToken
    this.version = parts.version
    this.startedMs = nowMs
    this.budget = parts.past?.budget ?? new Budget(settings.budget, nowMs, parts.serverBudget)
    this.episode = parts.past?.episode ?? new Episode()
    this.context = this.#openContext(parts, settings)
    this.computer = this.context.computer
    this.callLog = new CallLog({
      settings,
      simulation: this.computer.simulation,
      journal: this.context.redaction.journal,
      startedMs: parts.clock.now(),
    })
    this.#audit = settings.logging.audit
      ? openAudit(
          parts.audit.lines(settings.logging.audit_path, {
            bytes: settings.logging.audit_max_bytes,
            backups: settings.logging.audit_backups,
          }),
          settings.audit.redact_arg_keys,
        )
      : undefined
  }

  #openContext(parts: SessionInit, settings: Settings): ToolContext {
    const { id, clock, operatorClock, ids, secretIds = ids, folder, perception, version } = parts
    const redactor = redaction(parts.computer, settings.redaction)
    const { computer } = redactor
    const views = { unredacted: parts.computer, redacted: computer }
    return {
      id,
      audience: this.audience,
      version,
      computer,
      clock,
      operatorClock,
      secretIds,
      settings,
      folder,
      traces: parts.traces,
      perception,
      redaction: redactor,
      confirmation: new ConfirmationGate(views, settings.confirmation_required, settings.confirmation),
      windowAllowlist: new WindowAllowlist(parts.computer, settings.allow),
      budget: this.budget,
      episode: this.episode,
      trees: new TreeCache(ids),
      snapshots: new Snapshots(ids),
      tracing: new Tracer({
        settings: settings.tracing,
        directory: parts.traces,
        ids: secretIds,
        version,
        withheld: parts.withheld ?? new WithheldValues(),
        owner: id,
        lostWrites: this.lostWrites,
      }),
      replays: new Replays(ids),
      sharedFrame: parts.openFrameFile && new SharedFrame(parts.openFrameFile),
      stopSignal: this.stopSignal,
      now: () => this.now(),
      report: parts.report ?? (() => {}),
      admitScenario: (scenario) => parts.admitScenario?.(scenario),
      scenarioReaders: parts.scenarioReaders ?? {},
      prepareReset: (choice) => {
        const { loadedScenario, seed } = parts.computer.simulation ?? {}
        return (
          loadedScenario &&
          prepareSent(loadedScenario, { ...choice, seed: choice.seed ?? seed }, parts.scenarioReaders?.readSent)
        )
      },
      onRewind: (toStep) => this.#onRewind(toStep),
      fork: (atStep) => this.#openFork(atStep),
    }
  }

  get steps(): number {
    return this.#steps
  }

  /** The id of the latest input call; null before the first. */
  get lastActionId(): number | null {
    return this.lastActionStep
  }

  nextStep(): number {
    return ++this.#steps
  }

  setLastAction(stepId: number): void {
    this.lastActionStep = stepId
  }

  /** Counts a call and writes it to the audit log. An error of the log is reported to the operator. */
  recordCall(record: CallRecord): void {
    const { startedAt, stepId, caller, tool, sentAs } = record
    const { fresh, fault } = record.outcome
    // Unknown names are counted together: callers could fill the memory with them.
    this.callCounts.count(stepId === undefined ? '(unknown)' : tool, fault?.code)
    this.callLog.add(record, this.now())
    try {
      this.#audit?.({
        timeMs: startedAt.operatorMs,
        stepId,
        caller,
        tool,
        ok: fault === undefined,
        changed: typeof fresh.changed === 'boolean' ? fresh.changed : undefined,
        args: record.knownArguments(),
        ignored: record.ignoredArguments(),
        sentAs,
      })
    } catch (thrown) {
      this.lostWrites.note('audit log', thrown)
      this.context.report(thrown, 'audit')
    }
    this.#parts.onCall?.(record)
  }

  /** The current time of both clocks. */
  now(): Instant {
    const desktopMs = this.clock.now()
    const { simulation } = this.context.computer
    return { operatorMs: this.operatorClock.now(), desktopMs, scenarioMs: desktopMs + (simulation?.clockShiftMs ?? 0) }
  }

  /** Aborts when the operator stops all input. */
  get stopSignal(): AbortSignal {
    return this.#stopping.signal
  }

  #onRewind(toStep: number): void {
    this.context.trees.clear()
    this.context.confirmation.clear()
    this.episode.rewind(toStep)
  }

  /** Stops all input: running actions are aborted where possible, and later ones are refused. */
  stop(): void {
    this.#stopping.abort()
    this.#parts.computer.abort?.()
  }

  /** Throws `PermissionDenied` after the operator's stop. */
  assertInputAllowed(): void {
    if (!this.stopSignal.aborted && this.#parts.stopRequested?.()) this.stop()
    if (this.stopSignal.aborted)
      throw new Fault('PermissionDenied', 'the operator has stopped all input; restart the server to act again')
  }

  /**
   * Returns an independent session that continues from now or from after a step, with the remaining budget, a clock of the
   * same kind, and stopped if this one is. Throws `PlatformUnsupported` on a real desktop.
   */
  fork(id: string, atStep?: number): DesktopSession {
    const { simulation } = this.#parts.computer
    if (!simulation) throw new Fault('PlatformUnsupported', 'a real desktop cannot be forked')
    const clock = this.clock.virtual ? virtualClock(this.clock.now()) : this.clock
    const computer = simulation.fork(atStep === undefined ? { clock } : { clock, atStep })
    const ids = seededIds(split(seededRandom(simulation.seed), id))
    const past = { budget: this.budget.fork(), episode: this.episode.fork(atStep) }
    const fork = new DesktopSession({ ...this.#parts, id, computer, clock, ids, past })
    if (this.stopSignal.aborted) fork.stop()
    return fork
  }

  /** The size of the scenario, if a caller has sent its text. */
  get sentScenario(): SentScenario | undefined {
    return sentScenarioOf(this.#parts.computer.simulation?.loadedScenario)
  }

  #openFork(atStep: number | undefined): DesktopSession {
    const { forkInto } = this.#parts
    if (!forkInto) throw new Fault('PlatformUnsupported', 'this server has only one session')
    return forkInto(this, atStep)
  }

  async close(): Promise<void> {
    try {
      this.context.tracing.close(this.now())
    } finally {
      this.context.sharedFrame?.close()
      await this.computer.close()
    }
  }
}
