import type { ComputerCallOptions } from '../../../src/protocols/computer-tools/dialect.ts'
import { type ComputerVendor, runComputerCall } from '../../../src/protocols/computer-tools/vendors.ts'
import { openDesktop } from '../../../src/testing.ts'
import { INPUT_SCENARIO } from './end-state.ts'

/** Executes a call of a vendor's computer tool. Returns its answer and the tool calls that it became, from the trace. */
export async function tracedCallsOf<Vendor extends ComputerVendor>(
  vendor: Vendor,
  toolCall: object,
  options?: ComputerCallOptions,
) {
  const desktop = openDesktop({ scenario: INPUT_SCENARIO, config: { tracing: { redact_keys: [] } } })
  await desktop.call('trace_start')
  const result = await runComputerCall(desktop, vendor, toolCall, options)
  const { path } = (await desktop.call('trace_stop')) as { path: string }
  const rows = String(desktop.artifacts.get(path)).trim().split('\n').slice(1)
  const calls = rows.map((row) => JSON.parse(row)).filter(({ tool }) => tool !== undefined && tool !== 'trace_stop')
  return { ...result, calls }
}
