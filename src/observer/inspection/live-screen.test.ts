import { describe, expect, it } from 'vitest'
import { form, realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { openDesktop, type TestDesktopOptions } from '../../testing.ts'
import type { LiveScreen } from '../../viewer/model/live.ts'
import { liveScreen } from './live-screen.ts'

// Rules such as [OB284] are stated in SPEC.md of the observer.

const DESK = `
name: Desk
task: Change the PIN
vars: {count: 2, code: hunter2}
states:
  only:
    windows:
      - uid: app
        title: "App\\u0007"
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: App
          children: [{id: pin, role: Edit, name: PIN, value: "1234"}, {id: pw, role: Edit, name: Password, value: hunter2, secret: true}]
      - uid: back
        title: Back
        bounds: {x: 300, y: 100, width: 300, height: 200}
        tree: {role: Window, name: Back, children: [{id: list, role: ComboBox, name: Size, value: S, children: [{id: s, role: ListItem, name: S}]}]}
timers:
  - {after_ms: 10, set: [{id: pin, value: "5678"}]}
oracles:
  success: [{kind: value_equals, selector: 'Edit "PIN"', expected: "5678", message: the PIN is new}]
  failure: [{kind: window_exists, title_regex: Error}]
files: {/home/user/a.txt: abc}
`

const opened = (options: TestDesktopOptions = {}) => {
  const desk = openDesktop({ scenario: DESK, ...options })
  return { desk, look: (request = {}): Promise<LiveScreen> => liveScreen(desk.session, request) }
}

describe('the live screen', () => {
  it('[OB284] leaves steps, clock, tokens and planned faults as they are', async () => {
    const { desk, look } = opened({ config: { budget: { max_screenshots: 1 } } })
    const { tree_token } = await desk.call('observe_window', { window_uid: 'app' })
    const before = [desk.session.steps, desk.clock.now(), desk.computer.simulation.stepCount]
    for (let looks = 0; looks < 20; looks++) await look()
    expect([desk.session.steps, desk.clock.now(), desk.computer.simulation.stepCount]).toEqual(before)
    expect(await desk.call('observe_window', { since: tree_token, window_uid: 'app' })).toMatchObject({
      unchanged: true,
    })
    expect(await desk.tryCall('get_screenshot')).toMatchObject({ ok: true })
  })

  it('[OB285] has picture, windows, scenario, oracles and storage', async () => {
    const { look } = opened()
    const screen = await look()
    expect(screen).toMatchObject({
      synthetic: true,
      clock: 'virtual',
      denied: [],
      picture: { width: 1280, height: 800, area: { x: 0, y: 0, width: 1280, height: 800 } },
      scenario: {
        name: 'Desk',
        file: 'scenario.yaml',
        composed: true,
        task: 'Change the PIN',
        state: 'only',
        step: 0,
        elapsed_ms: 0,
        next_timer_ms: 10,
      },
      oracles: {
        reward: 0,
        score: 0,
        entries: [
          { group: 'success', kind: 'value_equals', passed: false, message: 'the PIN is new' },
          { group: 'failure', kind: 'window_exists', passed: false, message: null, text: 'title_regex Error' },
        ],
      },
      episode: { actions: 0, ended: null, finish: null },
      storage: { withheld: null, clipboard: '', variables: { count: 2 } },
    })
    expect(screen.windows?.map(({ uid, title }) => [uid, title])).toEqual([
      ['app', 'App'],
      ['back', 'Back'],
    ])
    expect(screen.windows?.[0]?.tree?.children.map(({ id, value }) => [id, value])).toEqual([
      ['pin', '1234'],
      ['pw', '<filled>'],
    ])
    expect(screen.storage.files).toContainEqual({ path: '/home/user/a.txt', folder: false, size: 3 })
  })

  it('[OB285] sends picture and windows once, and again after a change', async () => {
    const { desk, look } = opened()
    const { version, windows_version: windowsVersion } = await look()
    const again = await look({ version, windowsVersion })
    expect([again.version, again.windows_version, again.picture, again.windows]).toEqual([
      version,
      windowsVersion,
      undefined,
      undefined,
    ])
    desk.clock.advance(10)
    const later = await look({ version, windowsVersion })
    expect([later.picture === undefined, later.windows?.[0]?.tree?.children[0]?.value]).toEqual([false, '5678'])
    expect(later.oracles).toMatchObject({ reward: 1, score: 1 })
  })

  it('[OB285] has popups as windows where the platform shows them so', async () => {
    const { desk, look } = opened({ variant: { personality: 'linux-gtk' } })
    await desk.call('bring_to_foreground', { window_uid: 'back' })
    await desk.call('click_element', { selector: '*[id="list"]', window_uid: 'back' })
    const { windows } = await look()
    expect(windows?.slice(0, 2).map(({ popupOf }) => popupOf)).toEqual(['back', undefined])
  })

  it('[OB286] hides secrets and what patterns match', async () => {
    const { look } = opened()
    expect((await look()).storage.variables).toEqual({ count: 2, code: '<filled>' })
    const hidden = await opened({ config: { redaction: { element_name_patterns: ['PIN'] } } }).look()
    expect(JSON.stringify({ ...hidden, picture: '' })).not.toContain('1234')
    expect(hidden.storage).toEqual({ withheld: expect.stringContaining('hides elements') })
  })

  it('[OB287] omits what the operator denies', async () => {
    const deny = ['get_screenshot', 'get_window_structure', 'session_info', 'get_clipboard', 'list_disk_files']
    const screen = await opened({ config: { actions: { deny } } }).look()
    expect(screen).toMatchObject({
      denied: deny,
      windows: [],
      scenario: null,
      oracles: null,
      storage: { withheld: null },
    })
    expect(screen).not.toHaveProperty('picture')
    expect(Object.keys(screen.storage)).toEqual(['withheld'])
  })

  it('[OB288] shows what a real desktop has', async () => {
    const { session } = realDesktop()
    const screen = await liveScreen(session, {})
    expect(screen).toMatchObject({
      synthetic: false,
      scenario: null,
      oracles: null,
      storage: { withheld: expect.stringContaining('a real desktop') },
    })
    expect(screen.windows?.map(({ uid, tree }) => [uid, tree?.id])).toEqual([
      ['front', undefined],
      ['form', form.id],
    ])
  })
})
