import type { FaultCode } from '../../base/fault.ts'

/** Counts calls by tool and refusals by code, for the metrics. */
export class CallCounter {
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
