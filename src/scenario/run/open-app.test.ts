import { describe, expect, it } from 'vitest'
import { type Desktop, windowByUid } from '../../desktop/model/desktop.ts'
import { walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { SHELL_STYLES, styleMetrics } from '../../desktop/style/style.ts'
import { outerBounds } from '../../desktop/windows/frame.ts'
import { primaryMonitor, workArea } from '../../desktop/windows/panel.ts'
import { parseScenario } from '../load/load.ts'
import { runView } from '../oracles/on-run.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { startScenario, stepScenario } from './step.ts'

const FILE = `
name: office
style: windows
states:
  start:
    windows:
      - {uid: mail, title: Inbox, process: mail.exe, tree: {role: Window, children: [{id: start, role: Button, name: Start}]}}
      - {uid: sure, title: Sure, process: sure.exe, modal_to: mail}
      - {uid: plain, title: Notes}
  later:
    windows:
      - {uid: plain, title: Later}
windows:
  - {uid: agenda, title: Agenda, process: calendar}
`

const start = (more = ''): ScenarioRun => startScenario(parseScenario(FILE + more), { atMs: 0 })

function found({ shell }: Desktop, id: string) {
  const element = (shell?.windows ?? []).flatMap(({ tree }) => [...walk(tree)]).find((each) => each.id === id)
  if (!element) throw new Error(`no ${id} in the shell`)
  return element
}

const press = (run: ScenarioRun, id: string) =>
  stepScenario(run, {
    type: 'action',
    action: { type: 'click', at: centerOf(found(run.desktop, id).bounds), button: 'left', count: 1 },
  })

const tasks = ({ shell }: Desktop): readonly string[] =>
  (shell?.windows ?? [])
    .flatMap(({ tree }) => tree.children)
    .filter(({ id }) => id.startsWith('shell.task.'))
    .map(({ name }) => name)

describe('applications', () => {
  it('[SC228] are the programs that own windows', () => {
    expect(parseScenario(FILE).apps).toEqual([
      { id: 'mail', name: 'Mail', icon: 'mail', windows: ['mail'] },
      { id: 'notes', name: 'Notes', icon: 'pencil', windows: ['plain'] },
      { id: 'calendar', name: 'Calendar', icon: 'calendar', windows: ['agenda'] },
    ])
  })

  it('[SC229] are those of the file, if it names any', () => {
    const apps = 'apps: [{name: Mail}, {name: Diary, icon: star, opens: agenda}, {name: Chess}]'
    expect(parseScenario(`${FILE}${apps}`).apps).toEqual([
      { id: 'mail', name: 'Mail', icon: 'mail', windows: ['mail'] },
      { id: 'diary', name: 'Diary', icon: 'star', windows: ['agenda'] },
      { id: 'chess', name: 'Chess', icon: 'window', windows: [] },
    ])
    expect(() => parseScenario(`${FILE}apps: [{name: Mail}, {name: Mail}]`)).toThrow('names of apps are unique')
  })

  it('[SC230] open their window, or a notification', () => {
    const opened = press(start(), 'shell.task.app.calendar')
    expect(opened.via).toBe('behaviour')
    expect(opened.run.desktop.active).toBe('agenda')
    expect(tasks(opened.run.desktop)).toContain('Agenda')
    const refused = press(start('apps: [{name: Chess}]'), 'shell.task.app.chess')
    expect(refused.run.desktop.windows[0]?.title).toBe('Chess cannot be opened on this desktop.')
  })

  it('[SC231] leave their button to a reaction', () => {
    const on = '{tool: click_element, target_id: shell.task.app.calendar}'
    const { run, reactions } = press(start(`reactions: [{on: ${on}, transition_to: later}]`), 'shell.task.app.calendar')
    expect([reactions, run.state, windowByUid(run.desktop, 'agenda')]).toEqual([[0], 'later', undefined])
  })

  it('[SC232] do not match triggers, oracles and guards of the windows of others', () => {
    const by = (on: string) => press(start(`reactions: [{on: ${on}, transition_to: later}]`), 'shell.start').run.state
    for (const on of ['{tool: click_element}', '{tool: any}', '{tool: click_element, selector: Button "Start"}'])
      expect(by(on)).toBe('start')
    expect(by('{tool: click_element, selector: Button "Start", window: shell:taskbar}')).toBe('later')
    const view = runView(start())
    expect([view.windows()].flat()).toHaveLength(3)
    expect(view.tree('shell:taskbar')).toMatchObject({ name: 'Taskbar' })
  })

  it('[SC233] follow timers and transitions', () => {
    const run = start('timers: [{in: start, after_ms: 10, transition_to: later}]')
    expect(tasks(run.desktop)).toEqual(['Inbox', 'Notes', 'Calendar'])
    const later = stepScenario(run, { type: 'tick', nowMs: 20 }).run
    expect(tasks(later.desktop)).toEqual(['Mail', 'Later', 'Calendar'])
  })

  it('[SC234] have windows that the bars do not cover', () => {
    for (const style of SHELL_STYLES) {
      const { desktop } = startScenario(parseScenario(FILE.replace('style: windows', `style: ${style}`)), { atMs: 0 })
      const area = workArea(desktop, primaryMonitor(desktop)!)
      for (const window of desktop.windows) {
        const { y, height } = outerBounds(window, styleMetrics(style))
        expect([y >= area.y, y + height <= area.y + area.height]).toEqual([true, true])
      }
    }
  })
})
