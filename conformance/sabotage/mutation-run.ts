import { type CertifyOptions, createRunContext } from '../run/options.ts'
import { type MutationOptions, type MutationResult, mutate } from './mutation.ts'

/** Milliseconds a broken server is waited for; a right one on the same machine answers at once. */
const PATIENCE_MS = 4000

/** Breaks the server at `url`, which must be right, in every known way; tells how often the suite notices. */
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
