import { type CertifyOptions, createRunContext } from '../run/options.ts'
import { type MutationOptions, type MutationResult, mutate } from './mutation.ts'

/** Milliseconds to wait for a broken server; a correct one on the same machine responds immediately. */
const PATIENCE_MS = 4000

/** Breaks the correct server at `url` in every known way; returns how often the suite notices. */
export async function runMutation(
  options: CertifyOptions,
  more: Omit<MutationOptions, 'concurrency'> = {},
): Promise<MutationResult> {
  const runContext = await createRunContext({ responseTimeoutMs: PATIENCE_MS, ...options })
  try {
    return await mutate(runContext, { ...more, concurrency: runContext.suite.concurrency === 1 ? 1 : 3 })
  } finally {
    await runContext.close()
  }
}
