import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import type { ControlRun, CreateRun, Heartbeat, RelayEvent, WorkerDispatched } from './requests.ts'

/** The control plane for runs on virtual machines (WindieOS document, "Runs"). Its state is in memory. */

export type RunStatus = 'awaiting_worker' | 'queued' | 'running' | 'paused' | 'completed' | 'failed' | 'stopped'

/** A run in its wire format. */
export interface RunRecord {
  readonly run_id: string
  readonly workspace_id: string
  readonly agent_id: string | null
  readonly query: string
  readonly requested_by: string | null
  readonly files: CreateRun['files']
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: RunStatus
  readonly control_mode: 'agent_only' | 'shared_control' | 'human_override'
  readonly conversation_ref: string
  readonly worker_id: string | null
  readonly vm_id: string | null
  readonly user_id: string | null
  readonly session_id: string | null
  /** The turn that the worker reported. */
  readonly query_message_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** An event of a run. */
export interface RunEvent {
  readonly seq: number
  readonly timestamp: string
  readonly event_type: string
  readonly source: string
  readonly payload: Readonly<Record<string, unknown>>
}

type Worker = Heartbeat & { readonly last_heartbeat_at: string }

/** A type, since an interface is no record to the schema of the response. */
type Command = {
  readonly action: string
  readonly run_id: string
  readonly command_id: string
  readonly control_mode: RunRecord['control_mode']
}

const ACTIVE: readonly RunStatus[] = ['awaiting_worker', 'queued', 'running', 'paused']
const isActive = ({ status }: RunRecord): boolean => ACTIVE.includes(status)

/** Options of the run store. */
export interface RunStoreOptions {
  readonly ids: IdSource
  readonly nowMs: () => number
  /** The most active runs of a workspace. */
  readonly maxActiveRuns: number
}

/** All runs, their events, and the pending commands of each worker. */
export class RunStore {
  readonly #options: RunStoreOptions
  readonly #runs = new Map<string, RunRecord>()
  readonly #events = new Map<string, RunEvent[]>()
  readonly #workers = new Map<string, Worker>()
  readonly #commands = new Map<string, Command[]>()

  constructor(options: RunStoreOptions) {
    this.#options = options
  }

  /** Creates a run. Throws `Conflict` if the workspace has the maximum of active runs. */
  create(wanted: CreateRun): { readonly run: RunRecord; readonly events: readonly RunEvent[] } {
    const { workspace_id, query, metadata = {} } = wanted
    const active = [...this.#runs.values()].filter((run) => run.workspace_id === workspace_id && isActive(run))
    if (active.length >= this.#options.maxActiveRuns)
      throw new Fault('Conflict', `the workspace has ${active.length} active runs already`)
    const run_id = `run-${this.#options.ids.uuid()}`
    const { conversation_ref } = metadata
    const run: RunRecord = {
      run_id,
      workspace_id,
      agent_id: wanted.agent_id ?? null,
      query,
      requested_by: wanted.requested_by ?? null,
      files: wanted.files,
      metadata,
      status: 'awaiting_worker',
      control_mode: 'agent_only',
      conversation_ref:
        typeof conversation_ref === 'string' && conversation_ref !== '' ? conversation_ref : `run-${run_id}`,
      worker_id: null,
      vm_id: null,
      user_id: null,
      session_id: null,
      query_message_id: null,
      created_at: this.#now(),
      updated_at: this.#now(),
    }
    this.#runs.set(run_id, run)
    this.#events.set(run_id, [])
    this.#append(run, 'run-created', 'api', { requested_by: run.requested_by })
    return { run, events: this.#events.get(run_id)! }
  }

  /** Returns a run. Throws `SessionNotFound`. */
  run(id: string): RunRecord {
    const run = this.#runs.get(id)
    if (!run) throw new Fault('SessionNotFound', `there is no run ${JSON.stringify(id)}`)
    return run
  }

  /** The events of a run after a number. */
  events(id: string, after: number, limit: number): readonly RunEvent[] {
    this.run(id)
    return this.#events.get(id)!.slice(after, after + limit)
  }

  /** Registers a worker's heartbeat. Returns the oldest waiting run, and the commands since the last heartbeat. */
  heartbeat(report: Heartbeat) {
    const worker: Worker = { ...report, last_heartbeat_at: this.#now() }
    const key = workerKey(worker)
    this.#workers.set(key, worker)
    const assigned = report.status === 'ready' || report.status === 'running' ? this.#assign(worker) : undefined
    for (const run of this.#runs.values())
      if (run.worker_id === worker.worker_id && run.workspace_id === worker.workspace_id && isActive(run))
        this.#append(run, 'worker-heartbeat', 'worker', { worker_id: worker.worker_id, status: worker.status })
    const control_commands = this.#commands.get(key) ?? []
    this.#commands.delete(key)
    return { worker, assigned_run: assigned ? assignment(assigned) : null, control_commands }
  }

  /** Controls a run. Throws `Conflict` if it has ended. */
  control(id: string, { action, control_mode, requested_by }: ControlRun) {
    const run = this.run(id)
    if (!isActive(run)) throw new Fault('Conflict', `the run is ${run.status} already`)
    return this.#applyControl(run, action, control_mode ?? run.control_mode, { requested_by: requested_by ?? null })
  }

  /** Stops every active run, or those of one workspace. */
  stopAll(workspaceId: string | undefined, requestedBy: string | null): readonly string[] {
    const active = [...this.#runs.values()].filter(
      (run) => isActive(run) && (workspaceId === undefined || run.workspace_id === workspaceId),
    )
    for (const run of active)
      this.#applyControl(run, 'stop', run.control_mode, { requested_by: requestedBy, bulk: true })
    return active.map(({ run_id }) => run_id)
  }

  /** Records that a worker has started a run. Throws `Conflict` if the run belongs to another worker or user. */
  dispatched(id: string, { worker_id, user_id, turn_ref, conversation_ref }: WorkerDispatched) {
    const run = this.run(id)
    if (run.worker_id !== worker_id || run.user_id !== user_id)
      throw new Fault('Conflict', 'the run was assigned to another worker or user')
    if (!isActive(run)) throw new Fault('Conflict', `the run is ${run.status} already`)
    const next = this.#update(run, {
      status: run.status === 'paused' ? 'paused' : 'running',
      query_message_id: turn_ref,
      ...(conversation_ref && { conversation_ref }),
    })
    return this.#withEvent(next, 'run-dispatched', 'worker', { worker_id, turn_ref })
  }

  /** Appends an event that a worker relays. The end of the turn ends the run. */
  relay(id: string, { event_type, source, payload }: RelayEvent) {
    const run = this.run(id)
    const status = isActive(run) ? statusAfter(run.status, event_type) : run.status
    return this.#withEvent(this.#update(run, { status }), event_type, source, payload)
  }

  #assign(worker: Worker): RunRecord | undefined {
    const waiting = [...this.#runs.values()].find(
      (run) =>
        run.workspace_id === worker.workspace_id &&
        run.status === 'awaiting_worker' &&
        (run.worker_id === null || run.worker_id === worker.worker_id),
    )
    if (!waiting) return undefined
    const { worker_id, vm_id, user_id, session_id } = worker
    const run = this.#update(waiting, { status: 'queued', worker_id, vm_id, user_id, session_id })
    this.#append(run, 'run-worker-assigned', 'backend', { worker_id, vm_id })
    return run
  }

  #applyControl(run: RunRecord, action: ControlRun['action'], control_mode: RunRecord['control_mode'], more: object) {
    const status = statusForAction(run, action)
    const next = this.#update(run, { status, control_mode })
    if (run.worker_id !== null) {
      const key = workerKey({ workspace_id: run.workspace_id, worker_id: run.worker_id })
      const command_id = `command-${this.#options.ids.uuid()}`
      const command = { action, run_id: run.run_id, command_id, control_mode }
      this.#commands.set(key, [...(this.#commands.get(key) ?? []), command])
    }
    return this.#withEvent(next, 'run-control', 'api', { action, control_mode, ...more })
  }

  #update(run: RunRecord, changes: Partial<RunRecord>): RunRecord {
    const next = { ...run, ...changes, updated_at: this.#now() }
    this.#runs.set(run.run_id, next)
    return next
  }

  #withEvent(run: RunRecord, type: string, source: string, payload: RunEvent['payload']) {
    return { run, latest_event: this.#append(run, type, source, payload) }
  }

  #append({ run_id }: RunRecord, event_type: string, source: string, payload: RunEvent['payload']): RunEvent {
    const events = this.#events.get(run_id)!
    const event = { seq: events.length + 1, timestamp: this.#now(), event_type, source, payload }
    events.push(event)
    return event
  }

  #now(): string {
    return new Date(this.#options.nowMs()).toISOString()
  }
}

const workerKey = ({ workspace_id, worker_id }: Pick<Heartbeat, 'workspace_id' | 'worker_id'>): string =>
  JSON.stringify([workspace_id, worker_id])

/** The fields of a run that its worker receives. */
const assignment = (run: RunRecord) => {
  const { run_id, workspace_id, agent_id, conversation_ref, query, requested_by, files, metadata, control_mode } = run
  return { run_id, workspace_id, agent_id, conversation_ref, query, requested_by, files, metadata, control_mode }
}

function statusAfter(status: RunStatus, event: string): RunStatus {
  if (event === 'streaming-complete') return 'completed'
  if (event === 'error') return 'failed'
  return status === 'awaiting_worker' || status === 'queued' ? 'running' : status
}

function statusForAction({ status, worker_id }: RunRecord, action: ControlRun['action']): RunStatus {
  switch (action) {
    case 'pause':
      return 'paused'
    case 'resume':
      return worker_id === null ? 'awaiting_worker' : 'running'
    case 'stop':
      return 'stopped'
    case 'set-control-mode':
      return status
  }
}
