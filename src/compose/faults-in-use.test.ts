import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../test/support/cli/run-command.ts'
import { renderCommand } from '../cli/commands/render.ts'
import { shrinkCommand } from '../cli/commands/shrink.ts'
import { testCommand } from '../cli/commands/test.ts'
import { fromPng } from '../paint/picture.ts'
import { openDesktop } from '../testing.ts'
import { loadScenario } from './preview.ts'
import { createTestbed } from './testbed.ts'
import { verifyScenario } from './verify/verify.ts'

// Rules such as [FT14] are stated in scenario/faults/README.md.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-faults-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const COMMANDS = { render: renderCommand, shrink: shrinkCommand, test: testCommand } as const

const run = (name: keyof typeof COMMANDS, ...args: readonly string[]) => runCommand(COMMANDS[name](), args)

describe('backlot render --faults', () => {
  it('[FT16] [FT18] shows the tree that an agent sees, and reports what fired', async () => {
    const second = ['render', 'login', '--prose', '--after', '2'] as const
    const plain = await run(...second)
    expect(plain).toMatchObject({ stdout: expect.stringContaining('[4 elements total'), stderr: '' })
    const ghost = await run(...second, '--faults', 'ghost-node')
    expect(ghost).toMatchObject({ stderr: 'faults: ghost-node at step 0 (0 ms)\n' })
    expect(ghost.stdout).toContain('[5 elements total')
    const empty = await run(...second, '--faults', 'empty-tree', '--seed', '7')
    expect(empty.stdout).toContain('[1 elements total')
    expect(empty.stderr).toMatch(/^faults: empty-tree at step 1 /)
  })

  it('[FT16] shows the picture that an agent sees', async () => {
    const picture = async (...faults: readonly string[]) => {
      const out = join(folder, `${faults.length}.png`)
      const { stderr } = await run('render', 'login', '--after', '2', '--seed', '5', '-o', out, ...faults)
      return { stderr, pixels: Buffer.from(fromPng(readFileSync(out)).pixels()) }
    }
    const [plain, disturbed] = [await picture(), await picture('--faults', 'update-dialog')]
    expect(disturbed.stderr).toMatch(/^faults: update-dialog at step 2 \(\d+ ms\)\nwrote /)
    expect(disturbed.pixels.equals(plain.pixels)).toBe(false)
  })

  it('[FT16] films a run with faults', async () => {
    const film = join(folder, 'film')
    const { stderr } = await run('render', 'login', '--film', film, '--faults', 'latency')
    expect(stderr).toMatch(/^faults: latency at step 0 \(0 ms\), latency at step 1 /)
    expect(readdirSync(film).length).toBeGreaterThan(3)
  })

  it('[FT2] suggests a fault', async () => {
    await expect(run('render', 'login', '--faults', 'lost-clik')).rejects.toThrow('did you mean "lost-click"?')
  })

  it('[FT16] [VAR11] shows bounds in the pixels of the variant', async () => {
    const { stdout } = await run('render', 'login', '--prose', '--variant', 'scale=2')
    expect(stdout).toContain('1600 × 1200 px')
    expect(stdout).toContain('Button  "Login"  @(400,560) 200×56')
  })
})

describe('backlot test --faults', () => {
  it('[FT14] [FT18] reports what fired in a failing run, when, and in how many runs', async () => {
    const { stdout, code } = await run('test', 'login', '--seeds', '1..2', '--faults', 'lost-click,latency')
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      expect.stringMatching(/^ {2}login, seed \d, no variant: success oracle /),
      expect.stringMatching(/^ {4}faults: latency at step 0 \(0 ms\), .*lost-click at step \d \(\d+ ms\)/),
      expect.stringMatching(/^ {4}backlot test login --seed \d --faults lost-click,latency$/),
      '  login: lost-click fired in 2 of 2 runs',
      '  login: latency fired in 2 of 2 runs',
    ])
  })

  it('[FT15] verifies the scenario with faults in the library', async () => {
    const scenario = await loadScenario('login')
    const failed = async (faults: Parameters<typeof verifyScenario>[1]) =>
      (await verifyScenario(scenario, faults)).flatMap(({ name, passed }) => (passed ? [] : [name]))
    expect(await failed({ faults: ['ghost-node'] })).toEqual([])
    expect(await failed({ faults: [{ fault: 'lost-click', probability: 1, times: 100 }] })).toEqual(['solution'])
    await expect(verifyScenario(scenario, { faults: ['lost-clik'] })).rejects.toThrow('did you mean "lost-click"?')
  })
})

it('[FT17] [FT12] POST /sessions opens a session with faults, which reports those that fired', async () => {
  await using testbed = await createTestbed({ scenario: 'login', faults: ['latency'] })
  const { url } = await testbed.serveRest({ port: 0 })
  const ask = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, body: (await reply.json()) as Record<string, never> }
  }
  const lostClick = { fault: 'lost-click', probability: 1, times: 1 }
  const { body: opened } = await ask('/sessions', { seed: 3, faults: [lostClick, 'ghost-node'] })
  const base = `/sessions/${opened.session_id}`
  const { body: receipt } = await ask(`${base}/api/tool/click_element`, { selector: 'Edit "Username"' })
  expect(receipt).toMatchObject({ ok: true, changed: false })
  const { body: info } = await ask(`${base}/api/tool/session_info`, {})
  expect(info).toMatchObject({
    seed: 3,
    faults: ['lost-click', 'ghost-node'],
    fired_faults: [
      { fault: 'ghost-node', step: 0, at_ms: 0 },
      { fault: 'lost-click', step: 1, at_ms: 0 },
    ],
  })
  const { body: other } = await ask('/sessions', {})
  const { body: served } = await ask(`/sessions/${other.session_id}/api/tool/session_info`, {})
  expect(served).toMatchObject({ faults: ['latency'], fired_faults: [] })
  const refused = await ask('/sessions', { faults: ['lost-clik'] })
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('did you mean \\"lost-click\\"?')
})

const ORDERS = `name: orders
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
            - {id: amount, role: Edit, name: Amount, bounds: {x: 120, y: 160, width: 150, height: 24}}
            - {id: order, role: Button, name: Order, bounds: {x: 320, y: 160, width: 90, height: 30}}
            - {id: out, role: Text, name: Nothing ordered, bounds: {x: 120, y: 220, width: 200, height: 30}}
reactions:
  - {on: {tool: click_element, target_id: order}, set: [{id: out, name: "Ordered {amount.value}"}]}
oracles:
  success: [{kind: element_exists, selector: 'Text "Ordered 2"'}]
  failure: [{kind: element_exists, selector: 'Text "Ordered 22"'}]
`

it('[FT19] backlot shrink prints the fault, the axis and the steps that a failing trace needs, and writes them', async () => {
  const scenario = join(folder, 'orders.yaml')
  writeFileSync(scenario, ORDERS)
  const desktop = openDesktop({
    scenario,
    config: { tracing: { redact_keys: [] } },
    variant: { theme: 'dark', window_position: 'top-left' },
    faults: ['latency', { fault: 'doubled-keys', probability: 1, times: 1 }, 'stale-pixels'],
  })
  await desktop.call('trace_start')
  await desktop.call('list_windows')
  await desktop.call('click_at', { x: 60, y: 100 })
  await desktop.call('type_text', { text: '2' })
  await desktop.call('get_window_structure')
  await desktop.call('click_element', { selector: 'Button "Order"' })
  await desktop.call('trace_stop')
  const [, text] = [...desktop.artifacts].find(([each]) => each.endsWith('trace.jsonl'))!
  const [trace, out] = [join(folder, 'trace.jsonl'), join(folder, 'small.jsonl')]
  writeFileSync(trace, text)
  const needed = `seed 1:
  fault doubled-keys {"probability":1,"times":1,"after":0}
  variant window_position=top-left
  step click_at {"x":60,"y":100}
  step type_text {"text":"2"}
  step click_element {"selector":"Button \\"Order\\""}
`
  expect(await run('shrink', trace, '--scenario', scenario, '-o', out)).toEqual({
    stdout: `fails: failure[0] element_exists\nneeds 5 of 10 parts, with ${needed}`,
    stderr: `wrote ${out}\n`,
    code: 0,
  })
  const again = await run('shrink', out, '--scenario', scenario)
  expect(again.stdout).toBe(`fails: failure[0] element_exists\nneeds 5 of 5 parts, with ${needed}`)
  await expect(run('shrink', join(folder, 'none.jsonl'), '--scenario', scenario)).rejects.toThrow('cannot read')
})
