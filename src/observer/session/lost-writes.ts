import { storageProblem } from '../../base/fault.ts'

/** A file that records what happens in a session. */
export type RecordName = 'trace' | 'audit log' | 'wire log' | 'model log' | 'event log'

/** Why something could not be written, for a client. */
export const whyUnwritten = (thrown: unknown): string => storageProblem(thrown) ?? 'an internal error'

/** Counts what could not be written, until an answer to the harness says so. */
export class LostWrites {
  readonly #lost = new Map<RecordName, { count: number; why: string }>()

  note(record: RecordName, thrown: unknown): void {
    const { count = 0 } = this.#lost.get(record) ?? {}
    this.#lost.set(record, { count: count + 1, why: whyUnwritten(thrown) })
  }

  /** A warning for each file, and none of them again. */
  take(): readonly string[] {
    if (this.#lost.size === 0) return NONE
    const warnings = [...this.#lost].map(([record, { count, why }]) => {
      const entries = count === 1 ? '1 entry' : `${count} entries`
      return `${entries} of the ${record} could not be written: ${why}`
    })
    this.#lost.clear()
    return warnings
  }
}

const NONE: readonly string[] = []
