import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findScenario } from '../../src/compose/gallery.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'
import { createRestApp, matchers, openDesktop, type TestDesktop } from '../../src/testing.ts'
import type { LiveScreen } from '../../src/viewer/model/live.ts'
import { recordedCalls, solutionOf, testOf } from '../../src/viewer/model/scenario-recorder.ts'

// Rules such as [VW58] are stated in the README of the viewer.

expect.extend(matchers)

/** What a person does on the screen: a click on an element, by a role and a name, a text, or a key. */
type Deed = readonly ['click', role: string, name: string] | readonly ['type' | 'press', text: string]

const DEEDS: Readonly<Record<string, readonly Deed[]>> = {
  login: [
    ['click', 'Edit', 'Username'],
    ['type', 'alice'],
    ['click', 'Edit', 'Password'],
    ['type', 'correct horse'],
    ['click', 'Button', 'Login'],
  ],
  form: [
    ['click', 'Edit', 'Full name'],
    ['type', 'Alice Example'],
    ['click', 'Edit', 'E-mail address'],
    ['type', 'alice@example.com'],
    ['press', 'tab'],
    ['type', '1990'],
    ['click', 'ComboBox', 'Edition'],
    ['click', 'ListItem', 'Europe'],
    ['click', 'CheckBox', 'I accept the terms'],
    ['click', 'Button', 'Sign up'],
  ],
}

/** Acts at points as the page does, and returns the calls that the recorder keeps. */
async function record(desktop: TestDesktop, deeds: readonly Deed[]) {
  const app = await createRestApp(desktop)
  const headers = { host: '127.0.0.1:5001', 'x-caller': 'person' }
  const screen = async () =>
    (await app.inject({ url: '/api/inspector/screen', headers })).json() as unknown as LiveScreen
  const sent = new Map<number, Readonly<Record<string, unknown>>>()
  const send = async (tool: string, payload: Readonly<Record<string, unknown>>) => {
    const reply = (await app.inject({ method: 'POST', url: `/api/tool/${tool}`, headers, payload })).json()
    expect(reply).toMatchObject({ ok: true })
    sent.set(reply.step_id as number, payload)
  }
  const first = (await screen()).windows?.[0]?.uid
  for (const [kind, ...words] of deeds) {
    if (kind === 'type') await send('type_text', { text: words[0] })
    else if (kind === 'press') await send('press_key', { keys: words[0] })
    else await send('click_at', centreOf(await screen(), words[0]!, words[1]!))
  }
  // The log hides texts. The page knows those that it sent.
  const calls = (await screen()).calls.map((call) => ({ ...call, args: sent.get(call.step_id ?? -1) ?? call.args }))
  return recordedCalls(calls, first)
}

/** The centre of the first element with a role and a name. */
function centreOf({ windows }: LiveScreen, role: string, name: string) {
  const elements = windows!.flatMap(({ tree }) => (tree ? [tree] : []))
  for (let at = 0; at < elements.length; at++) {
    const { role: found, name: called, bounds, children } = elements[at]!
    const { x, y, width, height } = bounds
    if (found === role && called === name) return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
    elements.push(...children)
  }
  throw new Error(`there is no ${role} ${name}`)
}

/** Runs the text of a test that vitest would run. */
async function runTest(text: string): Promise<void> {
  const body = text.replaceAll(/^import .*$/gm, '')
  const tests: (() => Promise<void>)[] = []
  const test = (_title: string, run: () => Promise<void>) => tests.push(run)
  new Function('expect', 'test', 'matchers', 'openDesktop', body)(expect, test, matchers, openDesktop)
  expect(tests).toHaveLength(1)
  for (const run of tests) await run()
}

describe.each(Object.keys(DEEDS))('a recording of clicks in %s', (scenario) => {
  it('[VW58] is a solution that passes, and a test that runs', async () => {
    const calls = await record(openDesktop({ scenario }), DEEDS[scenario]!)
    expect(calls.map(({ tool }) => tool)).not.toContain('click_at')
    const file = readFileSync(findScenario(scenario), 'utf8')
    const recorded = file.replace(/^solution:\n(?: .*\n)+/m, () => solutionOf(calls))
    expect(recorded).not.toBe(file)
    const checks = await verifyScenario(parseScenario(recorded))
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
    await runTest(testOf(calls, { scenario }))
  })
})
