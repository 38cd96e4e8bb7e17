import { describe, expect, it } from 'vitest'
import { parseScenario } from '../scenario/load/load.ts'
import { openDesktop, type TestDesktop, type TestDesktopOptions } from '../testing.ts'
import { formatPiece, shrinkTrace } from './shrink.ts'
import { proveVariants } from './variants.ts'

const scenario = `
name: orders
states:
  only:
    windows:
      - uid: app
        title: Orders
        bounds: {x: 100, y: 100, width: 500, height: 300}
        tree:
          role: Window
          name: Orders
          children:
            - {id: a, role: Button, name: Select, bounds: {x: 120, y: 150, width: 90, height: 30}}
            - {id: b, role: Button, name: Delete, bounds: {x: 220, y: 150, width: 90, height: 30}}
            - {id: c, role: Button, name: Save, bounds: {x: 320, y: 150, width: 90, height: 30}}
            - {id: out, role: Text, name: open, bounds: {x: 120, y: 200, width: 200, height: 30}}
            - {id: chosen, role: Text, name: none, bounds: {x: 120, y: 240, width: 200, height: 30}}
reactions:
  - {on: {tool: click_element, target_id: a}, set: [{id: chosen, name: one}]}
  - {on: {tool: click_element, target_id: b}, when: [{id: chosen, name: one}], set: [{id: out, name: deleted}]}
  - {on: {tool: click_element, target_id: c}, set: [{id: out, name: saved}]}
solution:
  - {call: click_element, with: {selector: 'Button "Save"'}}
oracles:
  success: [{kind: element_exists, selector: 'Text "saved"'}]
  failure: [{kind: element_exists, selector: 'Text "deleted"'}]
`

const press = (name: string) => (desktop: TestDesktop) =>
  desktop.tryCall('click_element', { selector: `Button "${name}"` })

/** Records calls of a run, and shrinks the trace. Checks that no single part can be left out of the result. */
async function shrunk(
  options: TestDesktopOptions,
  calls: readonly ((desktop: TestDesktop) => Promise<unknown>)[],
): Promise<readonly string[]> {
  const desktop = openDesktop({ scenario, ...options })
  const { trace_id } = await desktop.call('trace_start')
  for (const each of calls) await each(desktop)
  await desktop.call('trace_stop')
  const [, text] = [...desktop.artifacts].find(([path]) => path.includes(`${trace_id}/trace.jsonl`))!
  const loaded = parseScenario(scenario)
  const { parts, trace, failure } = await shrinkTrace(loaded, String(text))
  expect(await shrinkTrace(loaded, trace)).toMatchObject({ parts, failure })
  for (const index of parts.keys()) {
    const lines = trace.trimEnd().split('\n')
    const { faults = [], variant, ...header } = JSON.parse(lines[0]!)
    const axes = Object.entries(variant)
    const fewer = {
      ...header,
      faults: faults.filter((_: unknown, at: number) => at !== index),
      variant: Object.fromEntries(axes.filter((_, at) => at !== index - faults.length)),
    }
    const steps = lines.slice(1).filter((_, at) => at !== index - faults.length - axes.length)
    const smaller = shrinkTrace(loaded, `${[JSON.stringify(fewer), ...steps].join('\n')}\n`)
    await expect(smaller).rejects.toThrow('does not fail')
  }
  return parts.map(formatPiece)
}

describe('shrinking a trace', () => {
  it('[FT19] finds the fault and the step that a planted failure needs', async () => {
    const faults = ['latency', 'late-tree', { fault: 'lost-click', after: 1, times: 1, probability: 1 }, 'ghost-node']
    const parts = await shrunk({ faults }, [
      press('Select'),
      press('Save'),
      (desktop) => desktop.tryCall('list_windows'),
    ])
    expect(parts).toEqual([
      'fault lost-click {"probability":1,"times":1,"after":1}',
      'step click_element {"selector":"Button \\"Select\\""}',
      'step click_element {"selector":"Button \\"Save\\""}',
    ])
  })

  it('[FT19] finds the steps that a planted failure of the agent needs', async () => {
    const calls = ['Save', 'Delete', 'Select', 'Save', 'Delete', 'Select'].map(press)
    expect(await shrunk({ faults: ['late-tree', 'stale-pixels'] }, calls)).toEqual([
      'step click_element {"selector":"Button \\"Select\\""}',
      'step click_element {"selector":"Button \\"Delete\\""}',
    ])
  })

  it('[FT19] finds the axis of the variant that a planted failure needs', async () => {
    const variant = { theme: 'dark', window_position: 'bottom-right' }
    const calls = [press('Select'), (desktop: TestDesktop) => desktop.tryCall('click_at', { x: 365, y: 165 })]
    expect(await shrunk({ variant, faults: ['latency'] }, calls)).toEqual([
      'variant window_position=bottom-right',
      'step click_at {"x":365,"y":165}',
    ])
  })

  it('[FT20] refuses a run that does not fail, and a text that is not a trace', async () => {
    const loaded = parseScenario(scenario)
    await expect(shrinkTrace(loaded, '{"type":"header","label":""}\n')).rejects.toThrow('does not fail')
    await expect(shrinkTrace(loaded, 'nothing')).rejects.toThrow('is not a trace')
  })

  it('[FT21] refuses a trace that hides arguments', async () => {
    const row = { trace_seq: 4, tool: 'type_text', args: { text: '<redacted>' }, result_summary: {} }
    const text = `{"type":"header","label":""}\n${JSON.stringify(row)}\n`
    await expect(shrinkTrace(parseScenario(scenario), text)).rejects.toThrow(
      'the trace hides arguments in 1 of 1 calls, the first in row 4; record it with {"tracing": {"redact_keys": []}}',
    )
  })
})

it('[FT14] proves a scenario with faults', async () => {
  const loaded = parseScenario(scenario)
  const failures = async (faults: readonly string[]) => {
    const all: unknown[] = []
    for await (const { failure } of proveVariants(loaded, { seeds: [1, 2, 3, 4, 5, 6, 7, 8], faults }))
      all.push(failure)
    return all.filter((failure) => failure !== undefined).length
  }
  expect(await failures(['ghost-node'])).toBe(0)
  expect(await failures(['lost-click'])).toBeGreaterThan(0)
})

it('[FT13] names the faults of a run in its trace, and those that fired in each row', async () => {
  const desktop = openDesktop({ scenario, faults: [{ fault: 'lost-click', probability: 1, times: 1 }] })
  const { trace_id } = await desktop.call('trace_start')
  await press('Save')(desktop)
  await press('Save')(desktop)
  await desktop.call('trace_stop')
  const [path, text] = [...desktop.artifacts].find(([each]) => each.includes(`${trace_id}/trace.jsonl`))!
  const [header, first, second] = String(text)
    .split('\n')
    .slice(0, 3)
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ seed: 1, faults: [{ fault: 'lost-click', probability: 1, times: 1, after: 0 }] })
  expect(first.faults_fired).toEqual([{ fault: 'lost-click', step: 1 }])
  expect(second).not.toHaveProperty('faults_fired')
  const again = openDesktop({ scenario, files: { [path]: String(text) } })
  const { replay_id } = await again.call('replay_start', { path, mode: 'verify' })
  await again.call('replay_step', { replay_id })
  expect(await again.call('replay_step', { replay_id })).toMatchObject({ finished: true })
  expect((await again.call('replay_status', { replay_id })).divergences).toEqual([])
  expect(again.computer.firedFaults).toEqual(desktop.computer.firedFaults)
})
