import type { Infeasible, Oracle } from '../schema/oracles.ts'

/** An oracle in words. */
export interface DescribedOracle {
  /** Such as `value_equals`. */
  readonly kind: string
  /** What it demands, such as `selector Edit "Name", expected Ada`. At most 300 characters. */
  readonly text: string
  /** The message of the scenario. */
  readonly message: string | undefined
}

const MAX_TEXT = 300

/** What an oracle demands. */
export function describeOracle(oracle: Oracle): DescribedOracle {
  const { message, weight: _, kind, ...parts } = oracle as Oracle & Readonly<Record<string, unknown>>
  const text = Object.entries(parts)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name} ${typeof part === 'string' ? part : JSON.stringify(part)}`)
    .join(', ')
  return {
    kind,
    text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
    message: typeof message === 'string' ? message : undefined,
  }
}

/** The oracle of a task that is impossible. */
export const describeInfeasible = ({ reason }: Infeasible): DescribedOracle => ({
  kind: 'infeasible',
  text: `the agent reports that the task is impossible: ${reason}`,
  message: undefined,
})

/** An oracle on one line: its message, otherwise its kind with what it demands. */
export const oracleLine = ({ kind, text, message }: DescribedOracle): string =>
  message ?? (text === '' ? kind : `${kind}: ${text}`)
