import { describe, expect, it } from 'vitest'
import { nodeById } from '../../desktop/model/element.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC42] are stated in SPEC.md of the folder above.

const SCENARIO = String.raw`
states:
  only:
    windows:
      - uid: app
        tree:
          role: Window
          name: App
          children: [{id: shell, role: Terminal, name: Shell, value: "\e[32mok\e[0m \e[1;38;5;196;48;2;0;0;255mred\e[2K"}]
reactions:
  - {on: {keys: F1}, set: [{id: shell, value: "\e[7mnew"}]}
  - {on: {keys: F2}, set: [{id: shell, value: plain}]}
`

describe('a terminal of a scenario', () => {
  const run = startScenario(parseScenario(SCENARIO), { atMs: 0 })
  const shell = (at: typeof run) => nodeById(at.desktop.windows[0]!.tree, 'shell')!
  const pressed = (keys: string) => stepScenario(run, { type: 'action', action: { type: 'key', keys } }).run

  it('[SC42] has a value without escapes', () => {
    expect(shell(run).value).toBe('ok red')
  })

  it('[SC43] has the colours and the weight of its parts', () => {
    expect(shell(run).traits?.terminal?.spans).toEqual([
      { from: 0, to: 2, ink: 2 },
      { from: 3, to: 6, bold: true, ink: '#ff0000', back: '#0000ff' },
    ])
  })

  it('[SC44] has the styles of a new value', () => {
    const changed = shell(pressed('F1'))
    expect([changed.value, changed.traits?.terminal?.spans]).toEqual(['new', [{ from: 0, to: 3, inverse: true }]])
    const plain = shell(pressed('F2'))
    expect([plain.value, plain.traits?.terminal]).toEqual(['plain', undefined])
  })
})
