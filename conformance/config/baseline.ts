import { parse } from 'yaml'
import * as z from 'zod'

/** Requirements that are known to fail, each with the reason why the failure is accepted. */
export type Baseline = Readonly<Record<string, string>>

const BaselineFile = z.strictObject({ expected_failures: z.record(z.string(), z.string().min(1)) })

/** Reads a YAML baseline: `expected_failures: { id: reason }`. */
export function readBaseline(text: string, path = 'the baseline'): Baseline {
  const read = BaselineFile.safeParse(parse(text))
  if (!read.success) throw new Error(`${path} is not a baseline:\n${z.prettifyError(read.error)}`)
  return read.data.expected_failures
}

/** Returns stale entries: the requirement passes or does not exist. */
export function findStaleEntries(
  baseline: Baseline,
  known: ReadonlySet<string>,
  ran: ReadonlyMap<string, boolean>,
): readonly string[] {
  return Object.keys(baseline)
    .filter((id) => !known.has(id) || ran.get(id) === true)
    .sort()
}
