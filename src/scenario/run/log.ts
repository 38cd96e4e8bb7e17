import type { DataValue } from '../expression/data-type.ts'

/** Something that a run recorded. */
export interface LogEntry {
  /** The virtual time. */
  readonly atMs: number
  readonly kind: 'emit' | 'log' | 'reaction' | 'timer' | 'effect-skipped' | 'fault'
  /** The event, the text, the id of the reaction, timer or fault, or the kind of the effect. */
  readonly name: string
  readonly fields?: Readonly<Record<string, DataValue>>
}

/** The latest entries of a run, and how often each event happened. An immutable value. */
export interface RunLog {
  /** Full chunks, oldest first, and then the last one. */
  readonly chunks: readonly (readonly LogEntry[])[]
  readonly last: readonly LogEntry[]
  /** How often each emitted event, and each reaction or timer with an id, happened, including discarded entries. */
  readonly counts: ReadonlyMap<string, number>
}

/** The log of a run that recorded nothing. */
export const EMPTY_LOG: RunLog = { chunks: [], last: [], counts: new Map() }

const CHUNK_ENTRIES = 100
/** A log keeps at least this many entries; it discards the oldest by the hundred. */
export const MAX_LOG_ENTRIES = 10_000

const COUNTED: ReadonlySet<LogEntry['kind']> = new Set<LogEntry['kind']>(['emit', 'reaction', 'timer'])

/** The log with another entry. */
export function appendToLog({ chunks, last, counts }: RunLog, entry: LogEntry): RunLog {
  const { kind, name } = entry
  const counted = COUNTED.has(kind) ? new Map(counts).set(name, (counts.get(name) ?? 0) + 1) : counts
  if (last.length < CHUNK_ENTRIES) return { chunks, last: [...last, entry], counts: counted }
  const kept = chunks.slice(Math.max(0, chunks.length + 1 - MAX_LOG_ENTRIES / CHUNK_ENTRIES))
  return { chunks: [...kept, last], last: [entry], counts: counted }
}

/** The entries of a log, oldest first. */
export const entriesOf = ({ chunks, last }: RunLog): readonly LogEntry[] => [...chunks.flat(), ...last]

/** The entries that a log has and an earlier one has not, oldest first. */
export function entriesSince(log: RunLog, earlier: RunLog | undefined): readonly LogEntry[] {
  if (log === earlier) return []
  const latest = earlier?.last.at(-1)
  const added: LogEntry[] = []
  for (const chunk of [...log.chunks, log.last].reverse())
    for (let at = chunk.length - 1; at >= 0; at--) {
      if (chunk[at] === latest) return added.reverse()
      added.push(chunk[at]!)
    }
  return added.reverse()
}

/** How often an event happened. */
export const timesHappened = ({ counts }: RunLog, name: string): number => counts.get(name) ?? 0
