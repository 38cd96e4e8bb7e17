import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { diskOutput } from '../../stores/disk.ts'
import { openDesktop } from '../../testing.ts'
import { openAudit } from './audit.ts'

// Rules such as [OB245] are stated in src/observer/SPEC.md.

const APP = `states: {a: {windows: [{uid: mock:a, title: A, tree: {role: Window, name: A, children: [{id: e, role: Edit, name: E, value: ""}]}}]}}`

const audited = (settings: object = {}) =>
  openDesktop({ scenario: APP, config: { logging: { audit: true }, actions: { deny: ['scroll'] }, ...settings } })
const linesOf = ({ artifacts: written }: ReturnType<typeof openDesktop>) =>
  String(written.get('audit/./audit.log')).trimEnd().split('\n')

it('[OB245] writes a line for each call, denied ones and unknown tools too', async () => {
  const desk = audited()
  await desk.call('list_windows')
  await desk.call('click_element', { element_id: 'e', count: 2 })
  desk.operatorClock.advance(50)
  await desk.tryCall('scroll', { clicks: 1 })
  await desk.tryCall('no_such_tool' as string)
  await desk.tryCall('find_element' as string, ['x'])
  expect(linesOf(desk)).toEqual([
    '2024-03-12T14:00:00.000+00:00 step=1 caller=library tool=list_windows ok=true',
    '2024-03-12T14:00:00.000+00:00 step=2 caller=library tool=click_element ok=true changed=true args.element_id=e args.count=2',
    '2024-03-12T14:00:00.050+00:00 step=3 caller=library tool=scroll ok=false args.clicks=1',
    '2024-03-12T14:00:00.050+00:00 step=? caller=library tool=no_such_tool ok=false',
    '2024-03-12T14:00:00.050+00:00 step=4 caller=library tool=find_element ok=false',
  ])
})

it('[OB246] omits secret arguments at any depth, and names them', async () => {
  const desk = audited()
  await desk.call('set_value', { element_id: 'e', value: 'hunter2' })
  await desk.tryCall('propose_action', { action: 'set_value', args: { element_id: 'e', value: 'hunter2' } })
  const lines = linesOf(desk)
  expect(lines.join()).not.toContain('hunter2')
  expect(lines[0]).toMatch(/args\.element_id=e redactions=\[args\.value]$/)
  expect(lines[1]).toMatch(/args\.args=\{"element_id":"e"} redactions=\[args\.args\.value]$/)
})

it('[OB246] omits the hidden values that a replay receives', async () => {
  const desk = audited()
  await desk.tryCall('replay_start', {
    path: 'x',
    bindings: { '4.text': 'hunter2', '5.args.value': 'hunter2', '6.keys': 'a' },
  })
  expect(linesOf(desk)[0]).toMatch(
    /args\.bindings=\{"6\.keys":"a"} redactions=\[args\.bindings\.4\.text,args\.bindings\.5\.args\.value]$/,
  )
})

it('[OB246] stays one line for any argument', async () => {
  const desk = audited()
  await desk.tryCall('find_element' as string, {
    selector: `a\nstep=9 \u001b[2Jtool=forged${'x'.repeat(5000)}`,
    'k\ney': 1,
  })
  await desk.tryCall('fake\ntool' as string)
  await desk.tryCall(
    'list_windows' as string,
    Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at])),
  )
  const lines = linesOf(desk)
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/args\.selector=a step=9 tool=forgedx+… ignored=\[k ey]$/)
  expect(lines[1]).toContain('tool=fake tool ok=false')
  expect(lines[2]!.length).toBeLessThan(1000)
})

it('[OB248] writes no value under a name that the tool does not know', async () => {
  const desk = audited()
  await desk.tryCall('type_text' as string, { txt: 'hunter2' })
  await desk.tryCall('type_txt' as string, { words: 'hunter2' })
  await desk.tryCall('propose_action', { action: 'type_text', args: { text: 'x', txt: 'hunter2' } })
  await desk.tryCall('session_step', { actions: [{ tool: 'type_text', args: { txt: 'hunter2' } }] })
  const lines = linesOf(desk)
  expect(lines.join()).not.toContain('hunter2')
  expect(lines[0]).toMatch(/tool=type_text ok=false ignored=\[txt]$/)
})

it('writes nothing unless the operator asks for it', async () => {
  const desk = openDesktop({ scenario: APP })
  await desk.call('list_windows')
  expect([...desk.artifacts.keys()]).toEqual([])
})

it('[OB245] does not fail the call when the log cannot be written, and reports it', async () => {
  const desk = audited()
  const reported: unknown[] = []
  Object.assign(desk.session.context, { report: (bug: unknown) => reported.push(bug) })
  desk.artifacts.get = () => {
    throw new Error('the disk is full')
  }
  expect((await desk.tryCall('list_windows')).ok).toBe(true)
  expect(reported).toEqual([new Error('the disk is full')])
})

it('[OB249] rotates at the maximum size, and keeps the configured number of files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = diskOutput(folder).lines('logs/audit.log', { bytes: 1024, backups: 2 })
  const audit = openAudit(file, [])
  const call = (stepId: number) =>
    audit({
      timeMs: 0,
      stepId,
      caller: 'rest',
      tool: 'list_windows',
      ok: true,
      changed: undefined,
      args: {},
      ignored: [],
      sentAs: {},
    })
  for (let step = 1; step <= 60; step++) call(step)
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['audit.log', 'audit.log.1', 'audit.log.2'])
  const sizes = ['audit.log', 'audit.log.1', 'audit.log.2'].map(
    (name) => readFileSync(join(folder, 'logs', name)).length,
  )
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024)
  expect(readFileSync(join(folder, 'logs', 'audit.log'), 'utf8')).toContain('step=60 ')
})
