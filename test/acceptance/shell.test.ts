import { afterAll, describe, expect, it } from 'vitest'
import type { ShellBar } from '../../src/desktop/style/metrics.ts'
import { SHELL_STYLES, styleMetrics } from '../../src/desktop/style/style.ts'
import { createRestApp, openDesktop } from '../../src/testing.ts'

// A desktop with a style over HTTP: its bars, launcher and icons are windows with elements.

const scenario = (style: string) => `
name: office
style: ${style}
start_time: 2024-03-12T14:05:00Z
files: {/home/ada/Desktop/plan.txt: Plan, /home/ada/Desktop/Photos/sea.png: ''}
states:
  start:
    windows:
      - uid: mail
        title: Inbox
        process: mail.exe
        bounds: {x: 300, y: 120, width: 500, height: 300}
        tree: {role: Window, name: Inbox, children: [{id: save, role: Button, name: Save}, {id: search, role: Button, name: Search}]}
      - uid: files
        title: Files
        process: files.exe
        bounds: {x: 500, y: 260, width: 500, height: 300}
        tree: {role: Window, name: Files, children: [{id: list, role: List, name: Files, folder: /, height: 160}]}
windows:
  - {uid: agenda, title: Agenda, process: calendar, tree: {role: Window, name: Agenda, children: [{role: Text, name: Nothing today}]}}
`

/** The uid of each bar, and the button in it that opens the launcher. */
const BARS: Readonly<Record<ShellBar['kind'], { readonly bar: string; readonly launcher: string }>> = {
  taskbar: { bar: 'shell:taskbar', launcher: 'Button "Start"' },
  'top bar': { bar: 'shell:top-bar', launcher: 'Button "Activities"' },
  'menu bar': { bar: 'shell:menu-bar', launcher: 'Button "Search"' },
  dock: { bar: 'shell:dock', launcher: 'Button "Launcher"' },
}

/** Each style with its last bar. The tasks are in it, or in an overview. */
const STYLES = SHELL_STYLES.map((style) => {
  const shell = styleMetrics(style).shell!
  const { bar, launcher } = BARS[shell.bars.at(-1)!.kind]
  return { style, bar, launcher, icons: shell.icons, tasks: shell.launcher === 'overview' ? 'shell:launcher' : bar }
})

const open: { close(): unknown }[] = []
afterAll(async () => {
  for (const app of open) await app.close()
})

async function serve(style: string) {
  const app = await createRestApp(openDesktop({ scenario: scenario(style) }))
  open.push(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return async (tool: string, args: object = {}) => {
    const reply = await fetch(`${url}/api/tool/${tool}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    // biome-ignore lint/suspicious/noExplicitAny: results have any shape.
    const body: any = await reply.json()
    expect([tool, reply.status, reply.status === 200 ? '' : body]).toEqual([tool, 200, ''])
    return body
  }
}

describe.each(STYLES)('[SH1] a desktop in the style $style', ({ style, bar, launcher, icons, tasks }) => {
  it('lists its parts as windows, and finds their elements', async () => {
    const ask = await serve(style)
    const { windows } = await ask('list_windows')
    const uids = windows.map((window: { window_uid: string }) => window.window_uid)
    expect(uids[0]).toBe('mail')
    expect(uids).toEqual(expect.arrayContaining(['mail', 'files', bar, 'shell:desktop']))
    const found = await ask('find_element', { selector: launcher, window_uid: bar })
    expect(found.matches ?? [found]).not.toHaveLength(0)
    expect((await ask('get_screen_description', { window_uid: bar })).accessibility).toContain(launcher.slice(8, -1))
    expect((await ask('get_screen_sketch', { window_uid: bar })).sketch).toContain('+')
    expect((await ask('get_screenshot', { window_uid: bar })).data.length).toBeGreaterThan(100)
  })

  it('finds the elements of applications without a window', async () => {
    const ask = await serve(style)
    await ask('click_element', { selector: 'Button "Search"' })
    expect((await ask('list_windows')).windows[0].window_uid).toBe('mail')
  })

  it('opens an application by its launcher, by keys alone and by its task', async () => {
    const ask = await serve(style)
    await ask('click_element', { selector: launcher, window_uid: bar })
    await ask('type_text', { text: 'cal' })
    await ask('click_element', { selector: 'Button "Calendar"' })
    expect((await ask('list_windows')).windows[0].title).toBe('Agenda')
    await ask('press_key', { keys: 'win' })
    await ask('type_text', { text: 'mail' })
    await ask('press_key', { keys: 'Enter' })
    expect((await ask('list_windows')).windows[0].title).toBe('Inbox')
    if (tasks === 'shell:launcher') await ask('press_key', { keys: 'super' })
    await ask('click_element', { selector: 'Button "Files"', window_uid: tasks })
    expect((await ask('list_windows')).windows[0].title).toBe('Files')
  })

  it.runIf(icons !== undefined)('opens a folder by a double click on its icon', async () => {
    const ask = await serve(style)
    const { bounds } = await ask('find_element', { selector: 'ListItem "Photos"', window_uid: 'shell:desktop' })
    const at = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
    await ask('double_click_at', at)
    expect((await ask('list_windows')).windows[0].title).toBe('Files')
    await ask('find_element', { selector: 'ListItem "sea.png"', window_uid: 'files' })
  })
})
