import { expect, it } from 'vitest'
import { build, button, desktop, edit, element, group, rect, text, window } from './builders.ts'

it('assigns ids by position and stacks elements without bounds', () => {
  const tree = build(
    group('Form', edit('User'), button('Enter', { id: 'enter', enabled: false })),
    rect(0, 0, 232, 300),
  )
  const common = { value: null, enabled: true, focused: false, keyboardShortcut: null, description: null, children: [] }
  expect(tree).toEqual({
    ...common,
    id: 'root',
    role: 'Group',
    name: 'Form',
    bounds: rect(0, 0, 232, 300),
    children: [
      { ...common, id: 'root.0', role: 'Edit', name: 'User', bounds: rect(16, 16, 200, 28) },
      { ...common, id: 'enter', role: 'Button', name: 'Enter', enabled: false, bounds: rect(16, 52, 200, 28) },
    ],
  })
})

it('makes a container as high as its children need and leaves given bounds alone', () => {
  const tree = build(
    element('Pane', '', group('A', text('one'), text('two')), text('far', { bounds: rect(1, 2, 3, 4) }), text('three')),
    rect(0, 0, 200, 100),
  )
  const [a, far, three] = tree.children
  expect(a?.bounds).toEqual(rect(16, 16, 168, 96))
  expect(a?.children.map((child) => child.bounds)).toEqual([rect(32, 32, 136, 28), rect(32, 68, 136, 28)])
  expect(far?.bounds).toEqual(rect(1, 2, 3, 4))
  expect(three?.bounds).toEqual(rect(16, 120, 168, 28))
})

it('keeps the content of a window below its title bar', () => {
  const { tree, ...login } = window('Sign in!', { bounds: rect(10, 20, 300, 200), process: 'acme' }, text('Hi'))
  expect(login).toEqual({
    uid: 'mock:sign-in',
    handle: '1000',
    title: 'Sign in!',
    process: 'acme',
    pid: 10000,
    bounds: rect(10, 20, 300, 200),
    state: 'normal',
    frame: 'inside',
    focus: undefined,
  })
  expect(tree.bounds).toEqual(login.bounds)
  expect(tree.children[0]?.bounds).toEqual(rect(26, 68, 268, 28))
})

it("focuses only the active window's focus", () => {
  const shown = desktop(
    { clipboard: 'copied' },
    window('Small', { state: 'minimized' }, edit('a', { focused: true })),
    window('Front', { handle: '77' }, edit('b', { focused: true })),
    window('Back', edit('c', { focused: true })),
  )
  expect(shown.active).toBe('mock:front')
  expect(shown.clipboard).toBe('copied')
  expect(shown.windows.map(({ handle, pid, focus }) => [handle, pid, focus])).toEqual([
    ['1000', 10000, 'root.0'],
    ['77', 10001, 'root.0'],
    ['1002', 10002, 'root.0'],
  ])
  expect(shown.windows.map(({ tree }) => tree.children[0]?.focused)).toEqual([false, true, false])
})
