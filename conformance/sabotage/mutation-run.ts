import { type CertifyOptions, circumstancesOf } from '../run/options.ts'
import { type MutationOptions, type MutationOutcome, mutate } from './mutation.ts'

/** Milliseconds a broken server is waited for; a right one on the same machine answers at once. */
const PATIENCE_MS = 4000

/** Breaks the server at `url`, which must be right, in every known way; tells how often the suite notices. */
export async function mutationRun(
  options: CertifyOptions,
  more: Omit<MutationOptions, 'lanes'> = {},
): Promise<MutationOutcome> {
  const circumstances = await circumstancesOf({ patienceMs: PATIENCE_MS, ...options })
  try {
    return await mutate(circumstances, { ...more, lanes: circumstances.suite.concurrency === 1 ? 1 : 3 })
  } finally {
    await circumstances.close()
  }
}
