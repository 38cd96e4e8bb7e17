import { storageProblem } from '../../base/fault.ts'

/** A file that records what happens in a session. */
export type RecordName = 'trace' | 'audit log' | 'wire log' | 'model log' | 'event log'

/** Why something could not be written, for a client: without the path. */
export const whyUnwritten = (thrown: unknown): string =>
  storageProblem(thrown) ??
  (isSystemError(thrown) ? `its file cannot be written (${thrown.code})` : 'an internal error')

/** Whether the operating system refused something, such as to open a file. Its message has the path. */
export const isSystemError = (thrown: unknown): thrown is Error & { readonly code: string } =>
  thrown instanceof Error && 'syscall' in thrown && 'code' in thrown

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
