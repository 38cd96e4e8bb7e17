import { describe, expect, it } from 'vitest'
import { Fault } from '../../../base/fault.ts'
import { createFastifyApp } from '../../../compose/rest-app.ts'
import { openDesktop, type TestDesktop } from '../../../testing.ts'
import { runClient } from '../client/client.ts'
import { COMMAND_FORMS } from './arguments.ts'
import { commandError } from './desk-call.ts'

// Rules such as [DA1] are stated in README.md.

interface Node {
  readonly ref_id?: string
  readonly role: string
  readonly name?: string
  readonly children?: readonly Node[]
  readonly children_count?: number
}
interface Envelope {
  readonly version: string
  readonly ok: boolean
  readonly command: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has data of its own.
  readonly data: any
  // biome-ignore lint/suspicious/noExplicitAny: details differ by code.
  readonly error: any
  readonly exit: number
}

/** Runs commands on a desktop, and parses what they print. */
async function commandsOf(desk: TestDesktop, version = '2.5', environment = {}) {
  const app = await createFastifyApp(desk)
  return async (...argv: string[]): Promise<Envelope> => {
    const payload = { contract: `agent-desktop@${version}`, argv, environment, home: '/home/me' }
    const { stdout, exit } = (await app.inject({ method: 'POST', url: '/desk', payload })).json()
    expect(stdout.endsWith('\n') && !stdout.slice(0, -1).includes('\n')).toBe(true)
    return { ...JSON.parse(stdout), exit }
  }
}

const errorOf = ({ error, exit }: Envelope) => [error?.code, error?.disposition.delivery, exit]

const nodesOf = (tree: Node): readonly Node[] => [tree, ...(tree.children ?? []).flatMap(nodesOf)]

/** The ref of the element with a name. */
const refOf = ({ data }: Envelope, name: string): string =>
  nodesOf(data.tree).find((node) => node.name === name)!.ref_id!

const CONTROLS = (more = '') => `
faults: [${more}]
states:
  a:
    windows:
      - uid: main
        title: Main
        process: notes.exe
        bounds: {x: 0, y: 0, width: 600, height: 400}
        tree:
          role: Window
          name: Main
          children:
            - role: Pane
              children:
                - role: Pane
                  children:
                    - {role: Edit, name: Name, value: ""}
                    - {role: CheckBox, name: News, selected: false}
            - {role: ComboBox, name: Size, value: Small, children: [{role: ListItem, name: Small}, {role: ListItem, name: Large}]}
            - {role: Button, name: "Off", enabled: false}
            - {id: twin, role: Button, name: Twin}
            - {role: Text, name: Hint}
            - {role: Button, name: Close, closes: true}
      - uid: side
        title: Side
        process: side.exe
        bounds: {x: 700, y: 0, width: 300, height: 300}
        tree: {role: Window, name: Side, children: [{role: Button, name: Twin}, {role: Button, name: Twin}]}
`

const open = (faults = '', version?: string) => commandsOf(openDesktop({ scenario: CONTROLS(faults) }), version)

describe('the table of conformance of agent-desktop', () => {
  it('[DA13] knows fields without a name by their place', async () => {
    const run = await commandsOf(openDesktop({ scenario: 'login', variant: { personality: 'macos-ax' } }))
    const { data } = await run('snapshot')
    const [user, password] = nodesOf(data.tree).flatMap(({ role, ref_id }) => (role === 'textfield' ? [ref_id!] : []))
    expect((await run('set-value', user!, 'alice')).data.post_state.value).toBe('alice')
    expect((await run('set-value', password!, 'secret')).ok).toBe(true)
    expect((await run('get', user!, '--property', 'value')).data.value).toBe('alice')
  })

  it('[DA12] [DA5] says that a vanished element is stale, and how to recover', async () => {
    const run = await open()
    const shown = await run('snapshot')
    const ref = refOf(shown, 'News')
    await run('click', refOf(shown, 'Close'))
    const { error, exit } = await run('click', ref)
    expect({ ...error, exit }).toEqual({
      code: 'STALE_REF',
      message: 'The window of the ref is closed',
      disposition: { delivery: 'not_delivered', retry: 'safe' },
      recovery: {
        strategy: 'refresh_snapshot_then_retry_original',
        retryable: true,
        requires_fresh_snapshot: true,
      },
      exit: 1,
    })
  })

  it('[DA19] does not deliver to a disabled element', async () => {
    const desk = openDesktop({ scenario: CONTROLS() })
    const run = await commandsOf(desk)
    const { error } = await run('click', refOf(await run('snapshot'), 'Off'), '--timeout-ms', '700')
    expect([error.code, error.disposition.delivery, error.details.kind]).toEqual([
      'TIMEOUT',
      'not_delivered',
      'actionability_timeout',
    ])
    expect(error.details.checks.at(-1)).toEqual({
      check: 'enabled',
      status: 'fail',
      reason: 'the element or its window takes no input',
    })
  })

  it('[DA20] a text field takes a value and typed text', async () => {
    const run = await open()
    const ref = refOf(await run('snapshot'), 'Name')
    const set = await run('set-value', ref, 'Ada')
    expect([set.data.post_state.value, set.data.disposition]).toEqual([
      'Ada',
      { delivery: 'delivered_verified', retry: 'unsafe' },
    ])
    expect((await run('type', ref, ' L')).data.post_state.value).toBe('Ada L')
    expect((await run('clear', ref)).data.post_state.value).toBeUndefined()
  })

  it('[DA14] the latest snapshot of a session is not seen in another', async () => {
    const run = await open()
    const { session_id: a } = (await run('session', 'start', '--name', 'a')).data
    const { session_id: b } = (await run('session', 'start')).data
    expect((await run('session', 'list')).data.sessions).toHaveLength(2)
    const ref = refOf(await run('--session', a, 'snapshot'), 'News')
    expect(errorOf(await run('get', ref, '--session', b))).toEqual(['SNAPSHOT_NOT_FOUND', 'not_delivered', 1])
    expect((await run('status', '--session', b)).data.snapshot_id).toBeNull()
    expect((await run('get', ref, '--session', a)).data.value).toBe('News')
    expect((await run('session', 'end', a)).data).toEqual({ session_id: a, ended: true })
    expect(errorOf(await run('get', ref, '--session', a))).toEqual(['SNAPSHOT_NOT_FOUND', 'not_delivered', 1])
    expect((await run('session', 'gc')).data.removed).toEqual([a])
  })

  it('[DA25] the session of an entry wins over that of its batch', async () => {
    const run = await open()
    const { session_id: a } = (await run('session', 'start')).data
    const ref_id = refOf(await run('--session', a, 'snapshot'), 'Name')
    const commands = [
      { command: 'get', args: { ref_id }, session: a },
      { command: 'get', args: { ref_id } },
      { command: 'wait', args: { ms: 5 } },
      { command: 'wait', args: { milliseconds: 5 } },
      { command: 'batch', args: {} },
    ]
    const { data } = await run('batch', JSON.stringify(commands))
    const codes = data.results.map(({ ok, error }: Envelope) => (ok ? 'ok' : error.code))
    expect(codes).toEqual(['ok', 'SNAPSHOT_NOT_FOUND', 'ok', 'INVALID_ARGS', 'INVALID_ARGS'])
    const stopped = await run('batch', JSON.stringify(commands), '--stop-on-error')
    expect(stopped.data.results.map(({ execution }: { execution: string }) => execution)).toEqual([
      'completed',
      'completed',
      'not_started',
      'not_started',
      'not_started',
    ])
    for (const wrong of ['{}', 'x', '[1]', '[{"command":"wait","more":1}]', '[{"command":"wait","args":[]}]'])
      expect((await run('batch', wrong)).error.code).toBe('INVALID_ARGS')
  })
})

describe('the process', () => {
  it('[DA1] [DA2] prints one line, whatever the arguments are', async () => {
    const run = await open()
    expect(await run('list-apps')).toMatchObject({ version: '2.5', ok: true, command: 'list-apps', exit: 0 })
    for (const words of [
      ['bogus'],
      ['click'],
      ['click', '@s123:e1', 'more'],
      ['snapshot', '--depth', '3'],
      ['snapshot', '--max-depth'],
      ['snapshot', '--max-depth', 'x'],
      ['--session', 'x'],
      ['status', '--wait-timeout', '5'],
      ['status', '--wait-for', 'button'],
      ['snapshot', '--wait-for', 'a', '--wait-for-gone', 'b'],
      ['snapshot', '--root', '@s123:e1', '--wait-for', 'a'],
      ['session', 'begin'],
      ['skills', 'nothing'],
      ['trace', 'list'],
    ]) {
      const answer = await run(...words)
      expect([words, answer.command, errorOf(answer)]).toEqual([words, 'unknown', ['INVALID_ARGS', 'unknown', 2]])
    }
    expect((await run('--headed', 'list-windows', '-v', '--app', 'side')).data).toHaveLength(1)
  })

  it('[DA1] every command answers an envelope', async () => {
    const run = await open()
    const ref = refOf(await run('snapshot'), 'News')
    for (const [command, form] of Object.entries(COMMAND_FORMS)) {
      const words = form.split(' ').filter((word) => word !== '' && !word.startsWith('--') && !word.endsWith('?'))
      const answer = await run(
        command,
        ...words.map((word) =>
          word === 'ref_id' ? ref : word === 'index' ? '1' : (/:([a-z]+)/.exec(word)?.[1] ?? 'x'),
        ),
      )
      expect([command, answer.command, typeof answer.ok]).toEqual([command, command, 'boolean'])
    }
  })

  it('[DA3] [DA15] has the envelope that the caller asks for', async () => {
    const old = await open('', '2.3')
    const shown = await old('snapshot')
    expect([shown.version, (await old('click', refOf(shown, 'News'))).data.disposition]).toEqual(['2.3', undefined])
    const bare = refOf(shown, 'News').replace(/.*:/, '@')
    expect((await old('get', bare, '--snapshot', shown.data.snapshot_id)).data.value).toBe('News')
    expect(errorOf(await old('get', bare))).toEqual(['INVALID_ARGS', 'unknown', 1])
    const run = await open('', '2.6')
    const { data, version } = await run('snapshot')
    expect(version).toBe('2.6')
    expect(errorOf(await run('get', '@e1', '--snapshot', data.snapshot_id))).toEqual(['INVALID_ARGS', 'unknown', 1])
    expect(errorOf(await run('get', `@${data.snapshot_id}:e1`, '--snapshot', 's999'))).toEqual([
      'INVALID_ARGS',
      'unknown',
      1,
    ])
  })

  it('[DA7] prints an envelope without a server', async () => {
    const host = { environment: {}, ownFolder: '/', program: [], workingFolder: '/' }
    const { stdout, exit } = await runClient(['--contract', 'agent-desktop', 'click', '@s123:e1'], host)
    expect([JSON.parse(stdout).error.code, JSON.parse(stdout).command, exit]).toEqual(['PERM_DENIED', 'click', 1])
  })

  it('[DA4] [DA6] has a cause for each code', async () => {
    const run = await open()
    const shown = await run('snapshot')
    const ref = refOf(shown, 'News')
    const stale = `@${shown.data.snapshot_id}:e99`
    expect(errorOf(await run('get', stale))).toEqual(['STALE_REF', 'not_delivered', 1])
    expect(errorOf(await run('get', '@s0000:e1'))).toEqual(['SNAPSHOT_NOT_FOUND', 'not_delivered', 1])
    expect(errorOf(await run('snapshot', '--app', 'nothing'))).toEqual(['APP_NOT_FOUND', 'not_delivered', 1])
    expect(errorOf(await run('snapshot', '--window-id', 'w-9'))).toEqual(['WINDOW_NOT_FOUND', 'not_delivered', 1])
    expect(errorOf(await run('snapshot', '--surface', 'sheet'))).toEqual(['ELEMENT_NOT_FOUND', 'not_delivered', 1])
    for (const surface of ['dock', 'spotlight', 'start-menu', 'action-center', 'system-tray-overflow'])
      expect(errorOf(await run('snapshot', '--surface', surface))).toEqual(['PLATFORM_NOT_SUPPORTED', 'unknown', 1])
    expect(errorOf(await run('snapshot', '--surface', 'roof'))).toEqual(['INVALID_ARGS', 'unknown', 1])
    expect(errorOf(await run('set-value', ref, 'x'))).toEqual(['ACTION_NOT_SUPPORTED', 'not_delivered', 1])
    expect(errorOf(await run('double-click', ref))).toEqual(['POLICY_DENIED', 'not_delivered', 1])
    expect(errorOf(await run('dismiss-notification', '1'))).toEqual(['NOTIFICATION_NOT_FOUND', 'not_delivered', 1])
    expect(errorOf(await run('wait', '--window', 'never', '--timeout', '50'))).toEqual(['TIMEOUT', 'not_delivered', 1])
    const slow = await open('{on: {tool: observe_window}, code: Timeout}')
    const { error } = await slow('snapshot')
    expect([error.code, error.recovery.retry_after_ms]).toEqual(['APP_UNRESPONSIVE', 250])
    const denied = await commandsOf(
      openDesktop({ scenario: CONTROLS(), config: { actions: { deny: ['observe_window'] } } }),
    )
    expect(errorOf(await denied('snapshot'))).toEqual(['PERM_DENIED', 'not_delivered', 1])
    expect(commandError(new Fault('StorageFailed', 'full')).code).toBe('INTERNAL')
  })

  it('[DA8] [DA26] says what it does not do, and which platform it looks like', async () => {
    const run = await open()
    for (const words of [
      ['launch', 'notes'],
      ['close-app', 'notes'],
      ['minimize'],
      ['key-down', 'a'],
      ['mouse-up'],
      ['open-system-surface', 'dock'],
      ['trace', 'export'],
    ])
      expect([words, errorOf(await run(...words))[0]]).toEqual([words, 'ACTION_NOT_SUPPORTED'])
    for (const [personality, platform] of [
      ['macos-ax', 'macos'],
      ['windows-uia', 'windows'],
      ['linux-gtk', 'linux'],
    ]) {
      const other = await commandsOf(openDesktop({ scenario: 'login', variant: { personality: personality! } }))
      expect((await other('status')).data).toMatchObject({
        platform,
        snapshot_id: null,
        ref_count: 0,
        session_id: null,
      })
    }
    expect((await run('skills', 'get', 'desktop')).data.content).toContain('snapshot -i --compact')
    expect((await run('permissions')).data.accessibility).toBe(true)
  })

  it('[DA27] write the skills into the folder of the caller', async () => {
    const app = await createFastifyApp(openDesktop({ scenario: 'login' }))
    const payload = { contract: 'agent-desktop@2.5', argv: ['skills', 'path'], environment: {}, home: '/home/me' }
    const { stdout, files } = (await app.inject({ method: 'POST', url: '/desk', payload })).json()
    expect(JSON.parse(stdout).data).toEqual({ path: '/home/me/.agent-desktop/skills' })
    expect(files.map(({ path }: { readonly path: string }) => path)).toEqual(
      ['desktop', 'macos', 'windows', 'linux'].map((name) => `/home/me/.agent-desktop/skills/${name}/SKILL.md`),
    )
    expect(Buffer.from(files[0].data, 'base64').toString()).toContain('snapshot -i --compact')
  })

  it('[DK24] have no skills if the caller has none', async () => {
    const run = await commandsOf(openDesktop({ scenario: 'login' }), '2.5', { BACKLOT_SKILL: '' })
    expect((await run('skills', 'list')).data).toEqual({ skills: [] })
    expect(errorOf(await run('skills', 'get', 'desktop'))).toEqual(['INVALID_ARGS', 'unknown', 1])
  })
})

describe('snapshots', () => {
  it('[DA9] [DA16] have the same ids in every run', async () => {
    const desk = openDesktop({ scenario: CONTROLS() })
    const run = await commandsOf(desk)
    const ids = async () => [(await run('snapshot')).data.snapshot_id, (await run('snapshot')).data.snapshot_id]
    const first = await ids()
    expect(first[0]).toMatch(/^s[0-9a-z]{4,}$/)
    expect(first[0]).not.toBe(first[1])
    await desk.call('session_reset', {})
    expect(errorOf(await run('get', `@${first[1]}:e1`))[0]).toBe('SNAPSHOT_NOT_FOUND')
    expect(await ids()).toEqual(first)
  })

  it('[DA10] leave nodes out without other numbers', async () => {
    const numbers = async (...flags: string[]) => {
      const run = await open()
      const { data } = await run('snapshot', ...flags)
      return nodesOf(data.tree).flatMap(({ ref_id, name }) => (ref_id ? [`${ref_id.replace(/.*:/, '')} ${name}`] : []))
    }
    const all = await numbers()
    expect(all).toEqual(['e1 Name', 'e2 News', 'e3 Size', 'e4 Off', 'e5 Twin', 'e6 Close'])
    expect(await numbers('-i', '--compact')).toEqual(all)
    const run = await open()
    const roles = nodesOf((await run('snapshot', '-i', '--compact')).data.tree).map(({ role }) => role)
    expect(roles).toEqual(['window', 'group', 'textfield', 'checkbox', 'combobox', 'button', 'button', 'button'])
    expect((await run('snapshot', '--include-bounds')).data.tree.bounds).toEqual({
      x: 0,
      y: 0,
      width: 600,
      height: 400,
    })
    const cut = (await run('snapshot', '--max-depth', '1')).data
    expect([cut.complete, cut.truncated, cut.tree.children[0].subtree_truncated]).toEqual([false, true, true])
  })

  it('[DA11] print a skeleton, and what is below a ref', async () => {
    const run = await commandsOf(openDesktop({ scenario: 'inbox' }))
    const skeleton = await run('snapshot', '--skeleton')
    expect(skeleton.data.complete).toBe(true)
    const cut = nodesOf(skeleton.data.tree).find(({ children_count: count, ref_id }) => count !== undefined && ref_id)!
    const before = skeleton.data.ref_count
    const below = await run('snapshot', '--root', cut.ref_id!)
    expect([below.data.snapshot_id, below.data.tree.role]).toEqual([skeleton.data.snapshot_id, cut.role])
    expect(below.data.ref_count).toBeGreaterThan(before)
    expect((await run('snapshot', '--root', cut.ref_id!)).data.ref_count).toBe(below.data.ref_count)
  })

  it('[DA17] are searched and read', async () => {
    const run = await open()
    const { data } = await run('find', '--role', 'button', '--name', 'twin', '--first')
    expect(data.match).toMatchObject({ role: 'button', name: 'Twin' })
    expect((await run('find', '--role', 'checkbox', '--count')).data).toEqual({ count: 1 })
    expect((await run('find', '--role', 'textbox')).data.matches).toHaveLength(1)
    expect((await run('find', '--text', 'Hint', '--exact')).data.matches[0].bounds).toBeDefined()
    expect((await run('find', '--state', 'disabled')).data.matches[0].name).toBe('Off')
    expect((await run('find', '--name', 'nothing', '--first')).data).toMatchObject({ match: null })
    expect((await run('find', '--role', 'button', '--nth', '1')).data.match.name).toBe('Twin')
    for (const words of [[], ['--state', 'tired'], ['--state', 'checked=maybe']])
      expect([words, errorOf(await run('find', ...words))[0]]).toEqual([words, 'INVALID_ARGS'])
    const ref = refOf(await run('snapshot'), 'News')
    expect((await run('is', ref, '--property', 'checked')).data).toEqual({
      property: 'checked',
      ref,
      result: false,
      applicable: true,
    })
    expect((await run('get', ref, '--property', 'role')).data.value).toBe('checkbox')
    expect(errorOf(await run('is', ref, '--property', 'happy'))[0]).toBe('INVALID_ARGS')
  })
})

describe('actions', () => {
  it('[DA18] [DA22] need a policy for the pointer and for dangerous chords', async () => {
    const run = await open()
    const ref = refOf(await run('snapshot'), 'News')
    for (const words of [
      ['hover', ref],
      ['drag', '--from', ref, '--to', ref],
      ['mouse-click', '--xy', '9,9'],
      ['mouse-move', '--xy', '9,9'],
      ['mouse-wheel', '--x', '9', '--y', '9'],
      ['triple-click', ref],
      ['press', 'alt+f4'],
    ])
      expect([words, errorOf(await run(...words))[0]]).toEqual([words, 'POLICY_DENIED'])
    for (const words of [
      ['hover', ref],
      ['hover', '--xy', '9,9'],
      ['drag', '--from', ref, '--to-xy', '9,9'],
      ['mouse-click', '--xy', '9,9'],
      ['mouse-move', '--xy', '9,9'],
      ['mouse-wheel', '--x', '9', '--y', '9'],
      ['double-click', ref],
    ])
      expect([words, (await run('--headed', ...words)).ok]).toEqual([words, true])
    expect((await run('press', 'tab')).ok).toBe(true)
  })

  it('[DA20] tick, choose and expand', async () => {
    const run = await open()
    const shown = await run('snapshot')
    const [news, size] = [refOf(shown, 'News'), refOf(shown, 'Size')]
    expect((await run('check', news)).data.post_state.states).toContain('checked')
    expect((await run('check', news)).data.steps[0].outcome).toBe('skipped')
    expect((await run('uncheck', news)).data.post_state.states).not.toContain('checked')
    expect((await run('toggle', news)).data.disposition.delivery).toBe('delivered_verified')
    expect((await run('select', size, 'Large')).data.post_state.value).toBe('Large')
    expect((await run('focus', news)).data.post_state.states).toContain('focused')
    expect((await run('scroll', size, '--direction', 'up')).ok).toBe(true)
    expect((await run('scroll-to', size)).ok).toBe(true)
    expect((await run('right-click', news)).ok).toBe(true)
    expect((await run('focus-window', '--app', 'side')).data.window.title).toBe('Side')
    expect((await run('clipboard-set', 'copied')).ok).toBe(true)
    expect((await run('clipboard-get')).data).toEqual({ type: 'text', text: 'copied' })
  })

  it('[DA20] [DA21] that are lost are not verified', async () => {
    const lost = await commandsOf(
      openDesktop({ scenario: CONTROLS('{fault: silent-no-op, probability: 1, times: 9}') }),
    )
    const shown = await lost('snapshot')
    expect((await lost('click', refOf(shown, 'Twin'))).data.disposition.delivery).toBe('delivered_unverified')
    const { error } = await lost('set-value', refOf(shown, 'Name'), 'Ada')
    expect([error.code, error.disposition, error.details.kind, error.recovery]).toEqual([
      'ACTION_FAILED',
      { delivery: 'delivered_unverified', retry: 'unsafe' },
      'post_action_verification',
      undefined,
    ])
  })

  it('[DA23] [DA24] wait on the clock of the desktop', async () => {
    const run = await open()
    const ref = refOf(await run('snapshot'), 'Off')
    expect((await run('wait', '60000')).data.elapsed_ms).toBe(60_000)
    expect((await run('wait', '--text', 'Hint', '--count', '1')).data.elapsed_ms).toBe(1)
    expect((await run('wait', '--element', ref, '--predicate', 'visible')).ok).toBe(true)
    const { error } = await run('wait', '--element', ref, '--predicate', 'enabled', '--timeout', '300')
    expect([error.code, error.details.kind, error.details.predicate]).toEqual(['TIMEOUT', 'wait_timeout', 'enabled'])
    for (const words of [
      ['--menu', '--timeout', '50'],
      ['--notification', '--timeout', '50'],
      ['--event', 'window-opened', '--timeout', '50'],
    ])
      expect([words, errorOf(await run('wait', ...words))[0]]).toEqual([words, 'TIMEOUT'])
    expect((await run('wait', '--menu-closed')).ok).toBe(true)
    for (const words of [[], ['--menu', '--notification'], ['--event', 'x'], ['--element', ref, '--predicate', 'x']])
      expect([words, errorOf(await run('wait', ...words))[0]]).toEqual([words, 'INVALID_ARGS'])
    const waited = await run('click', ref.replace(/e\d+$/, 'e2'), '--wait-for', 'checkbox:News')
    expect(waited.data).toMatchObject({ matched_selector: 'checkbox:News', after_action: { action: 'click' } })
    const gone = await run('snapshot', '--wait-for-gone', ':Hint', '--wait-timeout', '100')
    expect(errorOf(gone)[0]).toBe('TIMEOUT')
  })

  it('[DA28] hide what a trace hides', async () => {
    const desk = openDesktop({ scenario: CONTROLS(), config: { tracing: { wire_log: true } } })
    const run = await commandsOf(desk)
    const shown = await run('snapshot')
    const ref_id = refOf(shown, 'Name')
    await desk.call('trace_start', {})
    await run('type', ref_id, 'hunter2')
    const entries = [
      { command: 'focus', args: { ref_id } },
      { command: 'set-value', args: { ref_id, value: 'hunter2' } },
    ]
    await run('batch', JSON.stringify(entries))
    await desk.call('trace_stop', {})
    const files = [...desk.artifacts.values()].map(String)
    expect(files.some((text) => text.includes('"url":"/desk"'))).toBe(true)
    expect(files.join('\n').includes('hunter2')).toBe(false)
  })
})
