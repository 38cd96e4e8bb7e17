import { Gauge, Registry } from 'prom-client'
import type { Session } from '../../observer/session.ts'
import type { Sessions } from '../../observer/sessions.ts'

interface Measure {
  readonly name: string
  readonly help: string
  readonly read: (session: Session) => number
}

const MEASURES: readonly Measure[] = [
  { name: 'oso_step_count', help: 'Calls since the start', read: (session) => session.steps },
  {
    name: 'oso_uptime_seconds',
    help: 'Seconds since the start, in the time of the session',
    read: (session) => Math.floor((session.clock.now() - session.startedMs) / 1000),
  },
  {
    name: 'oso_actions_used',
    help: 'Actions that count against the budget',
    read: (session) => session.budget.actions,
  },
  {
    name: 'oso_screenshots_used',
    help: 'Screenshots that count against the budget',
    read: (session) => session.budget.screenshots,
  },
  { name: 'oso_active_trace', help: '1 while a trace is written', read: (session) => Number(session.tracing.active) },
  { name: 'oso_tree_cache_hits_total', help: 'Trees that had not changed', read: (session) => session.trees.hits },
  { name: 'oso_tree_cache_misses_total', help: 'Trees that had changed', read: (session) => session.trees.misses },
  {
    name: 'oso_tree_cache_entries',
    help: 'Windows whose trees are remembered',
    read: (session) => session.trees.windows,
  },
]

/** GET /api/metrics: the figures of one session, and how many there are, in Prometheus' text format. */
export async function metricsOf(session: Session, sessions: Sessions): Promise<string> {
  const registry = new Registry()
  new Gauge({ name: 'oso_sessions', help: 'Desktops besides the first', registers: [registry] }).set(sessions.size)
  for (const { name, help, read } of MEASURES) new Gauge({ name, help, registers: [registry] }).set(read(session))
  return registry.metrics()
}
