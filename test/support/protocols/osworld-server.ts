import { osworldApp } from '../../../src/protocols/osworld/server.ts'
import { openDesktop, type TestDesktopOptions } from '../../../src/testing.ts'
import { osworldClient } from './osworld-client.ts'

/** A desktop with files, a program with a terminal, and a list of files. */
export const OSWORLD_DESK = `
name: desk
clipboard: before
files:
  /home/ada/Desktop: ~
  /home/ada/notes.txt: "hello\\n"
  /home/ada/Pictures/a.txt: x
states:
  a:
    windows:
      - uid: mock:editor
        title: Notes - Editor
        process: gedit
        bounds: {x: 0, y: 0, width: 700, height: 500}
        tree:
          role: Window
          name: Notes - Editor
          children:
            - {role: Edit, name: Text, id: text, value: "", bounds: {x: 20, y: 60, width: 300, height: 30}}
            - {role: List, name: Files, id: list, folder: /home/ada, bounds: {x: 20, y: 200, width: 300, height: 200}}
            - {role: Text, name: Event, id: event, value: "", bounds: {x: 20, y: 440, width: 300, height: 30}}
      - uid: mock:terminal
        title: ada@desk
        process: gnome-terminal-server
        bounds: {x: 720, y: 100, width: 500, height: 400}
        tree:
          role: Window
          name: ada@desk
          children:
            - {role: Document, name: Terminal, id: shell, value: "$ ls\\nnotes.txt\\n", bounds: {x: 740, y: 150, width: 400, height: 300}}
initial_state: a
reactions:
  - on: {tool: double_click_element, target_name: notes.txt}
    set: [{id: event, value: opened}]
  - on: {tool: press_key, keys: ctrl+s}
    set: [{id: event, value: saved}]
oracles:
  success:
    - {kind: value_equals, selector: 'Edit "Text"', window_uid: mock:editor, expected: done, weight: 1}
    - {kind: value_equals, selector: 'Text "Event"', window_uid: mock:editor, expected: saved, weight: 1}
`

/** OSWorld's server of a desktop in memory. `access` is that of the server. */
export async function openOsworld(options: TestDesktopOptions = {}, access: object = {}) {
  const desktop = openDesktop({ scenario: OSWORLD_DESK, ...options })
  const bugs: unknown[] = []
  const app = await osworldApp({
    session: desktop.session,
    access: { hosts: [], origins: [], token: undefined, ...access },
    onBug: (bug) => bugs.push(bug),
  })
  return { desktop, app, bugs, ...osworldClient(app) }
}
