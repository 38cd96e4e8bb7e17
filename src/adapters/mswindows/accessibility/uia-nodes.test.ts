import { describe, expect, it } from 'vitest'
import { uiaNode, uiaRole } from './accessibility.ts'

describe('nodes of UI Automation', () => {
  it('[WA4] have the role of their control type', () => {
    const types = [50000, 50004, 50018, 50020, 50025, 50029, 50033, 50040, 50099]
    expect(types.map((controlType) => uiaRole({ controlType }))).toEqual([
      ...['Button', 'Edit', 'Tab', 'Text', 'Pane', 'DataItem', 'Pane', 'ToolBar'],
      'Pane',
    ])
  })

  it('[WA4] have states and values, but not those of passwords', () => {
    const properties = {
      ...{ runtimeId: [42, 7], bounds: [1.4, 2.6, 30, 40], controlType: 50004, name: 'Secret', isPassword: true },
      ...{ hasValue: true, value: 'hidden', isEnabled: false, accessKey: 'Alt+S', automationId: 'pw' },
    }
    expect(uiaNode({ element: 5n, properties, children: [] })).toEqual({
      key: 'u42.7',
      role: 'PasswordEdit',
      name: 'Secret',
      bounds: { x: 1, y: 3, width: 30, height: 40 },
      enabled: false,
      focused: false,
      source: { is: 'uia', element: 5n },
      children: [],
      keyboardShortcut: 'Alt+S',
      identifier: 'pw',
      traits: { secret: true },
    })
    const box = { controlType: 50002, hasToggle: true, toggleState: 2, bounds: [Infinity, 0, 1, 1] }
    expect(uiaNode({ element: 6n, properties: box, children: [] })).toMatchObject({
      role: 'CheckBox',
      selected: false,
      value: 'mixed',
      bounds: { x: 0, y: 0, width: 0, height: 0 },
    })
  })
})
